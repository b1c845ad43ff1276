import { setTimeout as delay } from 'node:timers/promises'
import { type Db, forProject, isDatabaseAway, listen } from '../../../kernel/database/index.ts'
import type { Background, BackgroundDeps, JobDeps } from '../../../kernel/slice.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { readClock } from '../queries.ts'
import { failedOutcome, type RunOutcome } from '../runs/run.ts'
import { automationSettings } from '../settings.ts'
import { CHANNEL, cancelledRunIn } from '../wake-queries.ts'
import { failAbandonedRuns } from './abandoned-runs.ts'
import { finishRun } from './claims.ts'
import { type ClaimedRun, claimRun, findNextDue, renewLeases } from './queries.ts'
import { fireDueSchedules } from './ticks.ts'

export type Execute = (deps: JobDeps, claimed: ClaimedRun, signal: AbortSignal) => Promise<RunOutcome>

interface DispatchOptions {
  execute: Execute
  /** Only tests replace the database's clock. */
  clock?: (db: Db) => Promise<Date>
  leaseMs?: number
  /** The longest sleep. Messages end it earlier, but can be lost while the database is away. */
  idleMs?: number
}

export interface Dispatcher extends Background {
  wake(): void
}

interface Running {
  claimed: ClaimedRun
  abort: AbortController
  done: Promise<void>
}

const CANCELLED = 'cancelled'
const STOPPED = 'stopped'
const LOST = 'lost'
const ABORT_GRACE_MS = 3_000

/**
 * The loop of one node: it fires schedules, claims waiting runs, renews its leases and fails the runs of dead nodes.
 */
export function startDispatcher(deps: BackgroundDeps, options: DispatchOptions): Dispatcher {
  const { execute, clock = readClock, leaseMs = 30_000, idleMs = 5_000 } = options
  const { db, log } = deps
  const concurrency = deps.wiring.settings.of(automationSettings).runsAtOnce
  const nodeId = uuidv7()
  const running = new Map<string, Running>()
  let stopping = false
  let awake = false
  let wakeSleeper: () => void = () => undefined

  const wake = () => {
    awake = true
    wakeSleeper()
  }

  async function sleep(ms: number): Promise<void> {
    if (!awake && !stopping)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms)
        wakeSleeper = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    awake = false
  }

  const heard = (message: string) => {
    const runId = cancelledRunIn(message)
    if (runId === undefined) wake()
    else running.get(runId)?.abort.abort(CANCELLED)
  }

  function begin(claimed: ClaimedRun): void {
    const abort = new AbortController()
    const done = settle(claimed, abort).finally(() => {
      running.delete(claimed.run.id)
      wake()
    })
    running.set(claimed.run.id, { claimed, abort, done })
  }

  async function settle(claimed: ClaimedRun, { signal }: AbortController): Promise<void> {
    const inProject = { ...deps, db: forProject(db, claimed.projectId) }
    const outcome = await execute(inProject, claimed, signal).catch((err: Error) => {
      log.error({ err, run_id: claimed.run.id }, 'an automation run broke')
      return failedOutcome(`Something went wrong on the server: ${err.message}`)
    })
    if (signal.reason === LOST) return
    try {
      await finishRun(deps, nodeId, claimed, judged(outcome, signal))
    } catch (err) {
      // Its lease expires, and another node fails it.
      log.error({ err, run_id: claimed.run.id }, 'the outcome of an automation run could not be stored')
    }
  }

  async function keepLeases(): Promise<void> {
    if (running.size === 0) return
    const kept = await renewLeases(db, nodeId, [...running.keys()], leaseMs)
    const mine = new Map(kept.map((one) => [one.id, one.cancelRequested]))
    for (const [id, { abort }] of running) {
      if (mine.get(id) === undefined) abort.abort(LOST)
      else if (mine.get(id)) abort.abort(CANCELLED)
    }
  }

  async function work(): Promise<number> {
    await failAbandonedRuns(deps)
    await fireDueSchedules(deps, await clock(db))
    while (running.size < concurrency && !stopping) {
      const claimed = await claimRun(db, nodeId, leaseMs)
      if (!claimed) break
      begin(claimed)
    }
    const next = await findNextDue(db)
    return next ? Math.min(idleMs, Math.max(0, next.getTime() - (await clock(db)).getTime())) : idleMs
  }

  async function loop(): Promise<void> {
    while (!stopping) {
      const ms = await work().catch((err: Error) => {
        if (!stopping && !isDatabaseAway(err)) log.error({ err }, 'automations could not be looked after')
        return 1_000
      })
      // A trigger that another node holds stays due. Check again soon, but not at once.
      await sleep(Math.max(ms, 20))
    }
  }

  const leases = setInterval(() => {
    keepLeases().catch((err: Error) => log.warn(`The leases of automation runs were not renewed: ${err.message}`))
  }, leaseMs / 3)
  const listening = listen(db, CHANNEL, { heard, ready: wake })
  const looping = loop()

  return {
    wake,
    async stop(finishWithinMs) {
      stopping = true
      wake()
      await Promise.race([looping, delay(finishWithinMs, undefined, { ref: false })])
      await listening.stop()
      const left = () => Promise.allSettled([...running.values()].map((one) => one.done))
      await Promise.race([left(), delay(Math.max(0, finishWithinMs - ABORT_GRACE_MS), undefined, { ref: false })])
      for (const { abort } of running.values()) abort.abort(STOPPED)
      await Promise.race([left(), delay(ABORT_GRACE_MS, undefined, { ref: false })])
      clearInterval(leases)
    },
  }
}

/** The meaning of an abort depends on who requested it, which the run does not know. */
function judged(outcome: RunOutcome, signal: AbortSignal): RunOutcome {
  if (!signal.aborted || outcome.status === 'succeeded') return outcome
  if (signal.reason === CANCELLED)
    return { ...outcome, status: 'cancelled', error: outcome.error ?? 'It was cancelled.' }
  return {
    ...outcome,
    status: 'failed',
    error: 'The server was stopped while it ran. What it changed until then is listed; look at that before you retry.',
  }
}
