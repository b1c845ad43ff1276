import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadSignIn } from '../../src/product/accounts/index.ts'
import { dataFolder, openPool, type RunningServer, repository, startServer } from './running-server.ts'

const demoProgram = join(repository, 'server/dist/bundle/demo.js')

describe('the first start with SLIPWAY_DEMO', () => {
  const dataDir = dataFolder()
  let server: RunningServer
  let pool: pg.Pool
  beforeAll(async () => {
    server = await startServer({ dataDir, env: { SLIPWAY_DEMO: '1' } })
    pool = openPool(dataDir)
  })
  afterAll(() => pool.end())

  const passwords = () => [...server.stdout().matchAll(/^ *password +(\S+)/gm)].map(([, password]) => password!)
  const signIn = async (email: string, password: string) => {
    const { createSignIn } = await loadSignIn()
    const { api } = await createSignIn({ pool, baseUrl: 'http://127.0.0.1:3000', secretKey: 's'.repeat(32) })
    return api.signInEmail({ body: { email, password } })
  }

  test('makes its owner Ada, and lets the others sign in with the password it shows', async () => {
    const [ofOwner, ofOthers] = passwords()
    expect((await signIn('ada@harbor.example', ofOwner!)).user.name).toBe('Ada Lovelace')
    expect((await signIn('grace@harbor.example', ofOthers!)).user.name).toBe('Grace Hopper')
    await expect(signIn('build-agent@harbor.example', ofOthers!)).rejects.toThrow()
    const { rows } = await pool.query(`select p.name, m.role from project_members m
      join projects p on p.id = m.project_id join users u on u.id = m.user_id
      where u.email = 'ada@harbor.example' order by p.name`)
    expect(rows).toEqual([
      { name: 'Harbor Checkout', role: 'admin' },
      { name: 'My project', role: 'admin' },
    ])
  })

  test('shows a key that reads the work order of its example', async () => {
    const key = server.stdout().match(/X-API-Key: (\S+)" \S+by_number\/38/)![1]!
    const { status, body } = await server.client(key).get('/work_orders/by_number/38')
    expect([status, body.data.title]).toEqual([200, 'Refund fails when the card was replaced'])
  })

  test('leaves nothing for the worker to answer', async () => {
    const { rows } = await pool.query(
      `select count(*)::int as runs from automation_runs where status in ('scheduled', 'running')`,
    )
    expect(rows).toEqual([{ runs: 0 }])
  })

  test('is not repeated beside the running server', async () => {
    const { PATH = '', HOME = '' } = process.env
    const env = { PATH, HOME, DATA_DIR: dataDir }
    const refused = promisify(execFile)(process.execPath, [demoProgram], { env })
    await expect(refused).rejects.toMatchObject({
      code: 1,
      stderr: 'There is a project "Harbor Checkout" already. The demo fills it only once.\n',
    })
  })
})
