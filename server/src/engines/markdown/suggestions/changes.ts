import { isCode } from '../read/block.ts'
import { aheadOf, type BlockReader, feedLine, newReader } from '../read/block-reader.ts'
import { backtickRuns, firstAtOrAfter } from '../read/raw-inline.ts'
import { frontMatterEnd, lineEnd, nextLine } from '../read/read-blocks.ts'
import { type Change, candidates, isEscaped } from './critic-markup.ts'
import { withoutInsertions } from './rejection.ts'

/** Enough of a line to decide which block it belongs to. Keeps the cost linear with many changes on one long line. */
const PEEK = 1000

interface Search {
  source: string
  candidates: Change[]
  next: number
  found: Change[]
  runs: Map<number, number[]>
  reader: BlockReader
  /** The start of every backtick run. */
  ticks: number[]
  pos: number
  end: number
  /** The start of the current line with its earlier changes rejected, and the first characters of it. */
  head: string[]
  peek: string
  /** The end of the last code span. */
  codeTo: number
}

/**
 * Finds the pending changes of a document, in order. Code in the document without its insertions stays literal: fenced
 * and indented code, code spans and front matter. A change that directly follows another always counts, so a replaced
 * code block reads as `{--old--}{++new++}`.
 */
export function findChanges(source: string): Change[] {
  const possible = candidates(source)
  if (possible.length === 0) return []
  const runs = backtickRuns(source)
  const search: Search = {
    source,
    candidates: possible,
    next: 0,
    found: [],
    runs,
    ticks: [...runs.values()].flat().sort((a, b) => a - b),
    reader: newReader(),
    pos: 0,
    end: -1,
    head: [],
    peek: '',
    codeTo: 0,
  }
  const front = frontMatterEnd(source)
  while (search.pos < front) search.pos = nextLine(source, lineEnd(source, search.pos))
  search.codeTo = search.pos
  while (search.pos <= source.length && skipPassed(search)) readLine(search)
  return search.found
}

/** Drops the candidates that the search has passed. Returns false if none remain. */
function skipPassed(search: Search): boolean {
  const from = Math.max(search.pos, search.codeTo)
  while (search.next < search.candidates.length && search.candidates[search.next]!.from < from) search.next++
  return search.next < search.candidates.length
}

function readLine(search: Search) {
  const { source, pos } = search
  if (search.end < pos) search.end = lineEnd(source, pos)
  const { end } = search
  const firstTick = firstAtOrAfter(search.ticks, pos)
  if (search.candidates[search.next]!.from >= end && (firstTick < 0 || firstTick >= end)) return commit(search)
  const ahead = aheadOf(search.reader)
  const peeked = search.peek + source.slice(pos, Math.min(end, pos + PEEK))
  const leaf = feedLine(ahead, peeked, 0, peeked.length)
  if (isCode(leaf)) {
    commit(search)
    search.codeTo = search.pos
    return
  }
  const spans = leaf.kind === 'html' ? undefined : { ahead, leaf, refuted: Number.POSITIVE_INFINITY }
  for (let at = Math.max(pos, search.codeTo); ; ) {
    const change = search.candidates[search.next]
    const tick = spans ? nextTick(search, at) : -1
    if (tick >= 0 && (!change || tick < change.from)) {
      at = spanEnd(search, tick, spans!)
      search.codeTo = Math.max(search.codeTo, at)
      if (!skipPassed(search) || at > end) return commit(search)
    } else if (change && change.from < end) return takeChange(search)
    else return commit(search)
  }
}

function feed(search: Search) {
  const line = search.head.join('')
  feedLine(search.reader, line, 0, line.length)
  search.head = []
  search.peek = ''
}

function commit(search: Search) {
  search.head.push(search.source.slice(search.pos, search.end))
  feed(search)
  search.pos = nextLine(search.source, search.end)
}

function addHead(search: Search, text: string) {
  search.head.push(text)
  if (search.peek.length < PEEK) search.peek += text.slice(0, PEEK)
}

/**
 * Takes the candidate and those that directly follow it. Deleted text is part of the document; inserted text is not.
 */
function takeChange(search: Search) {
  let change: Change | undefined = search.candidates[search.next]!
  addHead(search, search.source.slice(search.pos, change.from))
  let to = change.from
  while (change?.from === to) {
    search.found.push(change)
    if (change.kind === 'deletion') addDeleted(search, change.text)
    to = change.to
    do search.next++
    while (search.next < search.candidates.length && search.candidates[search.next]!.from < to)
    change = search.candidates[search.next]
  }
  search.pos = to
}

