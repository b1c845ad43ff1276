import { type BlockTree, readBlocks } from '../read/read-blocks.ts'
import { findChanges, viewOf } from './changes.ts'
import { type Change, markUp, partsOf } from './critic-markup.ts'
import { project } from './projection.ts'
import { fitToFormatting, type Range, type Replacement, widen } from './widening.ts'

export type SuggestionOutcome =
  | { outcome: 'applied'; source: string; changes: Change[] }
  | { outcome: 'notFound' }
  | { outcome: 'ambiguous'; count: number }
  | { outcome: 'overlapsPending' }

/** The document without its pending insertions, in which suggestions are located, and a mapping back to the source. */
interface Base {
  source: string
  changes: Change[]
  text: string
  tree: BlockTree
  /** The range of each change in `text`. The range of an insertion is empty. */
  pending: Range[]
}

function baseOf(source: string): Base {
  const changes = findChanges(source)
  const text = viewOf(source, changes, 'deletion')
  let removed = 0
  const pending = changes.map((change) => {
    const from = change.from - removed
    const kept = change.kind === 'deletion' ? change.text.length : 0
    removed += change.to - change.from - kept
    return { from, to: from + kept }
  })
  return { source, changes, text, tree: readBlocks(text), pending }
}

function touchesPending(base: Base, range: Range): boolean {
  return base.pending.some(({ from, to }) => from < range.to && to > range.from)
}

/**
 * Records the replacement of `oldText` by `newText` as pending changes `{--old--}{++new++}`. Looks for the text as
 * markdown first, then as rendered text, across formatting and line breaks. Accepting all changes yields the document
 * with the text replaced; rejecting all yields the original document, byte for byte.
 */
export function applySuggestion(
  source: string,
  oldText: string,
  newText: string,
  options: { replaceAll?: boolean } = {},
): SuggestionOutcome {
  if (oldText === '') return source === '' ? insertInto(newText) : { outcome: 'notFound' }
  const base = baseOf(source)
  let found = exactMatches(base, oldText).map((range) => ({ ...range, text: newText }))
  let free = found.filter((match) => !touchesPending(base, match))
  if (free.length === 0) {
    const seen = seenMatches(base, oldText).map((range) => ({ ...range, text: newText }))
    found = [...found, ...seen]
    free = seen.map((match) => fitToFormatting(base.text, base.tree, match))
    free = free.filter((match) => !touchesPending(base, match))
  }
  if (free.length === 0) {
    return { outcome: found.length > 0 || shownWithPending(base, oldText) ? 'overlapsPending' : 'notFound' }
  }
  if (free.length > 1 && !options.replaceAll) return { outcome: 'ambiguous', count: free.length }
  return record(base, free)
}

function insertInto(newText: string): SuggestionOutcome {
  const source = markUp('insertion', newText)
  return { outcome: 'applied', source, changes: findChanges(source) }
}

/** Finds matches that do not overlap. A match that touches a pending change does not hide one that starts inside it. */
function exactMatches(base: Base, wanted: string): Range[] {
  const found: Range[] = []
  for (let from = base.text.indexOf(wanted); from >= 0; ) {
    const range = { from, to: from + wanted.length }
    found.push(range)
    from = base.text.indexOf(wanted, touchesPending(base, range) ? from + 1 : range.to)
  }
  return found
}

function seenMatches(base: Base, oldText: string): Range[] {
  const wanted = project(oldText, readBlocks(oldText)).text.trim()
  if (wanted === '') return []
  const shown = project(base.text, base.tree)
  const found: Range[] = []
  for (let at = shown.text.indexOf(wanted); at >= 0; at = shown.text.indexOf(wanted, at + wanted.length))
    found.push({ from: shown.from[at]!, to: shown.to[at + wanted.length - 1]! })
  return found
}

/** True if the text occurs only with a pending change accepted, or only in the raw markup of a change. */
function shownWithPending(base: Base, oldText: string): boolean {
  if (base.changes.length === 0) return false
  return base.source.includes(oldText) || viewOf(base.source, base.changes, 'insertion').includes(oldText)
}

/** Writes the changes, widening them until they parse back exactly as intended. */
function record(base: Base, matches: Replacement[]): SuggestionOutcome {
  for (let level = 0; level <= 3; level++) {
    const edits = group(base.text, matches, (match) => widen(base.text, base.tree, match, level))
    if (edits.some((edit) => touchesPending(base, edit))) return { outcome: 'overlapsPending' }
    const written = write(base, edits)
    const changes = findChanges(written.source)
    if (sameChanges(changes, written.expected)) {
      const fresh = changes.filter((_, at) => written.expected[at]!.fresh)
      return { outcome: 'applied', source: written.source, changes: fresh }
    }
  }
  return { outcome: 'overlapsPending' }
}

/** Joins matches whose widened ranges overlap into one edit. The text around the matches stays the same. */
function group(text: string, matches: Replacement[], widened: (match: Replacement) => Range): Replacement[] {
  const groups: { range: Range; matches: Replacement[] }[] = []
  for (const match of matches) {
    let joined = { range: widened(match), matches: [match] }
    for (let last = groups.at(-1); last && joined.range.from < last.range.to; last = groups.at(-1)) {
      const from = Math.min(last.range.from, joined.range.from)
      const to = Math.max(last.range.to, joined.range.to)
      joined = { range: { from, to }, matches: [...last.matches, ...joined.matches] }
      groups.pop()
    }
    groups.push(joined)
  }
  return groups.map(({ range, matches: inside }) => {
    const parts: string[] = []
    let pos = range.from
    for (const match of inside) {
      parts.push(text.slice(pos, match.from), match.text)
      pos = match.to
    }
    parts.push(text.slice(pos, range.to))
    return { ...range, text: parts.join('') }
  })
}

interface Expected {
  kind: Change['kind']
  text: string
  from: number
  fresh: boolean
}

/** Edits never touch a pending change, so the source between two edits equals the base text, only shifted. */
function write(base: Base, edits: Replacement[]): { source: string; expected: Expected[] } {
  const parts: string[] = []
  const expected: Expected[] = []
  let length = 0
  let pos = 0
  const add = (text: string) => {
    parts.push(text)
    length += text.length
  }
  const addChanges = (kind: Change['kind'], text: string) => {
    for (const part of partsOf(kind, text)) {
      expected.push({ kind, text: part, from: length, fresh: true })
      add(markUp(kind, part))
    }
  }
  let next = 0
  const addPending = (upTo: number) => {
    for (; next < base.changes.length && base.pending[next]!.from <= upTo && base.pending[next]!.to <= upTo; next++) {
      const change = base.changes[next]!
      add(base.text.slice(pos, base.pending[next]!.from))
      expected.push({ kind: change.kind, text: change.text, from: length, fresh: false })
      add(base.source.slice(change.from, change.to))
      pos = base.pending[next]!.to
    }
  }
  for (const edit of edits) {
    addPending(edit.from)
    add(base.text.slice(pos, edit.from))
    addChanges('deletion', base.text.slice(edit.from, edit.to))
    addChanges('insertion', edit.text)
    pos = edit.to
  }
  addPending(base.text.length)
  add(base.text.slice(pos))
  return { source: parts.join(''), expected }
}

function sameChanges(changes: Change[], expected: Expected[]): boolean {
  return (
    changes.length === expected.length &&
    changes.every((change, at) => {
      const { kind, text, from } = expected[at]!
      return change.kind === kind && change.text === text && change.from === from
    })
  )
}
