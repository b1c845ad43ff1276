import { setTimeout as delay } from 'node:timers/promises'
import { type Db, errorCode } from '../database/index.ts'
import { quoted, unavailable } from '../errors.ts'
import { createShares } from '../turns.ts'

/** How many searches of one kind run at once on a node. */
const SEARCHES_AT_ONCE = 2

/**
 * A search that runs for `SLOW_MS` or longer and then times out pauses its project: for `PAUSE_TIMES` as long, this
 * node refuses the project's searches with 503 and `Retry-After`. `bench/search/attack.mjs` measures both.
 */
const SLOW_MS = 1_000
const PAUSE_TIMES = 10
/** Delays a refusal, so that a client that retries in a loop takes less of the processor than a search. */
const REFUSED_AFTER_MS = 1_000

export interface TimedSearch {
  projectId: string
  query: string
  deadlineMs?: number
}

/** Tells how much time a search has left. */
export interface Deadline {
  leftMs(): number
}

/** Thrown by a search that gives up. `ranMs` excludes the time that it waited for its turn. */
export class SearchTimeout extends Error {
  override readonly name = 'SearchTimeout'
  readonly ranMs: number
  constructor(ranMs: number) {
    super('The search is out of time.')
    this.ranMs = ranMs
  }
}

/**
 * Returns a function that waits for a turn and runs a search with a deadline. A search that waits holds no connection.
 * `prepare` runs before the search, within the deadline but without a turn, and continues after the deadline. `advice`
 * tells the user how to change a search that took too long.
 */
export function createSearchQueue(advice: string) {
  /** Leaves a turn for other projects. */
  const shares = createShares({ total: SEARCHES_AT_ONCE, perProject: SEARCHES_AT_ONCE - 1 })
  /** The time at which the pause of each project ends. */
  const pauses = new Map<string, number>()

  const isPaused = (projectId: string) => (pauses.get(projectId) ?? 0) > performance.now()

  async function refuse(projectId: string, query: string, withinMs: number): Promise<never> {
    await delay(Math.min(REFUSED_AFTER_MS, Math.max(withinMs, 0)))
    const leftMs = Math.max((pauses.get(projectId) ?? 0) - performance.now(), 1)
    const detail = `${quoted(query)} was not searched for, because a search of this project took too long before. ${advice}`
    throw unavailable('search_timeout', detail, Math.ceil(leftMs / 1000))
  }

  function pause(projectId: string, { ranMs }: SearchTimeout): void {
    if (ranMs < SLOW_MS) return
    const now = performance.now()
    for (const [other, until] of pauses) if (until <= now) pauses.delete(other)
    pauses.set(projectId, now + PAUSE_TIMES * ranMs)
  }

  return async function runSearch<T>(
    { projectId, query, deadlineMs = 2_000 }: TimedSearch,
    run: (deadline: Deadline) => Promise<T>,
    prepare?: () => Promise<unknown>,
  ): Promise<T> {
    const tookTooLong = () =>
      unavailable(
        'search_timeout',
        `The search for ${quoted(query)} took longer than ${deadlineMs / 1000} s and was given up. ${advice}`,
      )
    const endsAt = performance.now() + deadlineMs
    const leftMs = () => endsAt - performance.now()
    if (isPaused(projectId)) await refuse(projectId, query, leftMs())
    if (prepare) await withDeadline(prepare(), endsAt, tookTooLong)
    if ((await shares.enter(projectId, Math.max(leftMs(), 0))) === false) throw tookTooLong()
    if (isPaused(projectId)) {
      shares.leave(projectId)
      await refuse(projectId, query, leftMs())
    }

    const running = run({ leftMs })
      .catch((err) => {
        if (err instanceof SearchTimeout) pause(projectId, err)
        throw err instanceof SearchTimeout || errorCode(err) === '57014' ? tookTooLong() : err
      })
      .finally(() => shares.leave(projectId))
    // PostgreSQL may cancel the statement a little after the deadline. The caller does not wait for that.
    return withDeadline(running, endsAt, tookTooLong)
  }
}

async function withDeadline<T>(promise: Promise<T>, endsAt: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(endsAt - performance.now(), 0))
  })
  return Promise.race([promise, deadline]).finally(() => clearTimeout(timer))
}

/**
 * Applies to the rest of the transaction: statements end at the deadline, use one processor, and are planned for their
 * actual parameters.
 */
export async function limitStatements(db: Db, timeoutMs: number): Promise<void> {
  await db`select set_config('statement_timeout', ${String(Math.max(Math.ceil(timeoutMs), 1))}, true),
    set_config('max_parallel_workers_per_gather', '0', true), set_config('jit', 'off', true),
    set_config('plan_cache_mode', 'force_custom_plan', true)`
}
