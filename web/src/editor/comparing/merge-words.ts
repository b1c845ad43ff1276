import { markUp, parseMarkdown } from '@slipway/server/markdown'
import type { Node } from 'prosemirror-model'
import { compareLists, compareWords, soonest } from '../../lib/differences.ts'
import { schema } from '../schema.ts'

/** Less than this in common, and words side by side say less than the two texts one after the other. */
const LEAST_COMMON = 0.35
/** What stands between two changes and is no longer than this is read as changed too. */
const SHORT = 4
const MARKER = /^\s*(?:(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?|(?:>\s?)+|#{1,6}\s+)?/
const INVISIBLE = '\u2060'
const CELLS = /(?<!\\)\|/

interface Part {
  type: 'same' | 'gone' | 'new'
  text: string
}

/** A block, and its markdown. */
export interface Block {
  node: Node
  source: string
}

/**
 * Both versions of a block as one block with tracked words. Undefined if they differ in more than words, or if that cannot
 * be found out in time.
 */
export function mergeWords(type: string, old: string, fresh: string, until = soonest()): Block | undefined {
  if (Date.now() > until) return undefined
  let changes = 0
  const mark = (kind: 'insertion' | 'deletion', text: string) => {
    const inner = text.trim()
    const before = text.slice(0, text.length - text.trimStart().length)
    const after = text.slice(text.trimEnd().length)
    if (inner === '') return kind === 'insertion' ? text : ''
    changes++
    // Spaces at the end of a line or a cell cannot be marked.
    return `${before}${markUp(kind, inner)}${after}`
  }
  const words = (one: string, other: string): string => {
    if (one === other) return other
    return partsOf(one, other, until)
      .map(({ type: is, text }) => (is === 'same' ? text : mark(is === 'new' ? 'insertion' : 'deletion', text)))
      .join('')
  }
  const merged =
    type === 'table'
      ? byLines(old, fresh, until, (one, other) => mergeRow(one, other, words, mark))
      : type === 'paragraph'
        ? words(unwrapped(old), unwrapped(fresh))
        : byLines(old, fresh, until, (one, other) => mergeLine(one, other, words, mark))
  if (merged === undefined || changes === 0 || Date.now() > until) return undefined
  const { doc } = parseMarkdown(merged)
  if (doc.childCount !== 1 || doc.child(0).type.name !== type) return undefined
  const marked = new Set<string>()
  doc.descendants(({ marks }) => {
    for (const { type: is, attrs } of marks) if (is.name === 'insertion' || is.name === 'deletion') marked.add(attrs.id)
  })
  if (marked.size !== changes) return undefined
  return { node: schema.nodeFromJSON(doc.child(0).toJSON()), source: merged }
}

/** Where a paragraph is wrapped says nothing. */
const unwrapped = (text: string) => text.trimEnd().replace(/(?<! {2}|\\)\n\s*/g, ' ')

function partsOf(old: string, fresh: string, until: number): Part[] {
  const found = compareWords(old, fresh, until).map(
    ({ value, added, removed }): Part => ({ type: added ? 'new' : removed ? 'gone' : 'same', text: value }),
  )
  const common = found.reduce((sum, { type, text }) => sum + (type === 'same' ? text.trim().length : 0), 0)
  if (common < LEAST_COMMON * Math.min(old.length, fresh.length)) return replacing(old, fresh)
  const parts: Part[] = []
  let [gone, added] = ['', '']
  const flush = () => {
    parts.push(...replacing(gone, added))
    gone = ''
    added = ''
  }
  for (const [at, { type, text }] of found.entries()) {
    if (type === 'gone') gone += text
    else if (type === 'new') added += text
    else if ((gone || added) && at < found.length - 1 && text.length <= SHORT) {
      gone += text
      added += text
    } else {
      flush()
      parts.push({ type, text })
    }
  }
  flush()
  return parts
}

/** One text instead of another, without the spaces that both begin or end with. */
function replacing(gone: string, added: string): Part[] {
  if (!gone || !added)
    return [
      ...(gone ? [{ type: 'gone' as const, text: gone }] : []),
      ...(added ? [{ type: 'new' as const, text: added }] : []),
    ]
  return [
    { type: 'same', text: /^\s*/.exec(added)![0] },
    { type: 'gone', text: gone.trim() },
    { type: 'new', text: added.trim() },
    { type: 'same', text: added.slice(added.trimEnd().length) },
  ]
}

type Merge = (old: string | undefined, fresh: string | undefined) => string | undefined
type Mark = (kind: 'insertion' | 'deletion', text: string) => string
type Words = (old: string, fresh: string) => string

/** Merges the lines that differ, each with the one that stands in its place. */
function byLines(old: string, fresh: string, until: number, merge: Merge): string | undefined {
  const linesOf = (text: string) => text.trimEnd().split('\n')
  let lines: string[] = []
  let gone: string[] = []
  const flush = (added: string[]): boolean => {
    for (let at = 0; at < Math.max(gone.length, added.length); at++) {
      const line = merge(gone[at], added[at])
      if (line === undefined) return false
      lines.push(line)
    }
    gone = []
    return true
  }
  for (const { added, removed, value } of compareLists(linesOf(old), linesOf(fresh), until)) {
    if (removed) gone = value
    else if (!flush(added ? value : [])) return undefined
    else if (!added) lines = lines.concat(value)
  }
  return flush([]) ? lines.join('\n') : undefined
}

function mergeLine(old: string | undefined, fresh: string | undefined, words: Words, mark: Mark): string | undefined {
  const sign = MARKER.exec(fresh ?? old ?? '')![0]
  // At the very beginning of an item, a mark would be about the item itself, so something invisible stands before it.
  const start = sign + INVISIBLE
  if (old === undefined) return start + mark('insertion', fresh!.slice(sign.length))
  if (fresh === undefined) return start + mark('deletion', old.slice(sign.length))
  return old.startsWith(sign) && MARKER.exec(old)![0] === sign
    ? start + words(old.slice(sign.length), fresh.slice(sign.length))
    : undefined
}

function mergeRow(old: string | undefined, fresh: string | undefined, words: Words, mark: Mark): string | undefined {
  const cellsOf = (row: string) => row.split(CELLS)
  if (old === undefined || fresh === undefined) {
    const kind = old === undefined ? 'insertion' : 'deletion'
    return cellsOf((fresh ?? old)!)
      .map((cell) => mark(kind, cell))
      .join('|')
  }
  const [before, after] = [cellsOf(old), cellsOf(fresh)]
  if (before.length !== after.length) return undefined
  return after.map((cell, at) => (cell.trim() === before[at]!.trim() ? cell : words(before[at]!, cell))).join('|')
}
