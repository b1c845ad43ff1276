import { expect, test } from 'vitest'
import { parseMarkdown, withoutNeedlessEscapes } from '../index.ts'

test.for([
  ['The column order\\_id of R\\&D, if a \\<= b.', 'The column order_id of R&D, if a <= b.'],
  ['# A \\(b\\)\n\n- c\\.d\n- \\[e\\]\n\n> f\\-g\n', '# A (b)\n\n- c.d\n- [e]\n\n> f-g\n'],
  ['| a\\_b |\n| --- |\n| c \\| d\\! |\n', '| a_b |\n| --- |\n| c \\| d! |\n'],
  ['one\\.\r\n\r\ntwo\\.\r\n', 'one.\r\n\r\ntwo.\r\n'],
])('%j loses the backslashes that change nothing', ([source, written]) => {
  expect(withoutNeedlessEscapes(source!)).toBe(written)
  expect(parseMarkdown(written!).doc.eq(parseMarkdown(source!).doc)).toBe(true)
})

test.for([
  ...['\\# no heading', '1\\. no list', '\\- no item', '\\*no* emphasis', '\\[a](b)'],
  ...[
    '\\&copy;',
    '\\<b>',
    '\\https://a.example',
    '`a\\_b`',
    '```\na\\_b\n```',
    '<div a="\\_">\n\n</div>',
    'a\\\nb',
    'a\\\\_b',
  ],
  ...['It takes {--t\\_n--}{++five++} days\\!', '{++a\\_b++}'],
])('%j stays as it is', (source) => {
  expect(withoutNeedlessEscapes(source)).toBe(source)
})

test('a block with a pending change keeps its backslashes, and its neighbors lose theirs', () => {
  expect(withoutNeedlessEscapes('a\\_b\n\n{++c\\_d++}\n\ne\\_f\n')).toBe('a_b\n\n{++c\\_d++}\n\ne_f\n')
})

test('a text that needs all of its backslashes takes time in proportion to its length', () => {
  const source = Array.from({ length: 4_000 }, (_, at) => `\\* item ${at}\\_`).join('\n\n')
  expect(withoutNeedlessEscapes(source)).toBe(source.replaceAll('\\_', '_'))
})
