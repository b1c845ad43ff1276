/** Long lines are shown and marked only near their beginning or first match. */
export const MAX_LINE = 400

/**
 * The expression as the browser understands it, to mark what matched. The server has found the lines in linear time; the
 * browser backtracks, so an expression that could take it long is not marked. Undefined also for what only the server
 * understands.
 */
export function browserPattern(pattern: string, caseSensitive: boolean): RegExp | undefined {
  if (pattern === '' || !isQuick(pattern)) return undefined
  try {
    return new RegExp(pattern, caseSensitive ? 'gu' : 'giu')
  } catch {
    return undefined
  }
}

const MAX_REPEATS = 3

/** True if no repeated group repeats or chooses within itself, and little else repeats without end. */
function isQuick(pattern: string): boolean {
  const plain = pattern.replace(/\\./gs, 'x').replace(/\[\^?\]?[^\]]*\]/g, 'x')
  const groups = [{ varies: false }]
  let repeats = 0
  for (let at = 0; at < plain.length; at++) {
    const char = plain[at]!
    if (char === '(') groups.push({ varies: false })
    else if (char === '|') groups.at(-1)!.varies = true
    else if (char === ')') {
      if (groups.length === 1) return false
      const { varies } = groups.pop()!
      const repeated = /^[*+{]/.test(plain.slice(at + 1))
      if (varies && repeated) return false
      if (varies || repeated) groups.at(-1)!.varies = true
    } else if (/[*+{]/.test(char)) {
      groups.at(-1)!.varies = true
      repeats++
    }
  }
  return repeats <= MAX_REPEATS
}

export interface Piece {
  text: string
  isMatch: boolean
}

/** Splits a line into what matches and what stands between. */
export function piecesOf(text: string, pattern: RegExp | undefined): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  const add = (to: number, isMatch: boolean) => {
    if (to > from) pieces.push({ text: text.slice(from, to), isMatch })
    from = to
  }
  for (const found of pattern ? text.matchAll(pattern) : []) {
    add(found.index, false)
    add(found.index + found[0].length, true)
  }
  add(text.length, false)
  return pieces
}

/** The part of a long line that is worth showing. */
export function shownPart(line: string, pattern: RegExp | undefined): string {
  if (line.length <= MAX_LINE) return line
  const start = line.slice(0, MAX_LINE * 20)
  const at = pattern ? Math.max(0, start.search(pattern) - 60) : 0
  return `${at > 0 ? '…' : ''}${line.slice(at, at + MAX_LINE)}…`
}
