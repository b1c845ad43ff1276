import { expect, test } from 'vitest'
import { eventually } from '../harness.ts'
import {
  admin,
  dataFolder,
  externalKey,
  knownKeys,
  postgresOf,
  printed,
  type RunningServer,
  reportingKey,
  startServer,
} from './running-server.ts'

const REPORTERS = 16
const unlimited = { ...knownKeys, RATE_LIMIT_REPORTING: '0' }

const report = (server: RunningServer, content: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/v2/reporting-api/feedback`, {
    method: 'POST',
    headers: { 'x-api-key': reportingKey, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ end_user_email: 'customer@example.org', content }),
  })

test('kill -9 loses no acknowledged report, and no number is assigned twice', async () => {
  const dataDir = dataFolder()
  const server = await startServer({ dataDir, env: unlimited })
  const acknowledged = new Map<number, string>()
  let sent = 0
  const keepReporting = async () => {
    for (;;) {
      const content = `Report ${++sent}`
      const answer = await report(server, content).catch(() => undefined)
      const body = (await answer?.json().catch(() => undefined)) as { feedback_number: number } | undefined
      if (answer?.status !== 201 || !body) return
      expect(acknowledged.has(body.feedback_number)).toBe(false)
      acknowledged.set(body.feedback_number, content)
    }
  }
  const reporting = Array.from({ length: REPORTERS }, keepReporting)
  await eventually(() => acknowledged.size >= 300, 60_000)
  process.kill(postgresOf(dataDir)!, 'SIGKILL')
  process.kill(server.pid, 'SIGKILL')
  await Promise.all([server.exited, ...reporting])

  const next = await startServer({ dataDir, env: unlimited })
  const found = new Map<number, string>()
  for (let page = 1; ; page++) {
    const { items } = (await next.client(externalKey).get(`/feedback/items?page_size=100&page=${page}`)).body
    for (const { display_id, title } of items) {
      const number = Number(display_id.slice(3))
      expect(found.has(number)).toBe(false)
      found.set(number, title)
    }
    if (items.length < 100) break
  }
  for (const [number, content] of acknowledged) expect(found.get(number)).toBe(content)
  expect(found.size - acknowledged.size).toBeLessThanOrEqual(REPORTERS)
  expect(Math.max(...found.keys())).toBe(found.size)
  expect(await (await report(next, 'After the crash')).json()).toEqual({ feedback_number: found.size + 1 })
})

test('the operator decides which pages may use a reporting key', async () => {
  const dataDir = dataFolder()
  const server = await startServer({ dataDir, env: unlimited })
  const whose = { project: 'My project', email: 'owner@slipway.local' }
  const origins = 'https://shop.example.org,http://localhost:8080'
  const added = await printed(admin(dataDir, 'key add', { kind: 'reporting', ...whose, origins }))
  expect(added.allowed_origins).toEqual(origins.split(','))
  const from = async (origin: string) => (await report(server, 'x', { 'x-api-key': added.key, origin })).status
  expect(await from('https://shop.example.org')).toBe(201)
  expect(await from('https://shop.example.com')).toBe(403)
  const [listed] = (await printed(admin(dataDir, 'key list'))).filter((one: { id: string }) => one.id === added.id)
  expect(listed.allowed_origins).toEqual(origins.split(','))

  for (const wrong of ['shop.example.org', 'https://shop.example.org/', 'ftp://shop.example.org', '*', '']) {
    const { code, stderr } = await admin(dataDir, 'key add', { kind: 'reporting', ...whose, origins: wrong })
    expect([code, stderr]).toEqual([1, expect.stringContaining(`"${wrong}"`)])
  }
  const external = await admin(dataDir, 'key add', { kind: 'external', ...whose, origins })
  expect([external.code, external.stderr]).toEqual([1, expect.stringContaining('reporting')])
})
