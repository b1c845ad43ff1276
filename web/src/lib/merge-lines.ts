import { compareLists } from './differences.ts'

/** Lines of the base that one person replaced, and by which. */
interface Edit {
  from: number
  to: number
  lines: string[]
}

function editsOf(base: string[], changed: string[]): Edit[] {
  const edits: Edit[] = []
  let at = 0
  let open: Edit | undefined
  for (const { added, removed, value } of compareLists(base, changed)) {
    if (!added && !removed) open = undefined
    else {
      if (!open) {
        open = { from: at, to: at, lines: [] }
        edits.push(open)
      }
      if (added) open.lines = open.lines.concat(value)
      else open.to += value.length
    }
    if (!added) at += value.length
  }
  return edits
}

const isSame = (a: Edit, b: Edit) => a.from === b.from && a.to === b.to && a.lines.join('\n') === b.lines.join('\n')
/** Neighbouring lines are not the same line. Two insertions at one place are: nobody knows which comes first. */
const meet = (a: Edit, b: Edit) => (a.from < b.to && b.from < a.to) || (a.from === b.from && a.to === b.to)

/**
 * Makes both changes of one text, line by line. Where both changed the same lines, `mine` is taken and `isClean` is false.
 */
export function mergeLines(base: string, mine: string, theirs: string): { text: string; isClean: boolean } {
  const lines = base.split('\n')
  const own = editsOf(lines, mine.split('\n'))
  const others = editsOf(lines, theirs.split('\n')).filter((one) => !own.some((edit) => isSame(edit, one)))
  const kept = others.filter((one) => !own.some((edit) => meet(edit, one)))
  const parts: string[][] = []
  let at = 0
  for (const { from, to, lines: by } of [...own, ...kept].sort((a, b) => a.from - b.from || a.to - b.to)) {
    parts.push(lines.slice(at, from), by)
    at = to
  }
  return { text: [...parts, lines.slice(at)].flat().join('\n'), isClean: kept.length === others.length }
}
