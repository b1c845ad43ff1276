import { expect, test } from 'vitest'
import { snippetOf } from './snippet.ts'

test.each([
  ['![the cart](a.png) is empty', 'the cart is empty'],
  ['A [link][1].\n\n[1]: https://example.org', 'A link.'],
  ['See <https://example.org> and www.example.org.', 'See https://example.org and www.example.org.'],
  ['```js\nlet a\n```\n\n    indented', 'let a indented'],
  ['| a | b |\n|---|---|\n| 1 | 2 |', 'a b 1 2'],
  ['---\ntitle: x\n---\n\nText', 'Text'],
  ['A note[^1].\n\n[^1]: Below.', 'A note. Below.'],
  ['a {++b++} &lt;c&gt; \\# d', 'a {++b++} <c> # d'],
  ['![[![[', '![[![['],
])('%j reads as plain words', (markdown, words) => {
  expect(snippetOf(markdown, 200)).toBe(words)
})

test('a snippet never splits a surrogate pair', () => {
  for (const length of [7, 8, 9]) {
    const snippet = snippetOf('😀'.repeat(500), length)
    expect([[...snippet].length, snippet.isWellFormed()]).toEqual([length, true])
  }
})
