import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { eventually } from '../harness.ts'
import {
  addWorkOrder,
  dataFolder,
  knownKeys,
  openPool,
  postgresOf,
  type RunningServer,
  startServer,
  statusOf,
} from './running-server.ts'

const dataDir = dataFolder()
let server: RunningServer
beforeAll(async () => {
  server = await startServer({ dataDir, env: knownKeys })
})

test('the probes need no key', async () => {
  for (const probe of ['/livez', '/readyz']) {
    const res = await fetch(server.url + probe)
    expect(res.status).toBe(200)
    expect(await res.json()).toEqual({ status: 'ok' })
  }
})

test('the server stays alive when PostgreSQL is killed, and becomes ready and writable again by itself', async () => {
  const kept = await addWorkOrder(server, 'before the kill')
  const killed = postgresOf(dataDir)!
  const watch = watchProbes(server)
  process.kill(killed, 'SIGKILL')
  await eventually(() => ![undefined, killed].includes(postgresOf(dataDir)))
  await eventually(async () => (await statusOf(`${server.url}/readyz`)) === 200)
  const seen = await watch.stop()
  expect([...seen.live]).toEqual([200])
  expect([...seen.ready].filter((status) => status !== 200 && status !== 503)).toEqual([])

  expect((await server.client().get(`/work_orders/${kept}`)).status).toBe(200)
  await addWorkOrder(server, 'after the kill')
  expect(server.ended()).toBeUndefined()
})

test('the server is not ready while PostgreSQL hangs, does not block, and recovers with it', async () => {
  const pool = openPool(dataDir)
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'slipway-server'`,
  )
  await pool.end()
  const hanging = [postgresOf(dataDir)!, ...rows.map(({ pid }) => pid)]
  for (const pid of hanging) process.kill(pid, 'SIGSTOP')
  try {
    expect(await statusOf(`${server.url}/readyz`)).toBe(503)
    expect(await statusOf(`${server.url}/livez`)).toBe(200)
  } finally {
    for (const pid of hanging) process.kill(pid, 'SIGCONT')
  }
  await eventually(async () => (await statusOf(`${server.url}/readyz`)) === 200)
  await addWorkOrder(server, 'after the pause')
})

/** Polls both probes and records each distinct response. */
function watchProbes(server: RunningServer) {
  const live = new Set<number | undefined>()
  const ready = new Set<number | undefined>()
  let watching = true
  const watch = async (path: string, seen: Set<number | undefined>) => {
    while (watching) {
      seen.add(await statusOf(server.url + path))
      await delay(10)
    }
  }
  const both = Promise.all([watch('/livez', live), watch('/readyz', ready)])
  return {
    async stop() {
      watching = false
      await both
      return { live, ready }
    },
  }
}