function addDeleted(search: Search, text: string) {
  let pos = 0
  for (let end = lineEnd(text, 0); end < text.length; end = lineEnd(text, pos)) {
    search.head.push(text.slice(pos, end))
    feed(search)
    pos = nextLine(text, end)
  }
  addHead(search, text.slice(pos))
}

function nextTick(search: Search, from: number): number {
  let at = firstAtOrAfter(search.ticks, from)
  while (at >= 0 && at < search.end && isEscaped(search.source, at)) {
    if (search.source[at + 1] === '`') return at + 1
    at = firstAtOrAfter(search.ticks, at + 1)
  }
  return at < search.end ? at : -1
}

interface Spans {
  ahead: BlockReader
  leaf: ReturnType<typeof feedLine>
  /** The paragraph is known to end before this position. */
  refuted: number
}

/** Returns the end of the code span that starts at `tick`, or the end of its opening backticks if nothing closes it. */
function spanEnd(search: Search, tick: number, spans: Spans): number {
  const { source, end } = search
  let opened = tick
  while (source[opened] === '`') opened++
  const length = opened - tick
  const close = firstAtOrAfter(search.runs.get(length) ?? [], opened)
  if (close < 0 || close >= spans.refuted) return opened
  if (close < end) return close + length
  if (spans.leaf.kind !== 'paragraph') return opened
  for (let pos = nextLine(source, end); pos <= close; ) {
    const lineTo = lineEnd(source, pos)
    if (feedLine(spans.ahead, source, pos, lineTo) !== spans.leaf || isBlankLine(source, pos, lineTo)) {
      spans.refuted = pos
      return opened
    }
    pos = nextLine(source, lineTo)
  }
  return close + length
}

function isBlankLine(source: string, from: number, to: number): boolean {
  return source.slice(from, to).trim() === ''
}

/** Returns the document with all pending changes accepted. */
export function acceptedView(source: string): string {
  return viewOf(source, findChanges(source), 'insertion')
}

/** Returns the document with all pending changes rejected. */
export function rejectedView(source: string): string {
  return withoutInsertions(source, findChanges(source))
}

export function viewOf(source: string, changes: Change[], kept: Change['kind']): string {
  const parts: string[] = []
  let pos = 0
  let last: string | undefined
  for (const change of changes) {
    const text = change.kind === kept ? change.text : ''
    const delimiter = kept === 'insertion' ? EMPHASIZED.exec(text)?.[1] : undefined
    // Bold text that is added beside bold text continues it: `**a****b**` would show asterisks.
    if (delimiter && delimiter === last && change.from === pos)
      parts.push(parts.pop()!.slice(0, -delimiter.length), text.slice(delimiter.length))
    else parts.push(source.slice(pos, change.from), text)
    last = delimiter
    pos = change.to
  }
  parts.push(source.slice(pos))
  return parts.join('')
}

/** A text that is bold, emphasized or struck through as a whole. */
const EMPHASIZED = /^(\*\*?|~~)(?![\s*~])[^*~\\`]+(?<!\s)\1$/

/** Accepts or rejects these changes and leaves the others pending. */
export function resolveChanges(source: string, changes: Change[], verdict: 'accept' | 'reject'): string {
  return verdict === 'accept' ? viewOf(source, changes, 'insertion') : withoutInsertions(source, changes)
}

export interface KnownChange {
  id: string
  kind: Change['kind']
  text: string
}

export type CarriedChange<Known extends KnownChange> = Change & { known: Known | undefined }

/**
 * Matches the changes in a new version of the document with the known ones, so they keep their ids. Matches by kind and
 * text, equal ones in order. A change without `known` is new.
 */
export function carryOver<Known extends KnownChange>(previous: Known[], newSource: string): CarriedChange<Known>[] {
  const waiting = new Map<string, Known[]>()
  for (const known of [...previous].reverse()) {
    const key = `${known.kind}:${known.text}`
    const same = waiting.get(key)
    if (same) same.push(known)
    else waiting.set(key, [known])
  }
  return findChanges(newSource).map((change) => ({
    ...change,
    known: waiting.get(`${change.kind}:${change.text}`)?.pop(),
  }))
}
