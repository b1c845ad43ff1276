import { expect, test } from 'vitest'
import { mergeWords } from './merge-words.ts'

/** What is shown: deleted words in brackets, inserted ones in braces. */
function shown(type: string, old: string, fresh: string): string | undefined {
  const node = mergeWords(type, old, fresh)?.node
  if (!node) return undefined
  const texts: string[] = []
  node.descendants((one) => {
    if (!one.isText) {
      if (one.isBlock && texts.length > 0) texts.push('|')
      return
    }
    const names = one.marks.map((mark) => mark.type.name)
    texts.push(names.includes('deletion') ? `[${one.text}]` : names.includes('insertion') ? `{${one.text}}` : one.text!)
  })
  return texts
    .join('')
    .replace(/\u2060/g, '')
    .replace(/\|+/g, '|')
}

test('words of a paragraph are merged, however it is wrapped', () => {
  expect(shown('paragraph', 'Tell them two\nthings.', 'Tell them three things.')).toBe('Tell them [two]{three} things.')
  expect(shown('paragraph', 'The same\nwords.', 'The same words.')).toBeUndefined()
})

test('a text with little in common is shown as the old one and the new one', () => {
  const [old, fresh] = ['Support pays refunds by hand, once a week.', 'A refund goes back to the card that paid.']
  expect(shown('paragraph', old, fresh)).toBe(`[${old}]{${fresh}}`)
})

test('cells and rows of a table are merged', () => {
  const table = (...rows: string[]) => ['| Reason | By |', '| --- | --- |', ...rows].join('\n')
  const old = table('| Returned | Finance |', '| Lost | Nobody |')
  const fresh = table('| Returned | Warehouse |', '| Cancelled | Support |', '| Lost | Nobody |')
  expect(shown('table', old, fresh)).toContain('Returned|[Finance]')
  expect(shown('table', old, fresh)).toContain('{Cancelled}|{Support}')
})

test('items of a list are merged, but not a task that was ticked', () => {
  expect(shown('bullet_list', '- One\n- Two\n', '- One\n- Two\n- Three\n')).toBe('One|Two|{Three}')
  expect(mergeWords('bullet_list', '- [ ] One', '- [x] One')).toBeUndefined()
})
