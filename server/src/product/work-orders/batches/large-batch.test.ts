import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { addLabel, addPhase } from '../index.ts'
import { createWorkOrders } from '../work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

interface Outcome {
  status: string
  work_order_id: string
  work_order_number: number
}

async function setUp() {
  const project = await ws.project()
  const { api, userId } = project.admin
  const ctx = project.operator
  const phase = await addPhase(ctx, { title: 'One' })
  const label = await addLabel(ctx, { title: 'a', color: 'red' })
  const [anchor] = await createWorkOrders(api, { title: 'Anchor' })
  const values = (index: number) => ({
    title: `Order ${index}`,
    markdown_content: `Text ${index}`,
    status: index % 2 === 0 ? 'ready' : 'blocked',
    assignee_id: userId,
    phase_id: phase.id,
    label_ids: [label.id],
    connectedContext: [{ resourceType: 'work_order', resourceId: anchor!.id }],
  })
  let requests = 0
  const send = async (endpoint: string, operations: Record<string, unknown>[]): Promise<Outcome[]> => {
    const { status, body } = await api.post(`/work_orders/${endpoint}`, {
      request_id: `r${++requests}`,
      operations: operations.map((operation, index) => ({ operation_id: `op${index}`, ...operation })),
    })
    expect(status).toBe(200)
    return operations.map((_, index) => body.results[`op${index}`])
  }
  const create = (count: number, wrong = (_index: number) => false) =>
    send(
      'batch_create',
      Array.from({ length: count }, (_, index) => ({
        operation_type: 'CreateWorkOrder',
        patch: wrong(index) ? { status: 'done' } : values(index),
      })),
    )
  const change = (ids: string[], operation: Record<string, unknown>) =>
    send(
      'batch_update',
      ids.map((id) => ({ target: { work_order_id: id }, ...operation })),
    )
  return { api, anchor: anchor!.id, create, change, values }
}

/** Keys are checked by the clock, which does not belong to a batch. */
const BESIDE = /agent_calls|api_keys|pg_notify/

/** How many statements the database is sent while something runs. */
async function statements(run: () => Promise<unknown>): Promise<number> {
  let count = 0
  ws.sql.onStatement = (statement) => {
    if (!BESIDE.test(statement)) count++
  }
  await run()
  ws.sql.onStatement = undefined
  return count
}

describe('a batch of 500 creates', () => {
  it('creates each with its own values, numbered in order', async () => {
    const { api, anchor, create } = await setUp()
    const results = await create(500)
    expect(results.map((one) => one.work_order_number)).toEqual(Array.from({ length: 500 }, (_, index) => index + 2))
    expect(new Set(results.map((one) => one.work_order_id)).size).toBe(500)
    for (const index of [0, 249, 499]) {
      const { data } = (await api.get(`/work_orders/${results[index]!.work_order_id}`)).body
      expect(data).toMatchObject({
        work_order_number: index + 2,
        title: `Order ${index}`,
        markdown_content: `Text ${index}`,
        status: index % 2 === 0 ? 'ready' : 'blocked',
        connectedContext: [{ resourceType: 'work_order', resourceId: anchor }],
      })
      expect([data.phase.title, data.labels.length, data.assignee.id.length]).toEqual(['One', 1, 36])
    }
    expect((await api.get('/work_orders')).body.total).toBe(501)
    expect((await api.get('/work_orders?status=ready')).body.total).toBe(250)
    expect((await api.get(`/work_orders/${anchor}`)).body.data.connectedContext).toHaveLength(500)
  })

  it('reports each operation alone', async () => {
    const { api, create } = await setUp()
    const results = await create(500, (index) => index % 5 === 0)
    for (const [index, { status }] of results.entries()) expect(status).toBe(index % 5 === 0 ? 'failed' : 'succeeded')
    expect((await api.get('/work_orders')).body.total).toBe(401)
  })
})

describe('the number of statements does not grow with the batch', () => {
  it('that creates', async () => {
    const { create } = await setUp()
    await create(1)
    const [few, many] = [await statements(() => create(2)), await statements(() => create(500))]
    expect(few).toBeGreaterThan(0)
    expect(many).toBe(few)
  })

  it.each([
    ['changes', { operation_type: 'UpdateWorkOrder', patch: { title: 'New', label_ids: [], connectedContext: [] } }],
    ['deletes', { operation_type: 'DeleteWorkOrder' }],
  ])('that %s', async (_, operation) => {
    const { create, change } = await setUp()
    const ids = (await create(500)).map((one) => one.work_order_id)
    await change(ids.slice(0, 1), operation)
    const few = await statements(() => change(ids.slice(1, 3), operation))
    const many = await statements(() => change(ids.slice(3), operation))
    expect(few).toBeGreaterThan(0)
    expect(many).toBe(few)
  })
})
