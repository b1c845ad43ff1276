import { inSearchTurn, type TimedSearch } from './deadline.ts'
import { invalidRegex } from './refusals.ts'
import { inTime, searchThreads } from './threads.ts'

/** A regular expression for texts that are no documents: the same language, by line, in the same threads. */
export interface Pattern {
  /** A first sieve for PostgreSQL, which lets through all that matches and perhaps some more; undefined for no sieve. */
  postgresPattern: string | undefined
  /** Which of the texts have a line that matches. */
  test(texts: string[]): Promise<boolean[]>
  leftMs(): number
}

export function searchTexts<T>(search: TimedSearch, run: (pattern: Pattern) => Promise<T>): Promise<T> {
  const query = { pattern: search.query, caseSensitive: false }
  return inSearchTurn(search, async (leftMs) => {
    const planned = await searchThreads.run('plan', query, { deadlineMs: leftMs() })
    if ('refusal' in planned) throw invalidRegex(search.query, planned.refusal)
    return run({
      postgresPattern: planned.plan.postgresPattern,
      test: (texts) =>
        inTime(leftMs(), (forMs, options) => searchThreads.run('test', { query, forMs, texts }, options)),
      leftMs,
    })
  })
}
