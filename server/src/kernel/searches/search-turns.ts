import { type Db, errorCode } from '../database/index.ts'
import { quoted, unavailable } from '../errors.ts'
import { ThreadCrashError, ThreadDeadlineError } from '../threads/threads.ts'
import { noteSearch, paceOf, type Time } from './pace.ts'
import { createTurns } from './turns.ts'

/** How many searches of one kind run at once on a node; each may hold a connection and a thread. */
export const SEARCHES_AT_ONCE = 2

/** With less time than this, a search that others come before is not begun any more. */
const LEAST_WHEN_HELD_MS = 200

export interface TimedSearch {
  projectId: string
  query: string
  deadlineMs?: number
}

/**
 * Gives a function that waits for a turn, then runs a search that is given up when its time is over. While it waits it
 * holds no connection. `advice` tells a person what to change about a search that took too long.
 */
export function createSearchTurns(advice: string) {
  /** One project can never keep all others from searching. */
  const takeTurn = createTurns({ most: SEARCHES_AT_ONCE, mostOfAKey: SEARCHES_AT_ONCE - 1 })

  return async function inSearchTurn<T>(
    { projectId, query, deadlineMs = 2_000 }: TimedSearch,
    run: (time: Time) => Promise<T>,
  ): Promise<T> {
    const tookTooLong = () =>
      unavailable(
        'search_timeout',
        `The search for ${quoted(query)} took longer than ${deadlineMs / 1000} s and was given up. ${advice}`,
      )
    noteSearch()
    const endsAt = performance.now() + deadlineMs
    const endTurn = await takeTurn(projectId, deadlineMs)
    if (!endTurn) throw tookTooLong()

    const time = { pace: paceOf(projectId), leftMs: () => endsAt - performance.now() }
    if (time.pace.isHeld() && time.leftMs() < LEAST_WHEN_HELD_MS) {
      endTurn()
      throw tookTooLong()
    }

    const running = run(time).then(
      (found) => {
        time.pace.end(false)
        return found
      },
      (err) => {
        time.pace.end(isOutOfTime(err))
        throw isOutOfTime(err) ? tookTooLong() : err
      },
    )
    running.catch(() => undefined).finally(endTurn)
    // PostgreSQL may take a little longer to give up than the caller has to wait.
    return before(running, endsAt, tookTooLong)
  }
}

async function before<T>(promise: Promise<T>, endsAt: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(endsAt - performance.now(), 0))
  })
  return Promise.race([promise, deadline]).finally(() => clearTimeout(timer))
}

/** A thread that a pattern drove out of memory would have taken all of the time as well. */
const isOutOfTime = (err: unknown) =>
  err instanceof ThreadDeadlineError || err instanceof ThreadCrashError || errorCode(err) === '57014'

/**
 * For the rest of the transaction: a search is given up with its deadline, takes no second processor, and is planned for
 * the very words it looks for.
 */
export async function limitStatements(db: Db, timeoutMs: number): Promise<void> {
  await db`select set_config('statement_timeout', ${String(Math.max(Math.ceil(timeoutMs), 1))}, true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`
}
