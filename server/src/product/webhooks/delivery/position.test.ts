import { describe, expect, test } from 'vitest'
import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { createWorkOrders } from '../../work-orders/work-order.factory.ts'
import { addWebhook, receiver, setUp, soon } from '../webhook.factory.ts'

const CREATED = { event_kinds: ['work_order.created'] }
const many = (count: number) => Array.from({ length: count }, (_, n) => ({ title: `WO ${n}` }))

describe('the position in the log', () => {
  test('passes no event of a transaction that commits later than one with a higher id', async () => {
    const { ws, api, node, project } = await setUp()
    const { url, messages } = await receiver()
    node()
    await addWebhook(api, url, { event_kinds: ['work_order.created', 'label.created'] })
    await createWorkOrders(api, ...many(3))
    await soon(() => messages.length === 3)
    let commit: (value?: unknown) => void = () => undefined
    const held = new Promise((resolve) => {
      commit = resolve
    })
    const late = uuidv7()
    let isOpen: (value?: unknown) => void = () => undefined
    const open = new Promise((resolve) => {
      isOpen = resolve
    })
    const slow = inTransaction(project.operator, async (ctx) => {
      await recordEvent(ctx, { kind: 'label.created', subjectType: 'label', subjectId: late })
      await ctx.db`select 1`
      isOpen()
      await held
    })
    await open
    for (let round = 1; round <= 6; round++) {
      // As if the time had passed after which the position moves on.
      await ws.sql`update webhooks set marked_at = now() - interval '1 minute'`
      await createWorkOrders(api, ...many(2))
      await soon(() => messages.length === 3 + round * 2)
    }
    commit()
    await slow
    await soon(() => messages.some(({ body }) => body.data.subject_id === late))
    expect(messages.filter(({ body }) => body.data.subject_id === late)).toHaveLength(1)
    expect(messages).toHaveLength(16)
    await ws.sql`update webhooks set marked_at = now() - interval '1 minute'`
    await createWorkOrders(api, ...many(1))
    await soon(async () => {
      const [row] =
        await ws.sql`select settled::int, (select id::int from events where subject_id = ${late}) as late from webhooks`
      return row!.settled >= row!.late
    })
  })

  test('is where the next node goes on after one was lost, and nothing is left out', async () => {
    const { ws, api, node } = await setUp()
    let isHanging = true
    const never = new Promise(() => undefined)
    const { url, messages } = await receiver(() => (isHanging ? { after: never } : {}))
    const { path } = await addWebhook(api, url, CREATED)
    node({ leaseMs: 60_000 })
    await createWorkOrders(api, ...many(60))
    await soon(() => messages.length === 16)
    // The node is gone: it neither stores outcomes nor renews its lease.
    await ws.sql`update webhooks set node_id = ${uuidv7()}, leased_until = now() - interval '1 second'`
    isHanging = false
    node({ leaseMs: 1_000 })
    await soon(() => new Set(messages.slice(16).map(({ body }) => body.data.id)).size === 60)
    await soon(async () => (await api.get(`${path}/deliveries?status=pending`)).body.items.length === 0)
    const { items } = (await api.get(`${path}/deliveries?limit=100`)).body
    expect(items.map(({ status }: { status: string }) => status)).toEqual(Array.from({ length: 60 }, () => 'succeeded'))
  })

  test('is kept by one node at a time: several deliver everything once', async () => {
    const { ws, api, node } = await setUp()
    const { url, messages } = await receiver()
    for (let index = 0; index < 3; index++) node({ leaseMs: 3_000 })
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
