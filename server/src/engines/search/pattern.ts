/** A regular expression in ripgrep's syntax. */
export interface Query {
  pattern: string
  caseSensitive: boolean
}

/**
 * Explains why a pattern is refused. `from` and `to` are 1-based character positions in the pattern, if they are known.
 */
export interface Refusal {
  reason: string
  from?: number
  to?: number
}

/** ripgrep wraps each pattern in a group. */
const WRAPPED_BY = '(?:'.length

/** In verbose mode, a comment at the end of the pattern hides the end of ripgrep's group. */
const hasVerboseMode = (pattern: string) => /\(\?[a-zA-Z]*x/.test(pattern)

/**
 * Returns the pattern in the forms to try. A line feed ends a comment at the end of the pattern. If verbose mode is off
 * at the end, ripgrep refuses the line feed.
 */
export const formsOf = (pattern: string): string[] => (hasVerboseMode(pattern) ? [pattern, `${pattern}\n`] : [pattern])

/**
 * Finds an unbalanced parenthesis, which ripgrep's group would hide or pair with its own. In verbose mode a parenthesis
 * can be part of a comment, so only ripgrep decides.
 */
export function findUnbalanced(pattern: string): Refusal | undefined {
  if (hasVerboseMode(pattern)) return undefined
  const open: number[] = []
  let classes = 0
  const characters = [...pattern]
  for (let at = 0; at < characters.length; at++) {
    const one = characters[at]
    if (one === '\\') at++
    else if (one === '[') {
      classes++
      if (characters[at + 1] === '^') at++
      // A bracket at the start of a class is an ordinary character.
      if (characters[at + 1] === ']') at++
    } else if (classes > 0) classes -= one === ']' ? 1 : 0
    else if (one === '(') open.push(at + 1)
    else if (one === ')' && open.pop() === undefined) return { reason: 'unopened group', from: at + 1, to: at + 1 }
  }
  const last = open.at(-1)
  return last === undefined || classes > 0 ? undefined : { reason: 'unclosed group', from: last, to: last }
}

/** Parses ripgrep's error message about a pattern. Returns undefined for an error of another kind. */
export function readRefusal(message: string): Refusal | undefined {
  if (message.includes('is not allowed in a regex'))
    return { reason: 'it asks for a line feed, but lines are matched one by one and have none' }
  if (message.includes('exceeds size limit') || message.includes('regex too big'))
    return { reason: 'it is too large once compiled: use smaller repetitions' }
  const reason = /^error: (.*)$/m.exec(message)?.[1]
  if (!message.includes('regex parse error') || !reason) return undefined
  const marked = /\n {4}( *)(\^+)(?: +\^+)*\nerror: /.exec(message)
  const from = marked ? marked[1]!.length + 1 - WRAPPED_BY : 0
  return from < 1 ? { reason } : { reason, from, to: from + marked![2]!.length - 1 }
}
