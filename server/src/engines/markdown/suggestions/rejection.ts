import { lineEnd, nextLine } from '../read/read-blocks.ts'
import type { Change } from './critic-markup.ts'

export interface Range {
  from: number
  to: number
}

/** Rejects the changes. A list item or a paragraph that was only added goes with its text, instead of staying empty. */
export const withoutInsertions = (source: string, changes: Change[]): string =>
  keptRanges(source, changes)
    .map(({ from, to }) => source.slice(from, to))
    .join('')

/** What stays of a text if the changes are rejected. */
export function keptRanges(source: string, changes: Change[]): Range[] {
  const kept: Range[] = []
  let pos = 0
  changes.forEach((change, at) => {
    if (change.to <= pos) return
    const added: Added | undefined = change.kind === 'insertion' ? whole(source, addedFrom(changes, at)) : undefined
    const { from, to } = added ?? change
    if (from > pos) kept.push({ from: pos, to: from })
    const last = kept.at(-1)
    // The empty line before the last item of a list goes with it, and the one behind the first block of a text.
    if (added?.isLast && last) last.to -= blankLines(source.slice(Math.max(last.from, last.to - LINE), last.to)).length
    if (!added) kept.push({ from: change.textFrom, to: change.textTo })
    pos = Math.max(pos, added?.isBlock && !last ? afterBlank(source, to) : to)
  })
  return [...kept, { from: pos, to: source.length }]
}

/** What several people add at one place is one text. */
function addedFrom(changes: Change[], first: number): Range {
  let last = changes[first]!
  for (let at = first + 1; changes[at]?.kind === 'insertion' && changes[at]!.from === last.to; at++) last = changes[at]!
  return { from: changes[first]!.from, to: last.to }
}

interface Added extends Range {
  isBlock?: boolean
  /** True for a list item that nothing follows directly. */
  isLast?: boolean
}

const whole = (source: string, added: Range): Added =>
  wholeItem(source, added) ?? wholeParagraph(source, added) ?? added

const ITEM = /(?:^|\n)([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?$/
/** Enough to see the start of the line, without reading all that stands before each of many changes. */
const LINE = 1000

/** The line of a list item that has no other text than what was added, unless something of the list depends on it. */
function wholeItem(source: string, { from, to }: Range): Added | undefined {
  if (source.slice(from, to).includes('\n')) return undefined
  const item = ITEM.exec(source.slice(Math.max(0, from - LINE), from))
  const end = lineEnd(source, to)
  if (!item || source.slice(to, end).trim() !== '') return undefined
  const next = /^(?:\r\n|\n|\r)([ \t]*)\S/.exec(source.slice(end, end + LINE))
  if (next && next[1]!.length > item[1]!.length) return undefined
  const start = from - item[0].length
  // The first line of a text has no line ending before it.
  if (!item[0].startsWith('\n')) return { from: start, to: nextLine(source, end) }
  return { from: start, to: end, isLast: !next }
}

/** The spaces before a block and the markers of the quotes around it. */
const PREFIX = ' \t>'

/** The end of a text that has these letters only. */
function endOf(text: string, letters: string): string {
  let start = text.length
  while (start > 0 && letters.includes(text[start - 1]!)) start--
  return text.slice(start)
}

/** The blank lines at the end of a text, from the line ending before the first of them. */
function blankLines(text: string): string {
  const blank = endOf(text, `${PREFIX}\r\n`)
  if (blank.length === text.length) return blank
  const first = blank.search(/[\r\n]/)
  return first < 0 ? '' : blank.slice(first)
}

const HEADING = /#{1,6}[ \t]+$/

/** A paragraph or heading that has no other text than what was added, with the empty lines before it. */
function wholeParagraph(source: string, { from: textFrom, to }: Range): Added | undefined {
  const from = textFrom - (HEADING.exec(source.slice(Math.max(0, textFrom - LINE), textFrom))?.[0].length ?? 0)
  const before = source.slice(Math.max(0, from - LINE), from)
  const end = lineEnd(source, to)
  const isEnd =
    source.slice(to, end).trim() === '' && /^(?:\r\n|\n|\r|$)[ \t>]*(?:[\r\n]|$)/.test(source.slice(end, end + LINE))
  const prefix = endOf(before, PREFIX)
  const blank = blankLines(before)
  const isFirst = blank.length === from
  const isStart = /(?:\r\n|\n|\r)[ \t>]*(?:\r\n|\n|\r)/.test(blank.slice(0, blank.length - prefix.length))
  if (!isEnd || !(isFirst || isStart)) return undefined
  return { from: isFirst ? from : from - blank.length, to, isBlock: true }
}

function afterBlank(source: string, from: number): number {
  let next = from
  while (next < source.length && /[ \t\r\n]/.test(source[next]!)) next++
  return next
}
