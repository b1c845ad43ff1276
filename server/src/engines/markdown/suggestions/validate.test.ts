import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applySuggestion, findFault, parseMarkdown } from '../index.ts'
import { GFM_EXAMPLES, SPEC_EXAMPLES } from '../markdown.factory.ts'

/** Specification examples that leave a fence or a raw-text element open. */
const UNCLOSED = [126, 127, 128, 137, 139, 173, 237]

describe('valid markdown', () => {
  it('is every example of the CommonMark specification except those that leave something open', () => {
    const refused = SPEC_EXAMPLES.filter(({ markdown }) => findFault(markdown)).map(({ number }) => number)
    expect(refused).toEqual(UNCLOSED)
  })

  it.each(GFM_EXAMPLES)('is GFM: %j', (markdown) => {
    expect(findFault(markdown)).toBeUndefined()
  })

  it.each([
    ['an unclosed comment in a fence', '```\n<!-- a\n```\n'],
    ['an unclosed comment in a code span', 'a `<!--` and `<script>` b'],
    ['an unclosed script in indented code', '    <script>\n'],
    ['a comment that is text, because nothing closes it in its paragraph', 'a <!-- b'],
    ['a fence closed inside its list item', '- ```\n  a\n  ```\n- b'],
    ['a pre element without an end', '<pre>\na\n'],
    ['comments without content', '<!-->\n\n<!--->\n'],
    ['many brackets that are only text', `${'['.repeat(500)}a`],
    ['a hundred quotes in each other', `${'> '.repeat(100)}a`],
    ['a document of nothing', ''],
    ['tabs and both kinds of line ending', 'a\tb\r\nc\nd'],
  ])('is %s', (_, markdown) => {
    expect(findFault(markdown)).toBeUndefined()
  })
})

describe('invalid markdown', () => {
  it.each([
    ['a control character', 'one\ntwo\u0000', 2, /U\+0000/],
    ['a form feed', 'a\fb', 1, /U\+000C/],
    ['a C1 control character', 'a\nb\u0085', 2, /U\+0085/],
    ['a lone surrogate', '🙂\nb\n\ud83d', 3, /surrogate/],
    ['an unclosed fence', 'a\n\n```js\ncode\n', 3, /code block \(```\)/],
    ['a fence that its quote ends', '> ~~~~\n> a\n\n~~~~\na\n~~~~\n', 1, /code block \(~~~~\)/],
    ['a fence that its list item ends', '- a\n\n  ```\n  b\n\nc\n', 3, /code block/],
    ['an unclosed comment', 'a\n\n<!-- b\n\nc\n', 3, /comment/],
    ['a comment that is opened inside other HTML', '<div>\n<!-- b\n\nc\n', 2, /comment/],
    ['an unclosed script', '<script>\na\n', 1, /<script>/],
    ['an unclosed style', '<STYLE>\na\n', 1, /<style>/],
    ['an unclosed textarea', 'a\n\n<textarea>\n', 3, /<textarea>/],
    ['an unclosed title', 'a\n<title>b', 2, /<title>/],
    ['an unclosed script in a paragraph', 'a\nb <script> c\n', 2, /<script>/],
    ['a style that another end tag ends', '<style>\n</script>\n', 1, /<style>/],
    ['quotes in each other', `a\n\n${'> '.repeat(101)}b`, 3, /100/],
    ['lists in each other', `${'- '.repeat(101)}b`, 1, /100/],
    ['formatting in each other', `${'*a '.repeat(101)}${'b* '.repeat(101)}`, 1, /100/],
  ])('is %s', (_, markdown, line, reason) => {
    expect(findFault(markdown)).toMatchObject({ line, reason: expect.stringMatching(reason) })
  })

  it('is a document whose pending changes would leave a fence open', () => {
    const outcome = applySuggestion('a\n\n```\nb\n```\n', 'b\n```\n', 'b\n')
    expect(outcome.outcome === 'applied' && findFault(outcome.source)).toMatchObject({ line: 6 })
  })
})

it('accepts a document with a pending replacement of a code block', () => {
  const outcome = applySuggestion('a\n\n```js\nold\n```\n\nb\n', 'old', 'new')
  expect(outcome.outcome === 'applied' && findFault(outcome.source)).toBeUndefined()
})

it('validates and parses any text in linear time', () => {
  const piece = fc.constantFrom(
    '[',
    ']',
    '*',
    '_a ',
    '`',
    '<',
    '<a b="',
    '<!--',
    '> ',
    '- ',
    '{++',
    '![',
    '](',
    '&',
    '~~',
    '\\',
    '\n',
    '|-',
    '[^a]: ',
    '#',
  )
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 3 }), (pieces) => {
      const text = pieces.join('')
      const started = performance.now()
      const long = text.repeat(Math.ceil(50_000 / text.length))
      findFault(long)
      parseMarkdown(long)
      expect(performance.now() - started).toBeLessThan(10_000)
    }),
    { numRuns: 15 },
  )
})
