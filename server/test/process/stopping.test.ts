import { execFileSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { isAlive } from '../embedded-postgres/data-folder.ts'
import { eventually } from '../harness.ts'
import {
  addWorkOrder,
  dataFolder,
  knownKeys,
  launchServer,
  openPool,
  postgresOf,
  type RunningServer,
  START_WITHIN_MS,
  startServer,
} from './running-server.ts'

const FINISH_WITHIN_MS = 10_000

const TAKES_SIGNALS = 'takes signals before the rest is loaded'
/** Preloaded: reports when the program starts to listen for signals, unless it has loaded the large modules first. */
const tellsWhenItTakesSignals = `--import=data:text/javascript,${encodeURIComponent(`
  process.on('newListener', (event) => {
    const isLate = process.moduleLoadList.includes('NativeModule http')
    if (event === 'SIGTERM' && !isLate) process.stderr.write('${TAKES_SIGNALS}\\n')
  })`)}`

describe.concurrent('a server that is told to stop', () => {
  test('accepts no new requests, finishes running ones, stops its database and exits with 0', async ({
    onTestFinished,
  }) => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: knownKeys })
    const { blocked, release, close } = await blockedRequest(dataDir, server)
    onTestFinished(close)
    const postgres = postgresOf(dataDir)!
    const toldAtMs = Date.now()
    process.kill(server.pid, 'SIGTERM')
    await eventually(() => refusesConnections(server.port))
    expect(server.ended()).toBeUndefined()
    expect(isAlive(postgres)).toBe(true)

    await release()
    const answer = await blocked
    expect(answer.status).toBe(200)
    expect(answer.body.data.markdown_content).toBe('finished')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(Date.now() - toldAtMs).toBeLessThan(FINISH_WITHIN_MS - 1_000)
    expect(isAlive(postgres)).toBe(false)
    expect(problemsIn(server)).toEqual([])
  })

  test('exits although nobody reads its log any more', async () => {
    const dataDir = dataFolder()
    const pipe = join(dataDir, 'log')
    execFileSync('mkfifo', [pipe])
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    const stderr = openSync(pipe, constants.O_WRONLY)
    const server = launchServer({ dataDir, env: knownKeys, stderr })
    await eventually(() => existsSync(join(dataDir, 'postgres')))
    closeSync(stderr)
    closeSync(reader)
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
  })

  test('does not wait forever for a request that never finishes', async ({ onTestFinished }) => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: knownKeys })
    const { blocked, close } = await blockedRequest(dataDir, server)
    onTestFinished(close)
    const cutOff = blocked.then(
      () => 'answered',
      () => 'cut off',
    )
    const toldAtMs = Date.now()
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    const tookMs = Date.now() - toldAtMs
    expect(tookMs).toBeGreaterThan(FINISH_WITHIN_MS - 500)
    expect(tookMs).toBeLessThan(FINISH_WITHIN_MS + 8_000)
    expect(await cutOff).toBe('cut off')
    expect(postgresOf(dataDir)).toBeUndefined()
  })

  test('returns a job that never finishes to the queue', async ({ onTestFinished }) => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir })
    const pool = openPool(dataDir)
    const holder = await pool.connect()
    onTestFinished(async () => {
      holder.release(true)
      await pool.end()
    })
    await holder.query('begin')
    await holder.query('lock table replays in access exclusive mode')
    await eventually(() => pool.query(`select graphile_worker.add_job('forget_old_replays')`).catch(() => undefined))
    await eventually(() => someoneWaits(pool))
    const toldAtMs = Date.now()
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(Date.now() - toldAtMs).toBeLessThan(FINISH_WITHIN_MS + 8_000)
    expect(postgresOf(dataDir)).toBeUndefined()
  })

  test('shuts down cleanly at any moment of its start', async () => {
    const dataDir = dataFolder()
    const folder = join(dataDir, 'postgres')
    const inFolder = (start: string) =>
      existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(start)) : []
    type Moment = [signal: NodeJS.Signals, reached: (server: ReturnType<typeof launchServer>) => unknown]
    const moments: Moment[] = [
      ['SIGTERM', (server) => server.stderr().includes(TAKES_SIGNALS)],
      ['SIGTERM', () => inFolder('cluster').length > 0],
      ['SIGTERM', () => postgresOf(dataDir)],
      ['SIGINT', (server) => server.stdout().includes('Slipway listens')],
    ]
    for (const [signal, reached] of moments) {
      const server = launchServer({ dataDir, env: { PORT: '0', NODE_OPTIONS: tellsWhenItTakesSignals } })
      await eventually(() => reached(server) || server.ended(), START_WITHIN_MS)
      process.kill(server.pid, signal)
      expect(await server.exited).toEqual({ code: 0, signal: null })
      expect(server.stderr()).not.toMatch(/^\s+at /m)
      expect(problemsIn(server)).toEqual([])
      expect(postgresOf(dataDir)).toBeUndefined()
      // All or nothing: the signal may have come a little later than intended.
      expect(inFolder('cluster.new-')).toEqual([])
    }
  })

  test.each([
    ['SIGTERM to npm alone', 'SIGTERM', (pid: number) => pid],
    ['Ctrl-C, which reaches the whole process group', 'SIGINT', (pid: number) => -pid],
  ] as const)('leaves nothing behind when it runs under npm start: %s', async (_how, signal, target) => {
    const dataDir = dataFolder()
    const npm = await startServer({ dataDir, npm: true })
    const node = await eventually(() => npm.logged()[0]?.pid as number | undefined)
    const postgres = postgresOf(dataDir)!
    expect([node, postgres].every(isAlive)).toBe(true)
    process.kill(target(npm.pid), signal)
    await npm.exited
    await eventually(() => !isAlive(node) && !isAlive(postgres))
    expect(npm.stderr()).toContain(`stopped by ${signal}`)
  })
})

/** Starts a write that waits in the database until it is released. */
async function blockedRequest(dataDir: string, server: RunningServer) {
  const id = await addWorkOrder(server, 'in flight')
  const pool = openPool(dataDir)
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select 1 from work_orders where id = $1 for update', [id])
  const blocked = server.client().patch(`/work_orders/${id}/description`, { markdown_content: 'finished' })
  await eventually(() => someoneWaits(pool))
  const close = async () => {
    holder.release(true)
    await pool.end()
  }
  return { blocked, release: () => holder.query('commit'), close }
}

async function someoneWaits(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(`select from pg_stat_activity where wait_event_type = 'Lock'
    and application_name = 'slipway-server'`)
  return rowCount! > 0
}

function refusesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', () => resolve(true))
    socket.once('connect', () => {
      socket.destroy()
      resolve(false)
    })
  })
}

const WARNING = 40
const problemsIn = (server: Pick<RunningServer, 'logged'>) =>
  server.logged().filter(({ level }) => (level as number) >= WARNING)
