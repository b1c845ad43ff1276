import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { openWorkspace, type Workspace } from '../harness.ts'

const LIMIT = 10
let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace({ rateLimitExternal: LIMIT })
})
afterAll(() => workspace.close())
afterEach(() => {
  vi.useRealTimers()
})

test('allows exactly the limit per minute and says when to retry', async () => {
  const { admin } = await workspace.project()
  const answers = []
  for (let i = 0; i < LIMIT + 2; i++) answers.push(await admin.api.get('/health'))
  expect(answers.map(({ status }) => status)).toEqual([...Array(LIMIT).fill(200), 429, 429])
  expect(answers[0]!.headers).toMatchObject({ 'ratelimit-limit': '10', 'ratelimit-remaining': '9' })
  expect(answers[LIMIT - 1]!.headers['ratelimit-remaining']).toBe('0')
  const refused = answers[LIMIT]!
  expect(refused.body.code).toBe('rate_limited')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
})

test('counts requests across all nodes, even concurrent ones', async () => {
  const { admin } = await workspace.project()
  const nodes = [
    admin.api,
    workspace.client(admin.key, await workspace.node()),
    workspace.client(admin.key, await workspace.node()),
  ]
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => nodes[index % 3]!.get('/health')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - LIMIT)
})

test('resets when the minute is over', async () => {
  const { admin } = await workspace.project()
  for (let i = 0; i < LIMIT; i++) await admin.api.get('/health')
  expect((await admin.api.get('/health')).status).toBe(429)
  await workspace.sql`update rate_windows set started_at = now() - interval '61 seconds' where key_id = ${admin.keyId}`
  const fresh = workspace.client(admin.key, await workspace.node())
  expect((await fresh.get('/health')).status).toBe(200)
})

test("ignores changes of a node's clock", async () => {
  const { admin } = await workspace.project()
  for (let i = 0; i < LIMIT; i++) await admin.api.get('/health')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 86_400_000 })
  const ahead = await admin.api.get('/health')
  expect(ahead.status).toBe(429)
  vi.setSystemTime(Date.now() - 6 * 86_400_000)
  const behind = await admin.api.get('/health')
  expect(behind.status).toBe(429)
  for (const { headers } of [ahead, behind]) expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
})

test('applies to each key separately, and 0 turns it off', async () => {
  const { admin, join } = await workspace.project()
  for (let i = 0; i <= LIMIT; i++) await admin.api.get('/health')
  expect((await (await join('viewer')).api.get('/health')).status).toBe(200)
  const unlimited = workspace.client(admin.key, await workspace.node({ rateLimitExternal: 0 }))
  const answer = await unlimited.get('/health')
  expect([answer.status, answer.headers['ratelimit-limit']]).toEqual([200, undefined])
})

test('leases large limits in portions and stays exact on one node', async () => {
  const { admin } = await workspace.project()
  const api = workspace.client(admin.key, await workspace.node({ rateLimitExternal: 500 }))
  const answers = await Promise.all(Array.from({ length: 520 }, () => api.get('/health')))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(500)
})
