import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatchHunk, structuredPatch } from 'diff'

/** Limits the cost of a diff, which grows with the square of the number of edits. */
const MAX_EDITS = 1_000
const CONTEXT = 4

export interface Comparison {
  title: string
  source: string
  target: string
  sourceName: string
  targetName: string
}

/**
 * Returns the unified diff of two texts. If they differ in too many lines, one hunk replaces everything between the
 * first and the last difference.
 */
export function unifiedDiff({ title, source, target, sourceName, targetName }: Comparison): string {
  const limits = { context: CONTEXT, maxEditLength: MAX_EDITS }
  const patch = structuredPatch(title, title, source, target, sourceName, targetName, limits) ?? {
    oldFileName: title,
    newFileName: title,
    oldHeader: sourceName,
    newHeader: targetName,
    hunks: [replacement(source, target)],
  }
  return formatPatch(patch, FILE_HEADERS_ONLY)
}

/** Removes and adds everything between the first and the last line that differ. */
function replacement(source: string, target: string): StructuredPatchHunk {
  const [old, now] = [withLineEnds(source), withLineEnds(target)]
  const shorter = Math.min(old.length, now.length)
  let head = 0
  while (head < shorter && old[head] === now[head]) head++
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const start = Math.max(head - CONTEXT, 0)
  const after = Math.min(tail, CONTEXT)
  const [oldEnd, newEnd] = [old.length - tail, now.length - tail]
  const lines = [
    ...old.slice(start, head).map((line) => ` ${line}`),
    ...old.slice(head, oldEnd).map((line) => `-${line}`),
    ...now.slice(head, newEnd).map((line) => `+${line}`),
    ...old.slice(oldEnd, oldEnd + after).map((line) => ` ${line}`),
  ]
  return {
    oldStart: start + 1,
    oldLines: oldEnd + after - start,
    newStart: start + 1,
    newLines: newEnd + after - start,
    lines: lines.flatMap((line) =>
      line.endsWith('\n') ? [line.slice(0, -1)] : [line, '\\ No newline at end of file'],
    ),
  }
}

const withLineEnds = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []
