import { expect, test } from 'vitest'
import { compareVersions, countLines } from '../editor/comparing/compare.ts'
import { restoreEndings } from '../editor/source/merge-text.ts'
import { changedLines } from '../ui/outbox/changed-lines.ts'
import { compareWords } from './differences.ts'
import { mergeLines } from './merge-lines.ts'

const LONGEST = 1_900_000
/** Without a limit, these take minutes. */
const SECONDS = 30

/** A text whose lines no other text has. */
const text = (word: string, end: string) => {
  const line = (at: number) => `${word} ${at} ${word}${at}${end}`
  return Array.from({ length: Math.floor(LONGEST / line(50_000).length) }, (_, at) => line(at)).join('')
}
const [lines, others, third] = [text('old', '\n'), text('new', '\n'), text('mine', '\n')]
const [blocks, otherBlocks] = [text('old', '\n\n'), text('new', '\n\n')]
const code = (inside: string) => `\`\`\`\n${inside}\`\`\`\n`

test.for<[string, () => unknown]>([
  ['lines', () => countLines(lines, others)],
  ['words', () => compareWords(lines, others)],
  ['lines for a merge', () => mergeLines(lines, others, third)],
  ['lines side by side', () => changedLines(lines, others)],
  ['line endings', () => restoreEndings(lines.replaceAll('\n', '\r\n'), others)],
  ['blocks', () => compareVersions(blocks, otherBlocks)],
  ['one paragraph', () => compareVersions(lines, others)],
  ['code', () => compareVersions(code(lines), code(others))],
])('%s of two long texts with nothing in common are compared in time', { timeout: 120_000 }, ([, compare]) => {
  const began = performance.now()
  compare()
  expect((performance.now() - began) / 1_000).toBeLessThan(SECONDS)
})

test('hundreds of thousands of new lines are merged', { timeout: 60_000 }, () => {
  const long = 'x\n'.repeat(400_000)
  expect(mergeLines('a\nb', `${long}a\nb`, 'a\nb\nc')).toEqual({ text: `${long}a\nb\nc`, isClean: true })
})
