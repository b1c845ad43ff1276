import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { addWebhook, settings } from './webhook.factory.ts'

let workspace: Workspace
let closed: Workspace
beforeAll(async () => {
  workspace = await openWorkspace({ settings: settings() })
  closed = await openWorkspace({ settings: settings({ WEBHOOK_PRIVATE_HOSTS: 'off' }) })
})
afterAll(() => Promise.all([workspace.close(), closed.close()]))

const URL = 'https://hooks.example.org/slipway'

describe('a webhook', () => {
  test('is made, read, changed and deleted by an admin, and shows its secret once', async () => {
    const { admin } = await workspace.project()
    const { api } = admin
    const made = await api.post('/webhooks', {
      name: ' Board ',
      url: URL,
      event_kinds: ['work_order.*', 'theme.created'],
    })
    expect(made.status).toBe(201)
    const { webhook, secret } = made.body.data
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhook).toMatchObject({
      object: 'webhook',
      name: 'Board',
      url: URL,
      event_kinds: ['work_order.*', 'theme.created'],
      enabled: true,
      disabled_reason: null,
      failing_since: null,
    })
    const path = `/webhooks/${webhook.id}`
    const read = await api.get(path)
    expect(read.body.data).toEqual(webhook)
    expect(read.text + (await api.get('/webhooks')).text).not.toContain(secret.slice(6))
    const [row] = await workspace.sql`select sealed_secret from webhooks where id = ${webhook.id}`
    expect(row!.sealed_secret).not.toContain(secret.slice(6))

    const changed = await api.patch(path, { name: 'Wall', event_kinds: null, enabled: false })
    expect(changed.body.data).toMatchObject({ name: 'Wall', event_kinds: null, enabled: false, url: URL })
    expect((await api.post(`${path}/test`)).body).toMatchObject({ status: 409, code: 'webhook_disabled' })
    expect((await api.patch(path, { enabled: true })).body.data.enabled).toBe(true)
    expect((await api.delete(path)).status).toBe(204)
    expect((await api.get(path)).status).toBe(404)
    const kinds = await workspace.sql`select kind, payload from events where subject_id = ${webhook.id} order by id`
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'webhook.created',
      'webhook.disabled',
      'webhook.updated',
      'webhook.deleted',
    ])
    expect(JSON.stringify(kinds)).not.toContain('/slipway')
  })

  test('is nobody else’s: editors and viewers get 403, other projects 404, no key 401', async () => {
    const project = await workspace.project()
    const { path } = await addWebhook(project.admin.api, URL)
    for (const role of ['editor', 'viewer'] as const) {
      const { api } = await project.join(role)
      for (const answer of [await api.get('/webhooks'), await api.get(path), await api.get(`${path}/deliveries`)])
        expect(answer.body).toMatchObject({ status: 403, code: 'not_admin' })
      for (const answer of [
        await api.post('/webhooks', { name: 'x', url: URL }),
        await api.patch(path, { name: 'x' }),
        await api.post(`${path}/rotate_secret`),
        await api.post(`${path}/test`),
        await api.post(`${path}/deliveries/1/redeliver`),
        await api.delete(path),
      ])
        expect(answer.status).toBe(403)
    }
    const { api: stranger } = (await workspace.project()).admin
    const missing = `/webhooks/${uuidv7()}`
    for (const other of [path, missing])
      for (const answer of [
        await stranger.get(other),
        await stranger.patch(other, { name: 'x' }),
        await stranger.get(`${other}/deliveries`),
        await stranger.post(`${other}/rotate_secret`),
        await stranger.delete(other),
      ])
        expect(answer.body).toMatchObject({ status: 404, code: 'not_found' })
    expect((await workspace.client(undefined).get(path)).status).toBe(401)
    expect((await project.admin.api.post(`${path}/deliveries/1/redeliver`)).status).toBe(404)
  })

  test.each([
    [{ url: 'ftp://example.org' }, '/url'],
    [{ url: 'not a url' }, '/url'],
    [{ url: 'https://me:secret@example.org' }, '/url'],
    [{ event_kinds: ['work_orders.created'] }, '/event_kinds/0'],
    [{ event_kinds: ['theme.*', 'work_order'] }, '/event_kinds/1'],
    [{ event_kinds: ['work_order.unheard_of'] }, '/event_kinds/0'],
    [{ event_kinds: ['integration.*'] }, '/event_kinds/0'],
    [{ event_kinds: [] }, '/event_kinds'],
    [{ name: ' ' }, '/name'],
  ])('is refused with %j', async (odd, pointer) => {
    const { admin } = await workspace.project()
    const { status, body } = await admin.api.post('/webhooks', { name: 'Board', url: URL, ...odd })
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe(pointer)
  })

  test.each([
    'http://localhost:3000/',
    'http://127.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'http://2130706433/',
  ])('is refused at %s unless the operator allows it', async (url) => {
    const { admin } = await closed.project()
    const { status, body } = await admin.api.post('/webhooks', { name: 'Board', url })
    expect([status, body.detail]).toEqual([422, expect.stringContaining('WEBHOOK_PRIVATE_HOSTS=on')])
  })
})
