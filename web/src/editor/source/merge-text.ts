import { compareLists } from '../../lib/differences.ts'
import { mergeLines } from '../../lib/merge-lines.ts'

/** Applies what changed between `base` and `mine` to `theirs`. Undefined if both changed the same lines. */
export function mergeText(base: string, mine: string, theirs: string): string | undefined {
  const { text, isClean } = mergeLines(base, mine, theirs)
  return isClean ? text : undefined
}

const LINES = /[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g
const bare = (line: string) => line.replace(/[\r\n]{1,2}$/, '')

/**
 * A text field knows only LF. Gives unchanged lines the endings that they had, and new ones the ending of the first
 * line.
 */
export function restoreEndings(source: string, edited: string): string {
  if (!source.includes('\r')) return edited
  const old = source.match(LINES) ?? []
  const fresh = edited.match(LINES) ?? []
  const ending = /[\r\n]{1,2}$/.exec(old[0] ?? '')?.[0] ?? '\n'
  const lines: string[] = []
  let at = 0
  let freshAt = 0
  for (const { added, removed, count } of compareLists(old.map(bare), fresh.map(bare))) {
    if (removed) at += count
    else
      for (let step = 0; step < count; step++) {
        const line = fresh[freshAt++]!
        if (added) lines.push(line.endsWith('\n') ? bare(line) + ending : line)
        else {
          const before = old[at++]!
          lines.push(line.endsWith('\n') === /[\r\n]$/.test(before) ? before : line.replace('\n', ending))
        }
      }
  }
  return lines.join('')
}
