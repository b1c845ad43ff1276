import { errorCode } from '../../kernel/database.ts'
import { ThreadCrashError, ThreadDeadlineError } from '../../kernel/threads.ts'
import { noteSearch, paceOf, type Time } from './pace.ts'
import { tookTooLong } from './refusals.ts'
import { SEARCHES_AT_ONCE } from './threads.ts'
import { createTurns } from './turns.ts'

/** One project can never keep all others from searching. */
const takeTurn = createTurns({ most: SEARCHES_AT_ONCE, mostOfAKey: SEARCHES_AT_ONCE - 1 })

/** With less time than this, a search that others come before is not begun any more. */
const LEAST_WHEN_HELD_MS = 200

export interface TimedSearch {
  projectId: string
  query: string
  deadlineMs?: number
}

/** Waits for a turn, then runs a search that is given up when its time is over. */
export async function inSearchTurn<T>(
  { projectId, query, deadlineMs = 2_000 }: TimedSearch,
  run: (time: Time) => Promise<T>,
): Promise<T> {
  noteSearch()
  const endsAt = performance.now() + deadlineMs
  const endTurn = await takeTurn(projectId, deadlineMs)
  if (!endTurn) throw tookTooLong(query, deadlineMs)

  const time = { pace: paceOf(projectId), leftMs: () => endsAt - performance.now() }
  if (time.pace.isHeld() && time.leftMs() < LEAST_WHEN_HELD_MS) {
    endTurn()
    throw tookTooLong(query, deadlineMs)
  }

  const running = run(time).then(
    (found) => {
      time.pace.end(false)
      return found
    },
    (err) => {
      time.pace.end(isOutOfTime(err))
      throw isOutOfTime(err) ? tookTooLong(query, deadlineMs) : err
    },
  )
  running.catch(() => undefined).finally(endTurn)
  // PostgreSQL may take a little longer to give up than the caller has to wait.
  return before(running, endsAt, () => tookTooLong(query, deadlineMs))
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
