import { findChanges, rejectedView } from '../suggestions/changes.ts'
import { keptRanges } from '../suggestions/rejection.ts'
import { type Edit, editsOf, MAX_CHARACTERS } from './keep-notation.ts'

/**
 * Changes the notation of a block with suggestions so that rejecting them gives `rejected`, the bytes from before.
 * Returns undefined if that fails. The result may say something else than the block.
 */
export function keepRejected(fresh: string, rejected: string): string | undefined {
  if (fresh.length + rejected.length > MAX_CHARACTERS) return undefined
  const changes = findChanges(fresh)
  const ranges = keptRanges(fresh, changes)
  const own = ranges.map(({ from, to }) => fresh.slice(from, to)).join('')
  /** Where each character of our own notation is in the text with the suggestions. */
  const places = ranges.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at))
  places.push(fresh.length)
  const ends = new Map(changes.map(({ textTo, to }) => [textTo, to]))
  const placeOf = ({ from }: Edit) => {
    // A space of the author at the end of a line stays behind what is added there, any other before it.
    if (from === 0 || own[from] === '\n' || from === own.length) return places[from]!
    const after = places[from - 1]! + 1
    return ends.get(after) ?? after
  }
  const parts: { from: number; to: number; text: string }[] = editsOf(own, rejected).flatMap((edit) => [
    ...(edit.text ? [{ from: placeOf(edit), to: placeOf(edit), text: edit.text }] : []),
    ...places.slice(edit.from, edit.to).map((at) => ({ from: at, to: at + 1, text: '' })),
  ])
  parts.sort((a, b) => a.from - b.from || a.to - b.to)
  let written = ''
  let pos = 0
  for (const { from, to, text } of parts) {
    written += fresh.slice(pos, from) + text
    pos = to
  }
  written += fresh.slice(pos)
  return rejectedView(written) === rejected ? written : undefined
}
