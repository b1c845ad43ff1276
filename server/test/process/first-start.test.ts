import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { getMigrations } from 'better-auth/db/migration'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSignIn } from '../../src/product/accounts/index.ts'
import { eventually } from '../harness.ts'
import { dataFolder, openPool, type RunningServer, startServer, statusOf } from './running-server.ts'

const signInWith = (pool: pg.Pool) => ({ pool, baseUrl: 'http://127.0.0.1:3000', secretKey: 's'.repeat(32) })

async function signIn(pool: pg.Pool, email: string, password: string) {
  const { createSignIn } = await loadSignIn()
  return (await createSignIn(signInWith(pool))).api.signInEmail({ body: { email, password } })
}

/** Returns what the first start prints for the operator. */
function welcomeOf(server: RunningServer) {
  const shown = (name: string) => server.stdout().match(new RegExp(`^ *${name} +(\\S+)$`, 'm'))?.[1] ?? ''
  return {
    url: server.stdout().match(/^Slipway listens on (\S+)$/m)?.[1],
    email: shown('sign-in'),
    password: shown('password'),
    externalKey: shown('external key'),
    reportingKey: shown('reporting key'),
    curl: server.stdout().match(/^ *(curl .*)$/m)?.[1] ?? '',
  }
}

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'])
    return true
  } catch {
    return false
  }
}

