import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { addKey, revokeKey } from '../../src/product/projects/index.ts'
import { createWorkOrder } from '../../src/product/work-orders/work-order.factory.ts'
import { type Answer, eventually, openWorkspace, type Workspace } from '../harness.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const withoutRequestId = ({ status, body, headers }: Answer) => ({
  status,
  body: { ...body, request_id: '' },
  authenticate: headers['www-authenticate'],
})

describe('a key', () => {
  test('is read from X-API-Key and Authorization: Bearer, ignoring the case of the scheme', async () => {
    const { admin } = await workspace.project()
    const anonymous = workspace.client(undefined)
    expect((await admin.api.get('/health')).status).toBe(200)
    expect((await anonymous.get('/health', { authorization: `Bearer ${admin.key}` })).status).toBe(200)
    expect((await anonymous.get('/health', { authorization: `bearer ${admin.key}` })).status).toBe(200)
  })

  test('is accepted together with an organization header', async () => {
    const { admin } = await workspace.project()
    expect((await admin.api.get('/health', { 'x-sofa-active-org-id': 'whatever' })).status).toBe(200)
  })

  test('that is missing, unknown, revoked, expired or of the wrong kind gets the same 401', async () => {
    const { admin, join, operator } = await workspace.project()
    const reporter = await join('admin', 'reporting')
    const gone = await join('admin')
    await revokeKey(operator, gone.keyId)
    const { key: late } = await addKey(operator, {
      kind: 'external',
      userId: admin.userId,
      name: 'late',
      expiresAt: '2020-01-01T00:00:00Z',
    })
    const answers = await Promise.all(
      [undefined, '', 'nonsense', `sofa-ext-${'x'.repeat(43)}`, gone.key, late, reporter.key].map((key) =>
        workspace.client(key).get('/users'),
      ),
    )
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'unauthorized' } })
    expect(answers[0]!.headers['www-authenticate']).toContain('Bearer')
    for (const answer of answers) expect(withoutRequestId(answer)).toEqual(withoutRequestId(answers[0]!))
  })

  test('is refused everywhere within a second of its revocation, without a query per request', async () => {
    const { join, operator } = await workspace.project()
    const other = await workspace.node()
    const member = await join('editor')
    const elsewhere = workspace.client(member.key, other)
    expect([(await member.api.get('/users')).status, (await elsewhere.get('/users')).status]).toEqual([200, 200])
    const revokedAt = Date.now()
    await revokeKey(operator, member.keyId)
    for (const api of [member.api, elsewhere]) await eventually(async () => (await api.get('/users')).status === 401)
    expect(Date.now() - revokedAt).toBeLessThan(1_000)
  })

  test("expires and is revoked by the database's clock, not that of a node", async () => {
    const { admin, join, operator } = await workspace.project()
    const expired = await addKey(operator, {
      kind: 'external',
      userId: admin.userId,
      name: 'expired',
      expiresAt: new Date(Date.now() - 86_400_000).toISOString(),
    })
    const member = await join('editor')
    expect((await member.api.get('/users')).status).toBe(200)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * 86_400_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect((await workspace.client(expired.key).get('/users')).status).toBe(401)
    await revokeKey(operator, member.keyId)
    await eventually(async () => (await member.api.get('/users')).status === 401)
  })

  test('stops working when its creator leaves the project, and becomes read-only when they become a viewer', async () => {
    const { join, id } = await workspace.project()
    const member = await join('editor')
    await createWorkOrder(member.api)
    await workspace.sql`update project_members set role = 'viewer' where project_id = ${id} and user_id = ${member.userId}`
    await eventually(async () => (await member.api.post('/work_orders/batch_create', {})).status === 403)
    expect((await member.api.get('/work_orders')).status).toBe(200)
    await workspace.sql`delete from project_members where project_id = ${id} and user_id = ${member.userId}`
    await eventually(async () => (await member.api.get('/work_orders')).status === 401)
  })

  test('is stored only as a hash, with the time of its last use', async () => {
    const { admin } = await workspace.project()
    await admin.api.get('/health')
    const row = await eventually(async () => {
      const [found] = await workspace.sql`select * from api_keys where id = ${admin.keyId} and last_used_at is not null`
      return found
    })
    expect(JSON.stringify(row)).not.toContain(admin.key.slice(9))
  })
})

describe('the order of checks', () => {
  test('is authentication (401), role (403), validation (422), existence (404)', async () => {
    const { join } = await workspace.project()
    const viewer = await join('viewer')
    const editor = await join('editor')
    const anonymous = workspace.client(undefined)
    const path = '/work_orders/not-a-uuid/description'
    expect((await anonymous.patch(path, '{broken')).status).toBe(401)
    expect((await viewer.api.patch(path, '{broken')).status).toBe(403)
    expect((await editor.api.patch(path, '{broken')).status).toBe(400)
    expect((await editor.api.patch(path, { markdown_content: '' })).status).toBe(422)
    const nowhere = '/work_orders/019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81/description'
    expect((await editor.api.patch(nowhere, { markdown_content: 1 })).status).toBe(422)
    expect((await editor.api.patch(nowhere, { markdown_content: '' }, { 'if-match': '"x"' })).status).toBe(404)
    expect((await anonymous.get('/nowhere')).status).toBe(401)
    expect((await anonymous.put('/users')).status).toBe(401)
  })

  test('allows a viewer every read, including searches', async () => {
    const { join } = await workspace.project()
    const viewer = await join('viewer')
    expect((await viewer.api.post('/work_orders/search', { query: 'x' })).status).toBe(200)
    expect((await viewer.api.get('/work_orders')).status).toBe(200)
    expect(await viewer.api.delete('/work_orders/019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81')).toMatchObject({
      status: 403,
      body: { code: 'viewer' },
    })
  })
})

describe('a resource in another project', () => {
  test('looks exactly like one that never existed', async () => {
    const mine = await workspace.project()
    const theirs = await workspace.project()
    const { id } = await createWorkOrder(theirs.admin.api)
    const never = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
    const normal = (answer: Answer, sent: string) =>
      JSON.parse(JSON.stringify(withoutRequestId(answer)).replaceAll(sent, '<id>'))
    const { api } = mine.admin
    for (const call of [
      (one: string) => api.get(`/work_orders/${one}`),
      (one: string) => api.delete(`/work_orders/${one}`),
      (one: string) => api.patch(`/work_orders/${one}/description`, { markdown_content: 'x' }),
      (one: string) => api.get(`/work_orders/${one}/comments`),
      (one: string) => api.post(`/work_orders/${one}/comments`, { markdown_content: 'x' }),
    ]) {
      const foreign = await call(id)
      expect(foreign.status).toBe(404)
      expect(normal(foreign, id)).toEqual(normal(await call(never), never))
    }
    expect((await theirs.admin.api.get(`/work_orders/${id}`)).status).toBe(200)
  })
})
