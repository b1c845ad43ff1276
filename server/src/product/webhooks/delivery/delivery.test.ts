import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { createWorkOrder, createWorkOrders } from '../../work-orders/work-order.factory.ts'
import { addWebhook, type Message, receiver, setUp, soon } from '../webhook.factory.ts'
import { MAX_AT_ONCE } from './delivery-queries.ts'

const verify = (secret: string, { text, headers }: Message) =>
  new Webhook(secret).verify(text, headers as Record<string, string>)

/** All events of a project since a webhook was made, without those about itself. */
const logOf = async ({ sql }: { sql: Awaited<ReturnType<typeof setUp>>['ws']['sql'] }, projectId: string, id: string) =>
  (
    await sql`select id::text from events where project_id = ${projectId} and subject_id <> ${id}
      and id > (select min(id) from events where subject_id = ${id}) order by id`
  ).map((row) => row.id as string)

const idsOf = (messages: Message[]) => messages.map(({ body }) => body.data.id as string)

describe('a delivery', () => {
  test('is a Standard Webhook: signed, with the event of the log', async () => {
    const { api, node, project } = await setUp()
    const { url, messages } = await receiver()
    node()
    const { secret } = await addWebhook(api, url)
    const { id } = await createWorkOrder(api, { title: 'Hello' })
    await soon(() => messages.length > 0)
    const [message] = messages
    expect(verify(secret, message!)).toEqual(message!.body)
    expect(message!.headers['content-type']).toBe('application/json')
    expect(message!.body).toMatchObject({
      type: 'work_order.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        project_id: project.id,
        subject_type: 'work_order',
        subject_id: id,
        actor: { origin: 'external_api', user_id: project.admin.userId, key_id: project.admin.keyId },
        payload: { title: 'Hello' },
      },
    })
    const other = { ...message!, text: message!.text.replace('Hello', 'Hallo') }
    expect(() => verify(secret, other)).toThrow()
  })

  test('happens for exactly the events of the log that the webhook waits for', async () => {
    const { ws, api, node, project } = await setUp()
    const [all, some] = [await receiver(), await receiver()]
    await createWorkOrder(api, { title: 'Before' })
    const first = await addWebhook(api, all.url)
    await addWebhook(api, some.url, { event_kinds: ['work_order.status_changed', 'label.*'] })
    const made = await createWorkOrders(api, ...Array.from({ length: 30 }, (_, n) => ({ title: `WO ${n}` })))
    node()
    await Promise.all(
      made.map(({ id }) =>
        api.post('/work_orders/batch_update', {
          request_id: id,
          operations: [
            {
              operation_id: '1',
              operation_type: 'UpdateStatus',
              target: { work_order_id: id },
              patch: { status: 'ready' },
            },
          ],
        }),
      ),
    )
    const log = await logOf(ws, project.id, first.id)
    await soon(() => all.messages.length >= log.length && some.messages.length >= 30)
    expect(idsOf(all.messages).sort()).toEqual([...log].sort())
    expect(new Set(some.kinds())).toEqual(new Set(['work_order.status_changed']))
    expect(some.messages).toHaveLength(30)
  })

  test('keeps the order of each subject, while a failing one holds up nobody else', async () => {
    const { api, node } = await setUp()
    let isBroken = true
    let stuck = ''
    const { url, messages } = await receiver(({ body }) =>
      isBroken && body.data.subject_id === stuck ? { status: 500, text: 'not now' } : {},
    )
    const made = await createWorkOrders(api, ...Array.from({ length: 5 }, (_, n) => ({ title: `WO ${n}` })))
    stuck = made[0]!.id
    const { path } = await addWebhook(api, url, { event_kinds: ['work_order.status_changed'] })
    node({ retriesMs: Array.from({ length: 1000 }, () => 50) })
    const statuses = ['ready', 'in_progress', 'in_review', 'completed']
    for (const status of statuses)
      for (const { id } of made)
        await api.post('/work_orders/batch_update', {
          request_id: `${id} ${status}`,
          operations: [
            { operation_id: '1', operation_type: 'UpdateStatus', target: { work_order_id: id }, patch: { status } },
          ],
        })
    const sentTo = (id: string) =>
      messages.filter(({ body }) => body.data.subject_id === id).map(({ body }) => body.data.payload.to as string)
    await soon(() => made.slice(1).every(({ id }) => sentTo(id).length === 4) && sentTo(stuck).length > 2)
    for (const { id } of made.slice(1)) expect(sentTo(id)).toEqual(statuses)
    expect(new Set(sentTo(stuck))).toEqual(new Set(['ready']))
    const waiting = (await api.get(`${path}/deliveries?status=pending`)).body.items
    expect(waiting).toHaveLength(4)
    expect(waiting.at(-1)).toMatchObject({
      response_status: 500,
      response_excerpt: 'not now',
      error: 'It answered 500.',
    })
    expect(waiting.at(-1).attempts).toBeGreaterThan(0)
    expect(waiting[0].attempts).toBe(0)
    isBroken = false
    await soon(() => sentTo(stuck).at(-1) === 'completed')
    expect(sentTo(stuck).filter((status, at, all) => status !== all[at - 1])).toEqual(statuses)
    const ids = messages.filter(({ body }) => body.data.payload.to === 'ready' && body.data.subject_id === stuck)
    expect(new Set(ids.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('by a slow receiver holds up no other webhook', async () => {
    const { api, node } = await setUp()
    let release: (value?: unknown) => void = () => undefined
    const after = new Promise((resolve) => {
      release = resolve
    })
    const slow = await receiver(() => ({ after }))
    const quick = await receiver()
    await addWebhook(api, slow.url, { event_kinds: ['work_order.created'] })
    await addWebhook(api, quick.url, { event_kinds: ['work_order.created'] })
    node()
    await createWorkOrders(api, ...Array.from({ length: 50 }, (_, n) => ({ title: `WO ${n}` })))
    await soon(() => quick.messages.length === 50)
    expect(slow.messages.length).toBeLessThanOrEqual(MAX_AT_ONCE)
    release()
    await soon(() => slow.messages.length === 50)
  })

  test('gives up after the last retry, can be repeated by hand, and is listed newest first', async () => {
    const { api, node } = await setUp()
    let isBroken = true
    const { url, messages } = await receiver(() => (isBroken ? { status: 503 } : { status: 200, text: 'thanks' }))
    const { path } = await addWebhook(api, url, { event_kinds: ['work_order.created'] })
    node({ retriesMs: [20, 20] })
    await createWorkOrder(api)
    const failed = await soon(async () => (await api.get(`${path}/deliveries?status=failed`)).body.items[0])
    expect(failed).toMatchObject({
      event_kind: 'work_order.created',
      attempts: 3,
      next_attempt_at: null,
      response_status: 503,
    })
    expect(messages).toHaveLength(3)
    isBroken = false
    await createWorkOrder(api, { title: 'Second' })
    await soon(() => messages.length === 4)
    const again = await api.post(`${path}/deliveries/${failed.id}/redeliver`)
    expect(again.body.data).toMatchObject({ id: failed.id, status: 'pending' })
    await soon(() => messages.length === 5)
    expect(messages[4]!.headers['webhook-id']).toBe(messages[0]!.headers['webhook-id'])
    const all = await soon(async () => {
      const { items } = (await api.get(`${path}/deliveries?status=succeeded`)).body
      return items.length === 2 && items
    })
    expect(all[1]).toMatchObject({ id: failed.id, attempts: 1, response_excerpt: 'thanks', error: null })
    const page = (await api.get(`${path}/deliveries?limit=1`)).body
    expect(page.items[0].id).toBe(all[0].id)
    expect((await api.get(`${path}/deliveries?limit=1&before=${page.next_before}`)).body.items[0].id).toBe(failed.id)
  })

  test('of a ping goes to one webhook only, whatever it waits for', async () => {
    const { api, node } = await setUp()
    const [one, other] = [await receiver(), await receiver()]
    node()
    const { path, id } = await addWebhook(api, one.url, { event_kinds: ['theme.created'] })
    await addWebhook(api, other.url)
    expect((await api.post(`${path}/test`)).status).toBe(204)
    await soon(() => one.messages.length > 0)
    await createWorkOrder(api)
    await soon(() => other.kinds().includes('work_order.created'))
    expect(one.kinds()).toEqual(['webhook.ping'])
    expect(one.messages[0]!.body.data.subject_id).toBe(id)
    expect(other.kinds()).not.toContain('webhook.ping')
  })

  test('is signed with both secrets after a rotation', async () => {
    const { api, node } = await setUp()
    const { url, messages } = await receiver()
    node()
    const { path, secret } = await addWebhook(api, url)
    const rotated = (await api.post(`${path}/rotate_secret`)).body.data
    expect(rotated.secret).not.toBe(secret)
    expect(Date.parse(rotated.webhook.previous_secret_until)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
    await createWorkOrder(api)
    const message = await soon(() => messages.find(({ headers }) => headers['webhook-signature']!.includes(' ')))
    for (const one of [secret, rotated.secret]) expect(verify(one, message)).toEqual(message.body)
  })
})

describe('a webhook that fails', () => {
  test('with 410 is disabled at once, with the reason and an event', async () => {
    const { ws, api, node, project } = await setUp()
    const { url } = await receiver(() => ({ status: 410 }))
    node()
    const { path, id } = await addWebhook(api, url)
    await createWorkOrder(api)
    const webhook = await soon(async () => {
      const { data } = (await api.get(path)).body
      return !data.enabled && data
    })
    expect(webhook.disabled_reason).toContain('410')
    const [event] = await ws.sql`select origin, payload from events
      where project_id = ${project.id} and kind = 'webhook.disabled' and subject_id = ${id}`
    expect(event).toMatchObject({ origin: 'system', payload: { disabled_reason: webhook.disabled_reason } })
    expect((await api.patch(path, { enabled: true })).body.data).toMatchObject({ enabled: true, disabled_reason: null })
  })

  test('for too long is disabled; one that works again is not', async () => {
    const { api, node } = await setUp()
    const dead = await receiver(() => ({ status: 500 }))
    const lame = await receiver((_message, count) => ({ status: count === 1 ? 500 : 204 }))
    const first = await addWebhook(api, dead.url)
    const second = await addWebhook(api, lame.url)
    node({ retriesMs: Array.from({ length: 50 }, () => 30), failingAllowedMs: 500 })
    await createWorkOrder(api)
    const failing = await soon(async () => {
      const { data } = (await api.get(first.path)).body
      return !data.enabled && data
    })
    expect(failing.disabled_reason).toContain('It answered 500.')
    expect(failing.failing_since).not.toBeNull()
    await soon(async () => (await api.get(second.path)).body.data.failing_since === null && lame.messages.length > 1)
    expect((await api.get(second.path)).body.data.enabled).toBe(true)
  })

  test('is not sent what happened while it was disabled', async () => {
    const { api, node } = await setUp()
    const { url, messages } = await receiver()
    node()
    const { path } = await addWebhook(api, url, { event_kinds: ['work_order.created'] })
    await api.patch(path, { enabled: false })
    await createWorkOrder(api, { title: 'Unseen' })
    await api.patch(path, { enabled: true })
    await createWorkOrder(api, { title: 'Seen' })
    await soon(() => messages.length > 0)
    expect(messages.map(({ body }) => body.data.payload.title)).toEqual(['Seen'])
  })

  test('because it redirects or lies in the own network is never followed there', async () => {
    const { api, node, ws } = await setUp({ WEBHOOK_PRIVATE_HOSTS: 'off' })
    const inside = await receiver()
    node({ retriesMs: [] })
    const { path, id } = await addWebhook(api, 'https://hooks.example.org/')
    // A name that is public when the webhook is made, and private when it is called.
    const port = new URL(inside.url).port
    await ws.sql`update webhooks set url = ${`http://localhost:${port}/hook`}, updated_at = clock_timestamp() where id = ${id}`
    await createWorkOrder(api)
    const [delivery] = await soon(async () => {
      const { items } = (await api.get(`${path}/deliveries?status=failed`)).body
      return items.length > 0 && items
    })
    expect(delivery.error).toContain("is in the server's own network")
    expect(delivery.error).toContain('WEBHOOK_PRIVATE_HOSTS=on')
    expect(inside.messages).toEqual([])
  })

  test('because it redirects is not followed', async () => {
    const { api, node } = await setUp()
    const inside = await receiver()
    const outside = await receiver(() => ({ status: 307, headers: { location: inside.url } }))
    node({ retriesMs: [] })
    const { path } = await addWebhook(api, outside.url)
    await createWorkOrder(api)
    const [delivery] = await soon(async () => {
      const { items } = (await api.get(`${path}/deliveries?status=failed`)).body
      return items.length > 0 && items
    })
    expect(delivery.error).toContain('redirects are not followed')
    expect(inside.messages).toEqual([])
  })
})
