import { diffArrays } from 'diff'

export interface Edit {
  from: number
  to: number
  text: string
}

/** Comparing longer blocks would take too long. They are written in our notation. */
export const MAX_CHARACTERS = 20_000

/**
 * Applies an edit to a block as its author wrote it: `own` is how we would write the old block, `fresh` how we would
 * write the new one. Returns undefined if the edit and the author's notation meet.
 */
export function keepNotation(written: string, own: string, fresh: string): string | undefined {
  if (written === own) return fresh
  if (written.length + own.length + fresh.length > MAX_CHARACTERS) return undefined
  const isLineEnd = ({ from }: Edit) => from === own.length || own[from] === '\n'
  const typed = editsOf(own, fresh)
  // A space of the author at the end of a line stays behind the edit, any other before it.
  const order = (edit: Edit) => (typed.includes(edit) === isLineEnd(edit) ? 0 : 1)
  const edits = [...typed, ...editsOf(own, written)].sort(
    (a, b) => a.from - b.from || a.to - b.to || order(a) - order(b),
  )
  const parts: string[] = []
  let pos = 0
  for (const { from, to, text } of edits) {
    if (from < pos) return undefined
    parts.push(own.slice(pos, from), text)
    pos = to
  }
  return parts.join('') + own.slice(pos)
}

const TOKENS = /[\p{L}\p{N}]+|\s|[^\p{L}\p{N}\s]/gu

export function editsOf(before: string, after: string): Edit[] {
  const edits: Edit[] = []
  let pos = 0
  let open: Edit | undefined
  for (const { value, added, removed } of diffArrays(before.match(TOKENS) ?? [], after.match(TOKENS) ?? [])) {
    const text = value.join('')
    if (!added && !removed) {
      pos += text.length
      open = undefined
      continue
    }
    if (!open) {
      open = { from: pos, to: pos, text: '' }
      edits.push(open)
    }
    if (added) open.text += text
    else {
      pos += text.length
      open.to = pos
    }
  }
  return edits
}
