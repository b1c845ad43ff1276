import { invalid } from '../kernel/errors.ts'

export interface LineRange {
  start_line?: number | null
  end_line?: number | null
}

/**
 * The lines from `start` to `end`, 1-based and inclusive, with their line ends. Lines end at LF; a final LF starts no
 * further line. What lies past the end is clipped.
 */
export function linesOf(text: string, start: number | undefined, end: number | undefined): string {
  if (start === undefined && end === undefined) return text
  const from = lineOffset(text, (start ?? 1) - 1)
  const to = end === undefined ? text.length : lineOffset(text, end)
  return text.slice(from, to)
}

/** Says so before anything is read: the shape of a request is judged first. */
export function refuseBackwards({ start_line: start, end_line: end }: LineRange): void {
  if (start != null && end != null && start > end)
    throw invalid([{ pointer: '/start_line', detail: `start_line ${start} is after end_line ${end}.` }])
}

/** Where the line after that many line ends begins. */
function lineOffset(text: string, lines: number): number {
  let offset = 0
  for (let passed = 0; passed < lines; passed++) {
    const next = text.indexOf('\n', offset)
    if (next === -1) return text.length
    offset = next + 1
  }
  return offset
}
