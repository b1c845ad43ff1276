import { EventEmitter } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { Runner, WorkerEvents } from 'graphile-worker'
import type { Log } from '../context.ts'
import { type Db, json, type Sql } from '../database/index.ts'
import type { JobDeps, Wiring } from '../slice.ts'
import type { Store } from '../storage/index.ts'

/** Queues jobs in the caller's transaction, so they exist exactly if their cause does. */
export async function enqueue(db: Db, name: string, payloads: object[], afterMs = 0): Promise<void> {
  // One call for all jobs: adding five hundred one by one takes longer than the batch that caused them.
  await db`select count(*) from graphile_worker.add_jobs(array(
    select row(${name}::text, p.payload::json, null, now() + ${afterMs}::int * interval '1 millisecond', null, null, null,
      null)::graphile_worker.job_spec
    from jsonb_array_elements(${json(payloads)}) as p (payload)))`
}

/**
 * Queues a job with a delay. Queuing it again under the same key before then restarts the delay, unless `restarts` is
 * false. Jobs of one `queue` run one after the other.
 */
export async function enqueueOnce(
  db: Db,
  name: string,
  payload: object,
  { key, afterMs, queue, restarts = true }: { key: string; afterMs: number; queue?: string; restarts?: boolean },
): Promise<void> {
  await db`select 1 from graphile_worker.add_job(${name}::text, payload := ${json(payload)}::json,
    queue_name := ${queue ?? null}::text, run_at := now() + ${afterMs}::int * interval '1 millisecond',
    job_key := ${key}::text, job_key_mode := ${restarts ? 'replace' : 'preserve_run_at'})`
}

/**
 * Creates the tables of the queue if they do not exist, because the first write may queue a job even on a node without
 * a worker. Loads the library only then, to keep startup fast. The worker migrates old tables.
 */
export async function migrateQueue(sql: Sql): Promise<void> {
  const [queue] = await sql<{ there: boolean }[]>`select to_regclass('graphile_worker.migrations') is not null as there`
  if (queue!.there) return
  const { runMigrations } = await import('graphile-worker')
  await runMigrations({ pgPool: sql.pool })
}

interface WorkerOptions {
  sql: Sql
  wiring: Wiring
  store: Store
  log: Log
}

interface Worker {
  stop(finishWithinMs: number): Promise<void>
}

const RESTART_AFTER_MS = 1_000
const KILL_WITHIN_MS = 2_000
const AT_ONCE = 4
/** Each costs a socket and a little memory while it waits, and a connection to the database only before and after. */
const WAITING_AT_ONCE = 600

/** Starts the background worker of this node. Every node may run one: exactly one of them gets each job. */
export function startWorker(options: WorkerOptions): Worker {
  const pools: PoolOptions[] = [
    { waits: false, concurrency: AT_ONCE },
    // Jobs are fetched together, so that 600 idle workers do not ask one by one.
    { waits: true, concurrency: WAITING_AT_ONCE, localQueue: { size: WAITING_AT_ONCE } },
  ]
  const started = pools.map((pool) => startPool(options, pool))
  return {
    async stop(finishWithinMs) {
      await Promise.all(started.map((pool) => pool.stop(finishWithinMs)))
    },
  }
}

interface PoolOptions {
  /** Which jobs it runs. */
  waits: boolean
  concurrency: number
  localQueue?: { size: number }
}

function startPool(options: WorkerOptions, { waits, concurrency, localQueue }: PoolOptions): Worker {
  const { sql, log } = options
  const jobs = [...options.wiring.jobs].filter(([, job]) => (job.waits ?? false) === waits)
  if (jobs.length === 0) return { stop: () => Promise.resolve() }
  const deps: JobDeps = { db: sql, wiring: options.wiring, store: options.store, log }
  const taskList: Record<string, (payload: unknown) => Promise<void>> = {}
  for (const [name, job] of jobs) taskList[name] = (payload) => unlessReturned(job.run(payload, deps))
  const crontab = jobs
    .flatMap(([name, { cron, catchUp }]) => (cron ? [`${cron} ${name}${catchUp ? ' ?fill=1d' : ''}`] : []))
    .join('\n')

  let stopping = false
  let isReturned = false
  /** Ignores the outcome of a job that was returned to the queue. Otherwise the library would query a closed pool. */
  const unlessReturned = (running: Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      running.then(
        () => isReturned || resolve(),
        (err) => isReturned || reject(err),
      )
    })
  let timer: NodeJS.Timeout | undefined
  /** The names under which this node has locked jobs, one for each start. */
  const lockNames: string[] = []
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => lockNames.push(workerPool.id))
  /** Otherwise a job whose end could not be stored stays locked for four hours. */
  const unlockJobs = () => sql`select graphile_worker.force_unlock_workers(${lockNames}::text[])`
  const start = async (): Promise<Runner | undefined> => {
    try {
      const { Logger, run: runWorker } = await import('graphile-worker')
      if (lockNames.length > 0) await unlockJobs()
      const logger = new Logger(() => (level, message) => {
        if (level === 'error') log.error(message)
        // A job that waits holds no connection meanwhile.
        else if (level === 'warning' && !(waits && message.includes('maxPoolSize'))) log.warn(message)
      })
      const runner = await runWorker({
        pgPool: sql.pool,
        taskList,
        crontab,
        concurrency,
        noHandleSignals: true,
        logger,
        events,
        // With a delay, even of 0, the library waits for this when it stops, and stops if it fails.
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, ...(localQueue && { localQueue }) } },
      })
      runner.promise.then(restart, restart)
      return runner
    } catch (err) {
      log.error(`The background worker could not start: ${(err as Error).message}`)
      restart()
      return undefined
    }
  }
  // The worker of the library gives up when the database is unavailable. The service must recover by itself.
  const restart = () => {
    if (stopping) return
    timer = setTimeout(() => {
      current = start()
    }, RESTART_AFTER_MS)
  }
  let current = start()
  return {
    async stop(finishWithinMs) {
      stopping = true
      clearTimeout(timer)
      const runner = await current
      if (!runner) return
      const finished = runner.stop().then(
        () => true,
        () => true,
      )
      if (!(await Promise.race([finished, delay(finishWithinMs, false)]))) {
        // Returns running jobs to the queue. Their connections break when the pool closes.
        await Promise.race([runner.kill().catch(() => undefined), delay(KILL_WITHIN_MS)])
        isReturned = true
      }
      await Promise.race([unlockJobs().catch(() => undefined), delay(KILL_WITHIN_MS)])
    },
  }
}
