import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { signedInMember } from '../../faces/app-api/visitor.factory.ts'
import { createAutomation } from '../automations/automation.factory.ts'
import { addBlueprint, openDocument } from '../live-texts/live.factory.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { addKey, addMember } from './index.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function team() {
  const project = await ws.project()
  const admin = await signedInMember(ws, project, 'admin')
  const editor = await signedInMember(ws, project, 'editor')
  const listed = async (id: string) =>
    (await admin.call('GET', '/api_keys')).body.items.find((one: { id: string }) => one.id === id)
  return { project, admin, editor, listed }
}
type Team = Awaited<ReturnType<typeof team>>

const newKey = async (who: Team['admin'], body: object = {}) =>
  (await who.call('POST', '/api_keys', { name: 'Release bot', ...body })).body.data as { id: string; key: string }

const mcp = async (key: string, name: string, input: object) => {
  if (!ws.app.server.listening) await ws.app.listen({ port: 0, host: '127.0.0.1' })
  const res = await fetch(`http://127.0.0.1:${(ws.app.server.address() as AddressInfo).port}/mcp`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
  })
  return res.text()
}

describe('the key of another member', () => {
  test('is rotated by an admin into a key that acts as the admin, with no more rights than before', async () => {
    const { project, admin, editor, listed } = await team()
    const { id, key } = await newKey(editor)
    const { status, body } = await admin.call('POST', `/api_keys/${id}/rotate`)
    expect(status).toBe(201)
    await eventually(async () => (await ws.client(key).get('/users')).status === 401)
    expect(await listed(body.data.id)).toMatchObject({
      name: 'Release bot',
      acts_as: { id: admin.user.id },
      role: 'editor',
      max_role: 'editor',
    })
    const order = await createWorkOrder(ws.client(body.data.key), { title: 'By whom?' })
    const [made] =
      await ws.sql`select user_id from events where subject_id = ${order.id} and kind = 'work_order.created'`
    expect(made).toEqual({ user_id: admin.user.id })
    const events = await ws.sql<{ kind: string; user_id: string; payload: object }[]>`
      select kind, user_id, payload from events where project_id = ${project.id}
        and (subject_id = ${body.data.id} or (subject_id = ${id} and kind = 'api_key.revoked')) order by id`
    expect(events).toMatchObject([
      { kind: 'api_key.revoked', user_id: admin.user.id, payload: { user_id: editor.user.id } },
      {
        kind: 'api_key.created',
        user_id: admin.user.id,
        payload: { user_id: admin.user.id, replaces: { id, user_id: editor.user.id } },
      },
    ])
  })

  test('is never made by an admin', async () => {
    const { project, admin, editor } = await team()
    const actor = { ...project.operator.actor, origin: 'user' as const, userId: admin.user.id }
    const made = addKey({ ...project.operator, actor }, { kind: 'external', userId: editor.user.id, name: 'Mine' })
    await expect(made).rejects.toMatchObject({ status: 403, code: 'not_your_key' })
  })
})

