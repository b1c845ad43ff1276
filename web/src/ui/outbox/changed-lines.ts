import { compareLists } from '../../lib/differences.ts'

interface Line {
  text: string
  isChanged: boolean
}

/** Marks the lines that only one of two texts has. */
export function changedLines(before: string, after: string): { before: Line[]; after: Line[] } {
  const lines = { before: before.split('\n'), after: after.split('\n') }
  const marked = (side: string[], isChanged: boolean) => side.map((text) => ({ text, isChanged }))
  const parts = compareLists(lines.before, lines.after)
  return {
    before: parts.flatMap(({ added, removed, value }) => (added ? [] : marked(value, removed))),
    after: parts.flatMap(({ added, removed, value }) => (removed ? [] : marked(value, added))),
  }
}
