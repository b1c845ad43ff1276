import { writeProposal } from '@slipway/server/markdown'
import { expect, test } from 'vitest'
import { compareVersions } from './compare.ts'

/** Each change as its words: deleted ones in brackets, inserted ones in braces, and what is only suggested. */
const changesOf = (before: string, after: string) =>
  compareVersions(before, after).flatMap((change) => {
    if (change.type === 'same') return []
    const { inline, old, fresh, code, suggested } = change
    const words: string[] = []
    inline?.node.descendants(({ text, marks }) => {
      const names = marks.map(({ type }) => type.name)
      if (text) words.push(names.includes('deletion') ? `[${text}]` : names.includes('insertion') ? `{${text}}` : text)
    })
    const lines = code?.map(({ sign, text }) => sign + text).join('|')
    const shown = inline ? words.join('') : (lines ?? `${old?.textContent ?? ''} → ${fresh?.textContent ?? ''}`)
    return [suggested ? `${suggested}: ${shown}` : shown]
  })

test('a pending suggestion is shown as such, and not as a change of the text', () => {
  expect(changesOf('Ten days.\n', '{--Ten--}{++Five++} days.\n')).toEqual(['now: [Ten]{Five} days.'])
  expect(changesOf('a\n', 'a\n\n{++New line.++}\n')).toEqual(['now: {New line.}'])
  expect(changesOf('- a\n- b\n', '- a\n- {--b--}\n')).toEqual(['now: a[b]'])
})

test('an accepted suggestion is a change of the text, and a rejected one is not', () => {
  expect(changesOf('{--Ten--}{++Five++} days.\n', 'Five days.\n')).toEqual(['[Ten]{Five} days.'])
  expect(changesOf('{--Ten--}{++Five++} days.\n', 'Ten days.\n')).toEqual(['before: [Ten]{Five} days.'])
})

test('blocks that are proposed instead of others are compared with them', () => {
  const code = (line: string) => `\`\`\`js\n${line}\nsame\n\`\`\``
  const proposal = writeProposal({ old: code('ten'), fresh: code('five') })!
  expect(changesOf(`a\n\n${code('ten')}\n\nb\n`, `a\n\n${proposal}\n\nb\n`)).toEqual(['now: -ten|+five| same'])
  const two = writeProposal({ old: 'One\n\nTwo', fresh: '## One\n\nTwo' })!
  expect(changesOf('One\n\nTwo\n\nb\n', `${two}\n\nb\n`)).toEqual(['now: One → One'])
})

test('words that are written beside a suggestion are a change of the text', () => {
  expect(changesOf('{--Ten--}{++Five++} days.\n', '{--Ten--}{++Five++} long days.\n')).toEqual(['Ten {long} days.'])
})
