import { describe, expect, onTestFinished, test } from 'vitest'
import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { labelEvents } from '../../work-orders/events.ts'
import { createWorkOrder, createWorkOrders } from '../../work-orders/work-order.factory.ts'
import { addWebhook, receiver, setUp, soon } from '../webhook.factory.ts'
import { MAX_AT_ONCE, resumeDeliveries } from './delivery-queries.ts'

const CREATED = { event_kinds: ['work_order.created'] }
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `WO ${n}` }))
const never = new Promise(() => undefined)

describe('no event is lost', () => {
  test('whose transaction commits after others that began later, and one that is rolled back is not sent', async () => {
    const { api, node, project } = await setUp()
    const { url, messages } = await receiver()
    node()
    await addWebhook(api, url, { event_kinds: ['work_order.created', 'label.created'] })
    await createWorkOrder(api)
    await soon(() => messages.length === 1)
    const record = (subjectId: string, then: () => Promise<unknown>) =>
      inTransaction(project.operator, async (ctx) => {
        await recordEvent(ctx, labelEvents.created(subjectId, { title: 'Late', color: 'gray' }))
        await ctx.db`select 1`
        await then()
      })
    const changed = record(uuidv7(), () => Promise.reject(new Error('It changed its mind.')))
    await expect(changed).rejects.toThrow('changed its mind')
    const late = uuidv7()
    let commit: (value?: unknown) => void = () => undefined
    const held = new Promise((resolve) => {
      commit = resolve
    })
    onTestFinished(() => commit())
    let slow: Promise<unknown> = Promise.resolve()
    await new Promise<void>((isOpen) => {
      slow = record(late, () => {
        isOpen()
        return held
      })
    })
    await createWorkOrders(api, ...many(6))
    await soon(() => messages.length === 7)
    commit()
    await slow
    await soon(() => messages.length === 8)
    expect(messages.at(-1)!.body.data.subject_id).toBe(late)
  })

  test('that a node was sending when it died: another sends it again', async () => {
    const { ws, api, node } = await setUp()
    let isHanging = true
    const { url, messages } = await receiver(() => (isHanging ? { after: never } : {}))
    const { path } = await addWebhook(api, url, CREATED)
    const first = node()
    await createWorkOrders(api, ...many(MAX_AT_ONCE))
    await soon(() => messages.length === MAX_AT_ONCE)
    // The node is gone: it stores no outcome, and its claims end.
    await first.stop(0)
    await createWorkOrders(api, ...many(60 - MAX_AT_ONCE))
    await ws.sql`update webhook_deliveries set claimed_until = now() where claimed_until is not null`
    isHanging = false
    node()
    await resumeDeliveries(ws.sql)
    await soon(() => new Set(messages.slice(MAX_AT_ONCE).map(({ body }) => body.data.id)).size === 60)
    await soon(async () => (await api.get(`${path}/deliveries?status=pending`)).body.items.length === 0)
    const { items } = (await api.get(`${path}/deliveries?limit=100`)).body
    expect(items.map(({ status }: { status: string }) => status)).toEqual(Array.from({ length: 60 }, () => 'succeeded'))
    expect(messages).toHaveLength(60 + MAX_AT_ONCE)
  })

  test('or sent twice by several nodes', async () => {
    const { ws, api, node } = await setUp()
    const { url, messages } = await receiver()
    for (let index = 0; index < 3; index++) node()
    await addWebhook(api, url, CREATED)
    for (let round = 0; round < 8; round++) await createWorkOrders(api, ...many(25))
    await soon(async () => {
      const [row] = await ws.sql`select count(*)::int as done from webhook_deliveries where status = 'succeeded'`
      return row!.done === 200
    })
    expect(messages).toHaveLength(200)
    expect(await ws.sql`select 1 from webhook_deliveries where attempts <> 1`).toEqual([])
    expect(new Set(messages.map(({ body }) => body.data.id)).size).toBe(200)
  })
})

test('a project whose receivers all hang stalls no other project', async () => {
  const { ws, api, node } = await setUp()
  const hanging = await receiver(() => ({ after: never }))
  const quick = await receiver()
  for (let count = 0; count < 50; count++) await addWebhook(api, hanging.url, CREATED)
  const other = await ws.project()
  await addWebhook(other.admin.api, quick.url, CREATED)
  await createWorkOrders(api, ...many(20))
  node()
  await soon(() => hanging.messages.length === 50 * MAX_AT_ONCE)
  await createWorkOrder(other.admin.api)
  await soon(() => quick.messages.length === 1)
  expect(hanging.messages).toHaveLength(50 * MAX_AT_ONCE)
})
