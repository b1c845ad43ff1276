import { type Fault, findClosableFault } from './validate.ts'

/** Each closing reads the text again. */
const MOST_CLOSED = 100

export interface Closed {
  text: string
  /** What was open. */
  closed: Fault[]
  /** What cannot be closed. Then the text is the given one. */
  fault: Fault | undefined
}

/** Closes the code blocks, comments and raw-text elements that a text leaves open, where their block ends. */
export function closeOpen(source: string): Closed {
  const closed: Fault[] = []
  /** The lines, in the text so far, of the blocks that got a line more. */
  const grown: number[] = []
  for (let text = source; ; ) {
    const found = findClosableFault(text)
    if (!found) return { text, closed, fault: undefined }
    const { closing, reason } = found
    const line = found.line - grown.filter((one) => one < found.line).length
    const isStuck = closed.some((one) => one.line === line && one.reason === reason)
    if (!closing || isStuck || closed.length === MOST_CLOSED)
      return { text: source, closed: [], fault: closed[0] ?? { line, reason } }
    closed.push({ line, reason })
    if (closing.text.startsWith('\n')) grown.push(found.line)
    text = `${text.slice(0, closing.at)}${closing.text}${text.slice(closing.at)}`
  }
}
