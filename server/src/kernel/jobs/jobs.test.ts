import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { slices } from '../../app.ts'
import { connect } from '../database/index.ts'
import type { Slice } from '../slice.ts'
import { enqueue, startWorker } from './jobs.ts'

let begun = () => undefined as unknown
let end = () => undefined as unknown

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A job that ends when the test says so. */
const waiting: Slice = {
  name: 'waiting',
  jobs: {
    wait_for_test: {
      run: () =>
        new Promise<void>((resolve) => {
          end = resolve
          begun()
        }),
    },
  },
}

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace({ slices: [...slices, waiting] })
})
afterAll(() => ws.close())

const jobs = () => ws.sql<{ isLocked: boolean }[]>`
  select locked_by is not null as "isLocked" from graphile_worker.jobs where task_identifier = 'wait_for_test'`

const nextRun = () =>
  new Promise((resolve) => {
    begun = () => resolve(undefined)
  })

/** Starts a worker with its own connections, which end with it, and a job that runs. */
async function startJob() {
  const sql = connect(ws.where, { max: 4 })
  const running = nextRun()
  await enqueue(ws.sql, 'wait_for_test', [{}])
  const worker = startWorker({ ...ws.deps, sql, log: silent })
  await running
  return async () => {
    await worker.stop(10_000)
    await sql.end()
  }
}

test('a job runs again if the connection broke when it ended', async () => {
  const stop = await startJob()
  const holder = await ws.sql.pool.connect()
  await holder.query('begin')
  await holder.query('select from graphile_worker._private_jobs for update')
  end()
  const telling = await eventually(async () => {
    const [found] = await ws.sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return found?.pid
  })
  await holder.query('select pg_terminate_backend($1)', [telling])
  const runsAgain = nextRun()
  await holder.query('rollback')
  holder.release()
  await runsAgain
  end()
  await stop()
  expect(await jobs()).toEqual([])
})

test('a job whose end cannot be stored is not left locked by a worker that stops', async () => {
  await ws.sql.pool.query(`
    create function refuse_to_delete() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
    create trigger refuse before delete on graphile_worker._private_jobs execute function refuse_to_delete()`)
  const stop = await startJob()
  end()
  await stop()
  await ws.sql`drop trigger refuse on graphile_worker._private_jobs`
  expect(await jobs()).toEqual([{ isLocked: false }])
})
