import { diffArrays } from 'diff'

interface Line {
  text: string
  isChanged: boolean
}

/** Texts that have little in common take long to compare. Then all of their lines are marked. */
const TIMEOUT_MS = 500

/** Marks the lines that only one of two texts has. */
export function changedLines(before: string, after: string): { before: Line[]; after: Line[] } {
  const lines = { before: before.split('\n'), after: after.split('\n') }
  const marked = (side: string[], isChanged: boolean) => side.map((text) => ({ text, isChanged }))
  const parts = diffArrays(lines.before, lines.after, { timeout: TIMEOUT_MS })
  if (!parts) return { before: marked(lines.before, true), after: marked(lines.after, true) }
  return {
    before: parts.flatMap(({ added, removed, value }) => (added ? [] : marked(value, removed))),
    after: parts.flatMap(({ added, removed, value }) => (removed ? [] : marked(value, added))),
  }
}
