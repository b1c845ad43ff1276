import { rest } from '../../kernel/searches/pace.ts'
import type { TimedSearch } from '../../kernel/searches/search-turns.ts'
import { planOf } from './plans.ts'
import { inSearchTurn } from './search-turn.ts'
import { inTime, searchThreads } from './threads.ts'

/** A regular expression for texts that are no documents: the same language, by line, in the same threads. */
export interface Pattern {
  /** A first sieve for PostgreSQL, which lets through all that matches and perhaps some more; undefined for no sieve. */
  postgresPattern: string | undefined
  /** Which of the texts have a line that matches. */
  test(texts: string[]): Promise<boolean[]>
  /** To be called after each step, so that others may come first. Ends when there is but so much time left. */
  rest(leaveMs: number): Promise<void>
  leftMs(): number
}

export function searchTexts<T>(search: TimedSearch, run: (pattern: Pattern) => Promise<T>): Promise<T> {
  const query = { pattern: search.query, caseSensitive: false }
  return inSearchTurn(search, async (time) => {
    const { postgresPattern } = await planOf(query, time)
    return run({
      postgresPattern,
      test: (texts) =>
        inTime(time.leftMs(), (forMs, options) => searchThreads.run('test', { query, forMs, texts }, options)),
      rest: (leaveMs) => rest({ pace: time.pace, leftMs: () => time.leftMs() - leaveMs }),
      leftMs: time.leftMs,
    })
  })
}
