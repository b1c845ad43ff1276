import { readdirSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  addWorkOrder,
  dataFolder,
  failToStart,
  freePort,
  knownKeys,
  postgresOf,
  type RunningServer,
  startServer,
} from './running-server.ts'

const stackTrace = /^\s+at /m

describe('next to a running server', () => {
  const dataDir = dataFolder()
  let first: RunningServer
  beforeAll(async () => {
    first = await startServer({ dataDir, env: knownKeys })
  })

  test('a second server on the same data folder is refused, and the first keeps working', async () => {
    const kept = await addWorkOrder(first, 'kept')
    const postgres = postgresOf(dataDir)
    const second = await failToStart({ dataDir, env: { PORT: String(await freePort()) } })
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain(
      `Another Slipway already runs on the data folder "${dataDir}" (process ${first.pid})`,
    )
    expect(second.stderr).not.toMatch(stackTrace)

    expect(postgresOf(dataDir)).toBe(postgres)
    expect((await first.client().get(`/work_orders/${kept}`)).status).toBe(200)
    await addWorkOrder(first, 'written afterwards')
    expect(first.ended()).toBeUndefined()
  })

  test('a port in use is named before anything is created or shown', async () => {
    const other = dataFolder()
    const failed = await failToStart({ dataDir: other, env: { PORT: String(first.port) } })
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain(`port ${first.port} of 127.0.0.1 is in use. Set PORT to a free port`)
    expect(failed.stderr).not.toMatch(stackTrace)
    expect(readdirSync(other)).toEqual([])

    const next = await startServer({ dataDir: other })
    const [key] = next.stdout().match(/sofa-ext-\S{43}/) ?? []
    expect((await next.client(key).get('/health')).status).toBe(200)
  })

  test('an address of another machine is refused with what to do', async () => {
    const failed = await failToStart({ dataDir: dataFolder(), env: { HOST: '192.0.2.1' } })
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toContain('Set HOST and PORT to an address of this machine')
    expect(failed.stderr).not.toMatch(stackTrace)
  })
})

describe.concurrent('a start with an invalid setting', () => {
  test.for([
    { PORT: 'abc' },
    { BASE_URL: 'nonsense' },
    { BOOTSTRAP_API_KEY: `sf-rpt-${'k'.repeat(43)}` },
    { BOOTSTRAP_API_KEY: `sofa-ext-${'k'.repeat(22)}` },
    { BOOTSTRAP_REPORTING_KEY: `sf-rpt-${'k'.repeat(24)}` },
    { BOOTSTRAP_PASSWORD: 'seven77' },
    { RATE_LIMIT_EXTERNAL: '-1' },
  ])('is refused with the name of the setting before anything happens: %o', async (env) => {
    const dataDir = dataFolder()
    const { code, stdout, stderr } = await failToStart({ dataDir, env: env as Record<string, string> })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(Object.keys(env)[0])
    expect(stderr).not.toMatch(stackTrace)
    if (Object.keys(env)[0]!.startsWith('BOOTSTRAP_')) expect(stderr).not.toContain(Object.values(env)[0])
    expect(readdirSync(dataDir)).toEqual([])
  })
})
