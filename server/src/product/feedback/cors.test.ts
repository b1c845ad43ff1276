import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addKey } from '../projects/index.ts'
import { feedbackProject, REPORT } from './feedback.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const SHOP = 'https://shop.example.org'
const body = { end_user_email: 'a@example.org', content: 'x' }

async function setUp(allowedOrigins?: string[]) {
  const { project, reporter, api } = await feedbackProject(ws)
  const { key } = await addKey(project.operator, {
    kind: 'reporting',
    userId: reporter.userId,
    name: 'shop',
    ...(allowedOrigins && { allowedOrigins }),
  })
  const send = (origin?: string) => ws.client(key).post(REPORT, body, origin ? { origin } : {})
  const total = async () => (await api.get('/feedback/items')).body.total
  return { send, total, api, key }
}

const preflight = (url: string, headers: object = {}) =>
  ws.app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      origin: SHOP,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,idempotency-key,x-api-key',
      ...headers,
    },
  })

describe('a browser that asks before it sends', () => {
  it('is answered without a key', async () => {
    const answer = await preflight(REPORT)
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['access-control-allow-origin']).toBe(SHOP)
    expect(answer.headers['access-control-allow-methods']).toBe('POST')
    const allowed = String(answer.headers['access-control-allow-headers']).toLowerCase()
    for (const name of ['x-api-key', 'authorization', 'content-type', 'idempotency-key'])
      expect(allowed).toContain(name)
    expect(answer.headers.vary).toBe('Origin')
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
  })

  it('is told nothing of the kind by the external API', async () => {
    const { api, key } = await setUp()
    const answer = await preflight('/v2/external-api/feedback/items')
    expect(answer.statusCode).toBe(401)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    const read = await api.get('/feedback/items', { origin: SHOP })
    expect([read.status, read.headers['access-control-allow-origin']]).toEqual([200, undefined])
    expect(key).toMatch(/^sf-rpt-/)
  })
})

describe('a key without a list of origins', () => {
  it('works on every page, and for who is no page', async () => {
    const { send, total } = await setUp()
    const page = await send(SHOP)
    expect([page.status, page.headers['access-control-allow-origin']]).toEqual([201, SHOP])
    const other = await send('null')
    expect([other.status, other.headers['access-control-allow-origin']]).toEqual([201, 'null'])
    const program = await send()
    expect([program.status, program.headers['access-control-allow-origin']]).toEqual([201, undefined])
    expect(await total()).toBe(3)
  })
})

describe('a key with a list of origins', () => {
  it('works on those pages alone, and for who is no page', async () => {
    const { send, total } = await setUp([SHOP, 'http://localhost:8080'])
    expect((await send(SHOP)).status).toBe(201)
    expect((await send('http://localhost:8080')).status).toBe(201)
    expect((await send()).status).toBe(201)
    for (const origin of ['https://evil.example.org', 'http://shop.example.org', `${SHOP}:444`, 'null']) {
      const answer = await send(origin)
      expect(answer).toMatchObject({ status: 403, body: { code: 'origin_not_allowed' } })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(answer.body.detail).toContain(`"${origin}"`)
    }
    expect(await total()).toBe(3)
  })
})

it('lets the page read why it was refused', async () => {
  const { key } = await setUp()
  const refused = await ws.client(key).post(REPORT, {}, { origin: SHOP })
  expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([422, SHOP])
  expect(refused.headers['access-control-expose-headers']).toContain('Retry-After')
  const stranger = await ws.client(undefined).post(REPORT, body, { origin: SHOP })
  expect([stranger.status, stranger.headers['access-control-allow-origin']]).toEqual([401, SHOP])
})
