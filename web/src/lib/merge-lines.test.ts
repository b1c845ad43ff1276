import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeLines } from './merge-lines.ts'

const BASE = 'a\nb\nc\nd'

test.each([
  ['neighbouring lines', 'A\nb\nc\nd', 'a\nB\nc\nd', 'A\nB\nc\nd'],
  ['a line and an insertion after it', 'A\nb\nc\nd', 'a\nnew\nb\nc\nd', 'A\nnew\nb\nc\nd'],
  ['a line and an insertion before it', 'a\nb\nC\nd', 'a\nb\nnew\nc\nd', 'a\nb\nnew\nC\nd'],
  ['a deletion and a change elsewhere', 'b\nc\nd', 'a\nb\nc\nD', 'b\nc\nD'],
  ['the same change twice', 'a\nB\nc\nd', 'a\nB\nc\nd!', 'a\nB\nc\nd!'],
])('merges %s', (_, mine, theirs, merged) => {
  expect(mergeLines(BASE, mine, theirs)).toEqual({ text: merged, isClean: true })
  expect(mergeLines(BASE, theirs, mine)).toEqual({ text: merged, isClean: true })
})

test('keeps line endings', () => {
  expect(mergeLines('a\r\nb\r\n', 'A\r\nb\r\n', 'a\r\nB\r\n').text).toBe('A\r\nB\r\n')
})

test.each([
  ['one line', 'A\nb\nc\nd', 'À\nb\nc\nd'],
  ['two insertions at one place', 'a\nx\nb\nc\nd', 'a\ny\nb\nc\nd'],
  ['a deletion of a changed line', 'b\nc\nd', 'A\nb\nc\nd'],
])('takes mine where both changed %s, and says so', (_, mine, theirs) => {
  expect(mergeLines(BASE, mine, theirs)).toEqual({ text: mine, isClean: false })
})

test('a clean merge is the same from both sides, and leaves nothing out', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }).map((lines) => lines.join('\n'))
  fc.assert(
    fc.property(text, text, text, (base, mine, theirs) => {
      expect(mergeLines(base, base, theirs)).toEqual({ text: theirs, isClean: true })
      expect(mergeLines(base, mine, base)).toEqual({ text: mine, isClean: true })
      const merged = mergeLines(base, mine, theirs)
      const other = mergeLines(base, theirs, mine)
      expect(merged.isClean).toBe(other.isClean)
      if (merged.isClean) expect(merged.text).toBe(other.text)
    }),
  )
})
