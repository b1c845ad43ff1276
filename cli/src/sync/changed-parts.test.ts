import { expect, test } from 'vitest'
import { changedParts } from './changed-parts.ts'

const TEXT = '# Refunds\n\nOne.\n\nTwo.\n\n```\ncode\n\nmore\n```\n\n- a\n- b\n\nLast.\n'

const applied = (before: string, after: string) =>
  changedParts(before, after).reduce((text, part) => text.replace(part.before, () => part.after), before)

test.for<[string, (text: string) => string, [string, string][]]>([
  ['one paragraph', (text) => text.replace('Two', 'Second'), [['Two.', 'Second.']]],
  [
    'paragraphs that are far apart',
    (text) => text.replace('One', 'First').replace('Last', 'At last'),
    [
      ['One.', 'First.'],
      ['Last.', 'At last.'],
    ],
  ],
  [
    'a block of code, as a whole',
    (text) => text.replace('more', 'less'),
    [['```\ncode\n\nmore\n```', '```\ncode\n\nless\n```']],
  ],
  ['what comes in, beside what stays', (text) => `${text}\nPS.\n`, [['Last.', 'Last.\n\nPS.']]],
  ['what comes in first', (text) => `Note.\n\n${text}`, [['# Refunds', 'Note.\n\n# Refunds']]],
  ['what goes', (text) => text.replace('One.\n\n', ''), [['One.\n\n', '']]],
])('the parts that changed are %s', ([, change, parts]) => {
  expect(changedParts(TEXT, change(TEXT))).toEqual(parts.map(([before, after]) => ({ before, after })))
})

test.for<[string, string]>([
  ['', 'New.\n'],
  ['Old.\n', ''],
  ['Same.\n\nSame.\n', 'Same.\n\nOther.\n'],
  ['One.\n\nTwo.\n', 'Zero.\n\nOne.\n\nHalf.\n\nTwo.\n\nThree.\n'],
  ['One.\n\nTwo.\n\nThree.\n', 'Three.\n\nOne.\n'],
  ['One.\n\n```\nopen\n\nTwo.\n', 'One!\n\n```\nopen\n```\n\nTwo.\n'],
])('the parts lead from %j to %j', ([before, after]) => {
  expect(applied(before, after)).toBe(after)
})
