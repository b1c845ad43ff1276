import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../harness.ts'
import {
  createBatch,
  dataFolder,
  knownKeys,
  openPool,
  postgresOf,
  type RunningServer,
  startServer,
  statusOf,
} from './running-server.ts'

/** Set it higher for a thorough manual run. */
const ROUNDS = Number(process.env.BREAK_ROUNDS ?? 5)
const CLIENTS = 32
/** Includes the longest wait for a connection and a margin for a busy machine. */
const DEADLINE_MS = 15_000

const dataDir = dataFolder()
let server: RunningServer
beforeAll(async () => {
  server = await startServer({ dataDir, env: { ...knownKeys, RATE_LIMIT_EXTERNAL: '0', LOG_LEVEL: 'fatal' } })
})

const backends = `from pg_stat_activity where application_name like 'slipway%' and pid <> pg_backend_pid()`

async function ask(text: string): Promise<void> {
  const pool = openPool(dataDir)
  await pool.query(text).catch(() => undefined)
  await pool.end()
}

/** Sends the signal to PostgreSQL and waits until the server has restarted it. */
async function restart(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  const before = postgresOf(dataDir)!
  process.kill(before, signal)
  await eventually(() => ![undefined, before].includes(postgresOf(dataDir)), 30_000)
}

test.each([
  ['one connection is ended', () => ask(`select pg_terminate_backend(pid) ${backends} limit 1`)],
  ['all connections are ended', () => ask(`select pg_terminate_backend(pid) ${backends}`)],
  ['PostgreSQL is restarted', () => restart('SIGINT')],
  ['PostgreSQL is restarted at once', () => restart('SIGQUIT')],
])('the server survives and keeps every acknowledged write while %s', async (name, breakConnections) => {
  const acknowledged: string[] = []
  const statuses = new Map<number, number>()
  let isOver = false
  let longestMs = 0
  let last = 0

  async function work() {
    const client = server.client()
    while (!isOver) {
      const title = `${name} ${++last}`
      const startedAt = performance.now()
      const { status, body } =
        last % 2 === 0
          ? await client.get('/work_orders?page_size=20')
          : await client.post('/work_orders/batch_create', createBatch(title, title))
      longestMs = Math.max(longestMs, performance.now() - startedAt)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (body?.results) acknowledged.push(body.results['op-0'].work_order_id)
    }
  }

  // Its last output, in case it died after all.
  const dead = () => expect(server.ended() && server.stderr()).toBeUndefined()
  const workers = Array.from({ length: CLIENTS }, () => work().catch(dead))
  for (let round = 1; round <= ROUNDS; round++) {
    const answered = acknowledged.length
    await breakConnections()
    dead()
    await eventually(async () => (await statusOf(`${server.url}/readyz`)) === 200, 30_000)
    await eventually(() => acknowledged.length > answered, 30_000)
  }
  isOver = true
  await Promise.all(workers)

  dead()
  expect([...statuses.keys()].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(longestMs).toBeLessThan(DEADLINE_MS)
  const pool = openPool(dataDir)
  const { rows } = await pool.query('select count(*)::int as kept from work_orders where id = any($1)', [acknowledged])
  await pool.end()
  expect(rows[0].kept).toBe(acknowledged.length)
  if (process.env.BREAK_ROUNDS)
    console.log({ name, acknowledged: acknowledged.length, longestMs: Math.round(longestMs), statuses })
})
