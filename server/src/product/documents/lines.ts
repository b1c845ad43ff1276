import { invalid } from '../../kernel/errors.ts'

export interface LineRange {
  start_line?: number | null
  end_line?: number | null
}

/**
 * Returns the lines from `start` to `end`, 1-based and inclusive, with their line ends. A line ends at LF, and a final
 * LF does not start another line. Lines past the end are left out.
 */
export function linesOf(text: string, start: number | undefined, end: number | undefined): string {
  if (start === undefined && end === undefined) return text
  const from = lineOffset(text, (start ?? 1) - 1)
  const to = end === undefined ? text.length : lineOffset(text, end)
  return text.slice(from, to)
}

/** Called before the document is read, because the request itself is validated first. */
export function refuseBackwards({ start_line: start, end_line: end }: LineRange): void {
  if (start != null && end != null && start > end)
    throw invalid([{ pointer: '/start_line', detail: `start_line ${start} is after end_line ${end}.` }])
}

/** Returns the offset of the line that follows the first `lines` lines. */
function lineOffset(text: string, lines: number): number {
  let offset = 0
  for (let passed = 0; passed < lines; passed++) {
    const next = text.indexOf('\n', offset)
    if (next === -1) return text.length
    offset = next + 1
  }
  return offset
}
