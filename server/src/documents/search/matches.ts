export interface Match {
  line_number: number
  line: string
  before_context: string[]
  after_context: string[]
}

/** Lines end at LF; a final LF starts no further line; an empty text has no lines. */
export function linesOf(content: string): string[] {
  const lines = content.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** How much text the matches of these lines carry, before it is made: context repeats lines. */
export function sizeOfMatches(lines: string[], lineNumbers: number[], contextLines: number): number {
  let size = 0
  for (const number of lineNumbers)
    for (let at = Math.max(number - 1 - contextLines, 0); at < Math.min(number + contextLines, lines.length); at++)
      size += lines[at]!.length + PER_LINE
  return size
}

/** What an empty line costs in an answer: quotes and a comma, and its place in memory. */
const PER_LINE = 8

export function matchesOf(lines: string[], lineNumbers: number[], contextLines: number): Match[] {
  return lineNumbers.map((number) => ({
    line_number: number,
    line: lines[number - 1]!,
    before_context: lines.slice(Math.max(number - 1 - contextLines, 0), number - 1),
    after_context: lines.slice(number, number + contextLines),
  }))
}
