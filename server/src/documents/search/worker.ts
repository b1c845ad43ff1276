import * as rregex from 'rregex'
import { toPostgresPattern } from './postgres-pattern.ts'
import { signatureOf } from './signature.ts'
import { readSyntax } from './syntax.ts'
import { type Condition, requiredTrigrams } from './trigrams.ts'

const { RRegex } = rregex
// Exported by the package, but not declared.
const { memory } = (rregex as unknown as { __wasm: { memory: { buffer: ArrayBuffer } } }).__wasm

/** The parts of a search that take processor time. They run in threads of their own, see `threads.ts`. */

export interface Query {
  pattern: string
  caseSensitive: boolean
}

/** How PostgreSQL can narrow the search down. Either part may say nothing. */
export interface Plan {
  postgresPattern: string | undefined
  trigrams: Condition
}

/** `from` and `to` are characters of the pattern, counted from 1, when the place is known. */
export interface Refusal {
  reason: string
  from?: number
  to?: number
}

interface Compiled {
  regex: rregex.RRegex
  plan: Plan
  isBoundToText: boolean
}

/** A search comes with several tasks for the same pattern, and people refine and repeat their searches. */
const KEPT = 4
const compiled = new Map<string, Compiled | Refusal>()

export function plan(query: Query): Plan | Refusal {
  const found = compile(query)
  return 'plan' in found ? found.plan : found
}

/** Tasks that look through texts give up by themselves, with undefined, when their time is over. */
interface Timed {
  query: Query
  forMs: number
}

/** Which titles match, and the numbers of the lines that match in the contents. */
export function mark({ query, forMs, documents }: Timed & { documents: { title: string; content: string }[] }) {
  return inTime(query, forMs, (found, endsAt) =>
    documents.map(({ title, content }) => ({
      isTitleMatch: found.regex.isMatch(title),
      lineNumbers: matchingLines(found, content, endsAt),
    })),
  )
}

/** Which of the texts have a line that matches. */
export function test({ query, forMs, texts }: Timed & { texts: string[] }): boolean[] | undefined {
  return inTime(query, forMs, (found, endsAt) => texts.map((text) => matchingLines(found, text, endsAt, 1).length > 0))
}

const OUT_OF_TIME = Symbol('out of time')

function inTime<T>(query: Query, forMs: number, run: (found: Compiled, endsAt: number) => T): T | undefined {
  const endsAt = performance.now() + forMs
  const found = compile(query)
  if (!('regex' in found)) throw new Error(found.reason)
  try {
    return run(found, endsAt)
  } catch (err) {
    if (err !== OUT_OF_TIME) throw err
    return undefined
  }
}

export function sign(contents: string[]): string[] {
  return contents.map((content) => Buffer.from(signatureOf(content)).toString('hex'))
}

/** The memory that a large pattern took is never given back. */
export function isWornOut(): boolean {
  return memory.buffer.byteLength > 96 * 2 ** 20
}

/**
 * Each line is tested on its own, without its line feed: that is what "by line" means, also for `\s` and `[^a]`, which
 * could match a line feed. A match in a line is a match in the whole text too, which is the faster test to begin with.
 */
function matchingLines(
  { regex, isBoundToText }: Compiled,
  content: string,
  endsAt: number,
  most = Number.POSITIVE_INFINITY,
): number[] {
  const numbers: number[] = []
  if (performance.now() > endsAt) throw OUT_OF_TIME
  if (!isBoundToText && !regex.isMatch(content)) return numbers
  for (let start = 0, number = 1; start < content.length && numbers.length < most; number++) {
    if (performance.now() > endsAt) throw OUT_OF_TIME
    const feed = content.indexOf('\n', start)
    const end = feed === -1 ? content.length : feed
    if (regex.isMatch(content.slice(start, end))) numbers.push(number)
    start = end + 1
  }
  return numbers
}

function compile(query: Query): Compiled | Refusal {
  const key = `${query.caseSensitive ? 's' : 'i'}${query.pattern}`
  const known = compiled.get(key)
  if (known) return known
  const made = compileNew(query)
  compiled.set(key, made)
  for (const [oldest, value] of compiled) {
    if (compiled.size <= KEPT) break
    compiled.delete(oldest)
    if ('regex' in value) value.regex.free()
  }
  return made
}

function compileNew({ pattern, caseSensitive }: Query): Compiled | Refusal {
  let regex: rregex.RRegex
  try {
    regex = new RRegex(`${caseSensitive ? '(?m)' : '(?im)'}${pattern}`)
  } catch {
    return refusalOf(pattern)
  }
  if (isLargeTree(pattern)) return { regex, plan: { postgresPattern: undefined, trigrams: true }, isBoundToText: true }
  const { syntax, isBoundToText, hasLineFeed } = readSyntax(regex)
  if (hasLineFeed) return { reason: 'it asks for a line feed, but lines are matched one by one and have none' }
  return {
    regex,
    plan: { postgresPattern: toPostgresPattern(syntax), trigrams: requiredTrigrams(syntax) },
    isBoundToText,
  }
}

/** Each of these stands for hundreds of ranges, and the tree of a thousand of them would take seconds to read. */
function isLargeTree(pattern: string): boolean {
  return (pattern.match(/\\[wWpP]/g)?.length ?? 0) > 40
}

/** Compiled once more, without our flags before it, so that the place is counted in what the client wrote. */
function refusalOf(pattern: string): Refusal {
  try {
    new RRegex(pattern).free()
    return { reason: 'it is too large once compiled: use smaller repetitions' }
  } catch (err) {
    const message = err instanceof Error ? err.message : String(err)
    const reason = /^error: (.*)$/m.exec(message)?.[1]
    if (!reason) return { reason: 'it is too large once compiled: use smaller repetitions' }
    const marked = /\n {4}( *)(\^+)(?: +\^+)*\nerror: /.exec(message)
    if (!marked) return { reason }
    const from = marked[1]!.length + 1
    return { reason, from, to: from + marked[2]!.length - 1 }
  }
}
