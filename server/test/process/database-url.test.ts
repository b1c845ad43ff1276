import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/engines/embedded-postgres/index.ts'
import { query } from '../embedded-postgres/data-folder.ts'
import { eventually } from '../harness.ts'
import {
  addWorkOrder,
  dataFolder,
  failToStart,
  freePort,
  knownKeys,
  postgresOf,
  startServer,
  statusOf,
} from './running-server.ts'

const stackTrace = /^\s+at /m

describe('with an external PostgreSQL in DATABASE_URL', () => {
  const databaseDir = dataFolder()
  let port: number
  let postgres: EmbeddedPostgres
  const startPostgres = () =>
    openEmbeddedPostgres({
      dataDir: databaseDir,
      as: 'server',
      log: () => undefined,
      settings: { listen_addresses: '127.0.0.1', port: String(port), fsync: 'off' },
    })
  const urlOf = (database: string) => `postgres://slipway@127.0.0.1:${port}/${database}`
  beforeAll(async () => {
    port = await freePort()
    postgres = await startPostgres()
  })
  afterAll(() => postgres.stop())

  test('a missing database is refused with a clear message', async () => {
    const { code, stdout, stderr } = await failToStart({
      dataDir: dataFolder(),
      env: { DATABASE_URL: urlOf('absent') },
    })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('DATABASE_URL')
    expect(stderr).toContain('"absent" does not exist')
    expect(stderr).not.toMatch(stackTrace)
  })

  test('a database from a newer version is left alone', async () => {
    await query(postgres.connection, 'create database newer')
    const newer = { ...postgres.connection, database: 'newer' }
    await query(newer, `create table schema_migrations (name text primary key, sha256 text, applied_at timestamptz)`)
    await query(newer, `insert into schema_migrations values ('9999_future.sql', 'x', now())`)
    const { code, stdout, stderr } = await failToStart({ dataDir: dataFolder(), env: { DATABASE_URL: urlOf('newer') } })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('made by a newer Slipway')
    expect(stderr).not.toMatch(stackTrace)
    expect(await query(newer, `select tablename from pg_tables where schemaname = 'public'`)).toHaveLength(1)
  })

  test('the server is not ready during an outage, responds 503 and recovers by itself', async () => {
    const dataDir = dataFolder()
    const server = await startServer({ dataDir, env: { ...knownKeys, DATABASE_URL: urlOf('slipway') } })
    expect(postgresOf(dataDir)).toBeUndefined()
    const kept = await addWorkOrder(server, 'on another server')

    await postgres.stop()
    await eventually(async () => (await statusOf(`${server.url}/readyz`)) === 503)
    expect(await statusOf(`${server.url}/livez`)).toBe(200)
    const refused = await server.client().get(`/work_orders/${kept}`)
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ code: 'database_unavailable', status: 503 })
    expect(refused.headers['retry-after']).toMatch(/^\d+$/)
    expect((await server.client().get('/health')).status).toBe(503)

    postgres = await startPostgres()
    await eventually(async () => (await statusOf(`${server.url}/readyz`)) === 200)
    expect((await server.client().get(`/work_orders/${kept}`)).body.data.title).toBe('on another server')
    await addWorkOrder(server, 'back again')

    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })
    expect(postgresOf(databaseDir)).toBeDefined()
  })
})

test('a start without a reachable PostgreSQL says so and never prints the password', async () => {
  const { code, stdout, stderr } = await failToStart({
    dataDir: dataFolder(),
    env: { DATABASE_URL: `postgres://slipway:verysecret@127.0.0.1:${await freePort()}/slipway` },
  })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('The database at DATABASE_URL does not answer')
  expect(stderr).not.toMatch(stackTrace)
  expect(stderr).not.toContain('verysecret')
})
