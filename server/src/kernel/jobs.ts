import { Logger, type Runner, run as runWorker } from 'graphile-worker'
import type pg from 'pg'
import type { Db, Sql } from './database.ts'
import type { JobDeps, Wiring } from './slice.ts'

/** Queues jobs in the caller's transaction: they exist exactly if what caused them does. */
export async function enqueue(db: Db, name: string, payloads: object[]): Promise<void> {
  await db`select graphile_worker.add_job(${name}, p.payload::json)
    from jsonb_array_elements(${db.json(payloads as never)}) as p (payload)`
}

interface WorkerOptions {
  pool: pg.Pool
  sql: Sql
  wiring: Wiring
  log: { warn(message: string): void; error(message: string): void }
}

const RESTART_AFTER_MS = 1_000

/** Starts the background worker of this node. Every node may run one: a job goes to exactly one of them. */
export async function startWorker({ pool, sql, wiring, log }: WorkerOptions): Promise<{ stop(): Promise<void> }> {
  const deps: JobDeps = { db: sql, wiring }
  const taskList: Record<string, (payload: unknown) => Promise<void>> = {}
  for (const [name, job] of wiring.jobs) taskList[name] = (payload) => job.run(payload, deps)
  const crontab = [...wiring.jobs].flatMap(([name, job]) => (job.cron ? [`${job.cron} ${name}`] : [])).join('\n')
  const logger = new Logger(() => (level, message) => {
    if (level === 'error') log.error(message)
    else if (level === 'warning') log.warn(message)
  })

  let stopping = false
  let timer: NodeJS.Timeout | undefined
  const start = async (): Promise<Runner> => {
    const runner = await runWorker({ pgPool: pool, taskList, crontab, concurrency: 4, noHandleSignals: true, logger })
    runner.promise.then(restart, restart)
    return runner
  }
  // The library's worker gives up after a long absence of the database; the service must come back by itself.
  const restart = () => {
    if (stopping) return
    timer = setTimeout(() => {
      current = start().catch((err: Error) => {
        log.error(`The background worker could not start: ${err.message}`)
        restart()
        return undefined
      })
    }, RESTART_AFTER_MS)
  }
  let current: Promise<Runner | undefined> = start()
  await current
  return {
    async stop() {
      stopping = true
      clearTimeout(timer)
      await (await current)?.stop().catch(() => undefined)
    },
  }
}