describe('without settings', () => {
  const dataDir = dataFolder()
  let server: RunningServer
  let pool: pg.Pool
  let welcome: ReturnType<typeof welcomeOf>
  beforeAll(async () => {
    server = await startServer({ dataDir, env: { LOG_LEVEL: 'trace' } })
    welcome = welcomeOf(server)
    pool = openPool(dataDir)
  })
  afterAll(() => pool.end())

  test('the first start shows the URL, a sign-in and two keys', () => {
    expect(welcome.url).toBe(server.url)
    expect(welcome.email).toMatch(/^[^\s@]+@[^\s@]+$/)
    expect(welcome.password.length).toBeGreaterThanOrEqual(16)
    expect(welcome.externalKey).toMatch(/^sofa-ext-[A-Za-z0-9_-]{43}$/)
    expect(welcome.reportingKey).toMatch(/^sf-rpt-[A-Za-z0-9_-]{43}$/)
  })

  test.skipIf(!hasCurl())('the printed curl command works when pasted', () => {
    const answer = execFileSync('sh', ['-c', welcome.curl], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    expect(JSON.parse(answer)).toMatchObject({ status: 'ok', database: 'ok' })
  })

  test('no secret is written to the log', async () => {
    expect(await statusOf(`${server.url}/v2/external-api/health`, { 'x-api-key': welcome.externalKey })).toBe(200)
    await eventually(() => server.stderr().includes('/v2/external-api/health'))
    for (const secret of [welcome.password, welcome.externalKey, welcome.reportingKey])
      expect(server.stderr()).not.toContain(secret)
  })

  test('keys and the password are stored only as hashes', async () => {
    const { rows } = await pool.query(
      'select kind, sha256, to_jsonb(api_keys)::text as row from api_keys order by kind',
    )
    const sha256 = (key: string) => createHash('sha256').update(key).digest('hex')
    expect(rows.map(({ kind, sha256 }) => ({ kind, sha256 }))).toEqual([
      { kind: 'external', sha256: sha256(welcome.externalKey) },
      { kind: 'reporting', sha256: sha256(welcome.reportingKey) },
    ])
    const credentials = await pool.query('select to_jsonb(credentials)::text as row from credentials')
    expect(credentials.rows).toHaveLength(1)
    const stored = [...rows, ...credentials.rows].map(({ row }) => row).join()
    for (const secret of [welcome.externalKey, welcome.reportingKey, welcome.password])
      expect(stored).not.toContain(secret)
  })

  test('the password signs in the owner; a wrong one does not', async () => {
    const { user, token } = await signIn(pool, welcome.email, welcome.password)
    expect(user.email).toBe(welcome.email)
    expect(token).toBeTruthy()
    await expect(signIn(pool, welcome.email, `${welcome.password}x`)).rejects.toMatchObject({ status: 'UNAUTHORIZED' })
  })

  test('the database has every table and column that the sign-in library needs', async () => {
    const { signInOptions } = await loadSignIn()
    const { toBeCreated, toBeAdded } = await getMigrations(signInOptions(signInWith(pool)))
    expect(toBeCreated).toEqual([])
    expect(toBeAdded).toEqual([])
  })

  test('the second start shows only the URL and keeps everything', async () => {
    const made = await server.client(welcome.externalKey).post('/work_orders/batch_create', {
      request_id: 'kept',
      operations: [{ operation_id: 'a', operation_type: 'CreateWorkOrder' }],
    })
    process.kill(server.pid, 'SIGTERM')
    expect(await server.exited).toEqual({ code: 0, signal: null })

    const again = await startServer({ dataDir })
    expect(again.stdout().split('\n').filter(Boolean)).toEqual([`Slipway listens on ${again.url}`])
    const read = await again.client(welcome.externalKey).get(`/work_orders/${made.body.results.a.work_order_id}`)
    expect(read.status).toBe(200)
    expect(read.body.data.work_order_number).toBe(made.body.results.a.work_order_number)
  })
})

describe('with BOOTSTRAP_ settings', () => {
  const dataDir = dataFolder()
  const wanted = {
    BOOTSTRAP_EMAIL: 'Ada@Example.org',
    BOOTSTRAP_PASSWORD: 'correct horse',
    BOOTSTRAP_PROJECT: 'Analytical Engine',
    BOOTSTRAP_API_KEY: `sofa-ext-${'b'.repeat(43)}`,
    BOOTSTRAP_REPORTING_KEY: `sf-rpt-${'b'.repeat(43)}`,
  }
  let server: RunningServer
  let pool: pg.Pool
  beforeAll(async () => {
    server = await startServer({ dataDir, env: { ...wanted, BASE_URL: 'https://slipway.example.org/', WORKER: 'off' } })
    pool = openPool(dataDir)
  })
  afterAll(() => pool.end())

  test('the first organization, project, owner and keys match the settings', async () => {
    expect((await server.client(wanted.BOOTSTRAP_API_KEY).get('/health')).status).toBe(200)
    expect((await pool.query('select name from projects')).rows).toEqual([{ name: wanted.BOOTSTRAP_PROJECT }])
    const { user } = await signIn(pool, 'ada@example.org', wanted.BOOTSTRAP_PASSWORD)
    expect(user.email).toBe('ada@example.org')
  })

  test('values chosen by the operator are not shown', () => {
    expect(welcomeOf(server).email).toBe('ada@example.org')
    const { BOOTSTRAP_PASSWORD, BOOTSTRAP_API_KEY, BOOTSTRAP_REPORTING_KEY } = wanted
    for (const secret of [BOOTSTRAP_PASSWORD, BOOTSTRAP_API_KEY, BOOTSTRAP_REPORTING_KEY])
      expect(server.stdout() + server.stderr()).not.toContain(secret)
  })

  test('the URL shown is BASE_URL', () => {
    expect(welcomeOf(server).url).toBe('https://slipway.example.org')
  })

  test('the owner is super admin of the organization and admin of the project', async () => {
    const { rows } = await pool.query(`select o.role as organization, p.role as project
      from organization_members o join project_members p using (user_id)`)
    expect(rows).toEqual([{ organization: 'super_admin', project: 'admin' }])
  })

  test('jobs can be queued from the first request on, even on a node without a worker', async () => {
    const { rowCount } = await pool.query(`select graphile_worker.add_job('forget_old_replays')`)
    expect(rowCount).toBe(1)
  })
})
