/** A regular expression in ripgrep's syntax. */
export interface Query {
  pattern: string
  caseSensitive: boolean
}

/** Why a pattern is refused. `from` and `to` are characters of the pattern, counted from 1, when the place is known. */
export interface Refusal {
  reason: string
  from?: number
  to?: number
}

/** ripgrep puts each pattern into a group of its own. */
const WRAPPED_BY = '(?:'.length

/** In verbose mode a comment at the end of the pattern would swallow the end of ripgrep's group. */
const hasVerboseMode = (pattern: string) => /\(\?[a-zA-Z]*x/.test(pattern)

/**
 * The same pattern in the forms to try, one after the other. The line feed ends a comment at the end of the pattern; where
 * no verbose mode reaches the end, ripgrep refuses it.
 */
export const formsOf = (pattern: string): string[] => (hasVerboseMode(pattern) ? [pattern, `${pattern}\n`] : [pattern])

/**
 * A parenthesis without its partner, which ripgrep's own group would hide or take for its own. In verbose mode a
 * parenthesis may be part of a comment, so ripgrep alone decides.
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
      // First in a class, it is an ordinary character.
      if (characters[at + 1] === ']') at++
    } else if (classes > 0) classes -= one === ']' ? 1 : 0
    else if (one === '(') open.push(at + 1)
    else if (one === ')' && open.pop() === undefined) return { reason: 'unopened group', from: at + 1, to: at + 1 }
  }
  const last = open.at(-1)
  return last === undefined || classes > 0 ? undefined : { reason: 'unclosed group', from: last, to: last }
}

/** What ripgrep says about a pattern that it does not take; undefined when it complains of something else. */
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