describe('a key with a role', () => {
  test('has at most the role of its owner, now and later', async () => {
    const { project, editor, listed } = await team()
    const refused = await editor.call('POST', '/api_keys', { name: 'More', role: 'admin' })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/role' }] } })
    expect(refused.body.errors[0].detail).toContain('"editor"')
    const { id, key } = await newKey(editor, { role: 'editor' })
    expect(await listed(id)).toMatchObject({ role: 'editor', max_role: 'editor' })
    await addMember(project.operator, editor.user.id, 'viewer')
    expect(await listed(id)).toMatchObject({ role: 'viewer', max_role: 'editor' })
    await eventually(async () => (await ws.client(key).post('/blueprints', { title: 'No' })).status === 403)
    await addMember(project.operator, editor.user.id, 'admin')
    expect(await listed(id)).toMatchObject({ role: 'editor', max_role: 'editor' })
    await eventually(async () => (await ws.client(key).post('/blueprints', { title: 'Yes' })).status === 201)
    expect((await ws.client(key).get('/webhooks')).status).toBe(403)
  })

  test('reads only, as a viewer: in the API, over MCP and in live documents', async () => {
    const { project, admin } = await team()
    const { key } = await newKey(admin, { role: 'viewer' })
    const api = ws.client(key)
    const order = await createWorkOrder(project.admin.api)
    expect((await api.get(`/work_orders/${order.id}`)).status).toBe(200)
    const writes = [
      api.post('/blueprints', { title: 'No' }),
      api.post('/automations', { name: 'No', user_prompt: 'Write.', triggers: [] }),
      api.get('/webhooks'),
      api.post('/exports'),
    ]
    expect((await Promise.all(writes)).map(({ status }) => status)).toEqual([403, 403, 403, 403])
    expect(await mcp(key, 'comment_work_order', { work_order_id: order.id, markdown_content: 'No' })).toMatch(/viewer/)
    expect((await project.admin.api.get(`/work_orders/${order.id}/comments`)).body.items).toEqual([])
    const blueprint = await addBlueprint(project.admin, 'Said.')
    const editor = await openDocument(ws.app, { ...project.admin, key }, blueprint)
    expect(editor.provider.authorizedScope).toBe('readonly')
  })

  test('below the role of its owner starts nothing that acts with the rights of the owner', async () => {
    const { admin } = await team()
    const own = ws.client((await newKey(admin)).key)
    const limited = ws.client((await newKey(admin, { role: 'editor' })).key)
    const { id } = await createAutomation(own)
    const path = `/automations/${id}`
    const answers = [
      await limited.post('/automations', { name: 'Delete', user_prompt: 'Delete comments.', triggers: [] }),
      await limited.patch(path, { user_prompt: 'Delete comments.' }),
      await limited.post(`${path}/runs`),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(3).fill([403, 'key_below_owner']))
    expect((await limited.post('/blueprints', { title: 'Yes' })).status).toBe(201)
  })

  test('keeps it when its owner rotates it', async () => {
    const { admin, listed } = await team()
    const { id } = await newKey(admin, { role: 'viewer' })
    const { body } = await admin.call('POST', `/api_keys/${id}/rotate`)
    expect(await listed(body.data.id)).toMatchObject({ role: 'viewer', max_role: 'viewer' })
  })

  test('cannot be a reporting key, which only sends reports', async () => {
    const { admin } = await team()
    const refused = await admin.call('POST', '/api_keys', { name: 'Shop', kind: 'reporting', role: 'editor' })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/role' }] } })
  })
})

describe('the origins of a reporting key', () => {
  test('are set by those who manage it, hold at once, and are refused if no browser sends them', async () => {
    const { admin, editor, listed } = await team()
    const allowed_origins = ['https://shop.example.org', 'HTTPS://shop.example.org']
    const { id, key } = await newKey(editor, { kind: 'reporting', allowed_origins })
    expect((await listed(id)).allowed_origins).toEqual(['https://shop.example.org'])
    const report = { end_user_email: 'a@example.org', content: 'x' }
    const send = async (origin: string) =>
      (await ws.client(key).post('/v2/reporting-api/feedback', report, { origin })).status
    expect(await send('https://help.example.org')).toBe(403)
    const set = (who: Team['admin'], origins: string[] | null) =>
      who.call('PATCH', `/api_keys/${id}`, { allowed_origins: origins })
    expect((await set(admin, ['https://help.example.org'])).status).toBe(204)
    await eventually(async () => (await send('https://help.example.org')) === 201)
    expect(await send('https://shop.example.org')).toBe(403)
    expect((await set(editor, null)).status).toBe(204)
    await eventually(async () => (await send('https://shop.example.org')) === 201)
    const refused = await set(editor, ['https://shop.example.org/cart'])
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([422, '/allowed_origins/0'])
    const stranger = (await team()).admin
    expect((await set(stranger, null)).status).toBe(404)
    expect((await admin.call('POST', '/api_keys', { name: 'x', allowed_origins })).status).toBe(422)
  })
})
