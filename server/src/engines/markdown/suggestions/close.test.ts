import { describe, expect, it } from 'vitest'
import { SPEC_EXAMPLES } from '../markdown.factory.ts'
import { closeOpen } from './close.ts'
import { findFault } from './validate.ts'

describe('what is open is closed where it would end anyway:', () => {
  it.each([
    ['a fence', 'a\n\n```js\ncode\n', 'a\n\n```js\ncode\n```\n', 3],
    ['a fence without a line', '~~~~', '~~~~\n~~~~', 1],
    ['a fence in a quote', '> ~~~~\n> a\n\nb\n', '> ~~~~\n> a\n> ~~~~\n\nb\n', 1],
    ['a fence in a list item', '- ```\n  b\n\nc\n', '- ```\n  b\n\n  ```\nc\n', 1],
    ['a fence in a numbered item in a quote', '> 1. ```\n>    b\n\nc\n', '> 1. ```\n>    b\n>    ```\n\nc\n', 1],
    ['a comment', 'a\n\n<!-- b\n\nc\n', 'a\n\n<!-- b\n\nc\n-->\n', 3],
    ['a comment inside other HTML', '<div>\n<!-- b\n\nc\n', '<div>\n<!-- b-->\n\nc\n', 2],
    ['a script', '<script>\na\n', '<script>\na\n</script>\n', 1],
    ['an element in a paragraph', 'a\nb <TITLE> c\n\nd\n', 'a\nb <TITLE> c</title>\n\nd\n', 2],
    ['an element in a cell', '| a <title> | b |\n| - | - |\n', '| a <title></title> | b |\n| - | - |\n', 1],
  ])('%s', (_, source, text, line) => {
    const closed = closeOpen(source)
    expect(closed.text).toBe(text)
    expect(closed.closed).toEqual([{ line, reason: expect.stringContaining('never closed') }])
    expect(closed.fault).toBeUndefined()
    expect(findFault(text)).toBeUndefined()
  })
})

it('everything that is open is closed', () => {
  const { text, closed, fault } = closeOpen('> ```\n> a\n\n> ~~~\n> b\n\n<!-- c\n')
  expect(text).toBe('> ```\n> a\n> ```\n\n> ~~~\n> b\n> ~~~\n\n<!-- c\n-->\n')
  expect(closed.map(({ line }) => line)).toEqual([1, 4, 7])
  expect(fault).toBeUndefined()
})

it('every example of the CommonMark specification becomes valid, and valid ones stay as they are', () => {
  for (const { markdown } of SPEC_EXAMPLES) {
    const { text, closed, fault } = closeOpen(markdown)
    expect(fault).toBeUndefined()
    expect(text === markdown).toBe(closed.length === 0)
  }
})

it('other faults stay, and the text is as it was', () => {
  const deep = `\`\`\`\na\n\n${'> '.repeat(101)}b`
  expect(closeOpen(deep).fault).toBeUndefined()
  const source = `${'> '.repeat(101)}b\n\n\`\`\`\n`
  expect(closeOpen(source)).toEqual({ text: source, closed: [], fault: { line: 1, reason: expect.any(String) } })
})

it('a text with very many open blocks is refused', () => {
  expect(closeOpen('> ```\n\n'.repeat(200))).toMatchObject({ closed: [], fault: { line: 1 } })
})

it('what pending changes leave open is closed in both readings', () => {
  const { text, fault } = closeOpen('a\n\n```\nb {++c++}\n')
  expect(fault).toBeUndefined()
  expect(findFault(text)).toBeUndefined()
})
