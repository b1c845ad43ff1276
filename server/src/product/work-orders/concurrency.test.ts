import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addLabel, addPhase } from './index.ts'
import { createWorkOrder, createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i))
const statusesOf = (answers: Answer[]) => answers.map((answer) => answer.status).sort()
const link = (resourceId: string) => ({ resourceType: 'work_order', resourceId })

const update = (api: Client, ...operations: Record<string, unknown>[]) =>
  api.post('/work_orders/batch_update', {
    request_id: 'r',
    operations: operations.map((operation, index) => ({ operation_id: `${index}`, ...operation })),
  })
const change = (id: string, patch: Record<string, unknown>) => ({
  operation_type: 'UpdateWorkOrder',
  target: { work_order_id: id },
  patch,
})
const remove = (id: string) => ({ operation_type: 'DeleteWorkOrder', target: { work_order_id: id } })

describe('creating at the same time', () => {
  it('gives 200 parallel batches the numbers 1 to 200, each once', async () => {
    const { admin } = await ws.project()
    const answers = await Promise.all(
      times(200, (index) =>
        admin.api.post('/work_orders/batch_create', {
          request_id: `parallel ${index}`,
          operations: [{ operation_id: 'a', operation_type: 'CreateWorkOrder', patch: { title: `Order ${index}` } }],
        }),
      ),
    )
    const numbers = answers.map((answer) => answer.body.results.a.work_order_number as number)
    expect(numbers.sort((a, b) => a - b)).toEqual(times(200, (index) => index + 1))
    expect((await admin.api.get('/work_orders')).body.total).toBe(200)
  })

  it('gives each batch a run of numbers in its own order', async () => {
    const { admin } = await ws.project()
    const batches = await Promise.all(times(10, () => createWorkOrders(admin.api, ...times(20, () => ({})))))
    for (const batch of batches)
      expect(batch.map((one) => one.number)).toEqual(times(20, (index) => batch[0]!.number + index))
    expect(new Set(batches.flat().map((one) => one.number)).size).toBe(200)
  })

  it('creates once when the same batch arrives many times at once, on two nodes', async () => {
    const { admin } = await ws.project()
    const apis = [admin.api, ws.client(admin.key, await ws.node())]
    const body = { request_id: 'same', operations: [{ operation_id: 'a', operation_type: 'CreateWorkOrder' }] }
    const answers = await Promise.all(times(20, (index) => apis[index % 2]!.post('/work_orders/batch_create', body)))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
    expect((await admin.api.get('/work_orders')).body.total).toBe(1)
  })

  it('lets one of several different batches with one request_id win', async () => {
    const { admin } = await ws.project()
    const answers = await Promise.all(
      times(8, (index) =>
        admin.api.post('/work_orders/batch_create', {
          request_id: 'same',
          operations: [{ operation_id: 'a', operation_type: 'CreateWorkOrder', patch: { title: `${index}` } }],
        }),
      ),
    )
    expect(statusesOf(answers)).toEqual([200, ...times(7, () => 409)])
    expect((await admin.api.get('/work_orders')).body.total).toBe(1)
  })
})

describe('changing one work order at the same time', () => {
  it('lets exactly one of two writers with the same If-Match through', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api)
    for (const round of times(15, (index) => index)) {
      const { headers } = await admin.api.get(`/work_orders/${id}`)
      const write = (text: string) =>
        admin.api.patch(
          `/work_orders/${id}/description`,
          { markdown_content: `${round} ${text}` },
          { 'if-match': headers.etag! },
        )
      const answers = await Promise.all([write('a'), write('b')])
      expect(statusesOf(answers)).toEqual([200, 412])
      const won = answers.find((answer) => answer.status === 200)!
      const lost = answers.find((answer) => answer.status === 412)!
      const now = await admin.api.get(`/work_orders/${id}`)
      expect(now.body).toEqual(won.body)
      expect(lost.body.current_etag).toBe(now.headers.etag)
    }
  })

  it('never loses the change of another field that was answered with success', async () => {
    const project = await ws.project()
    const { api, userId } = project.admin
    const ctx = project.operator
    const phase = await addPhase(ctx, { title: 'One' })
    const label = await addLabel(ctx, { title: 'a', color: 'red' })
    const others = await createWorkOrders(api, {}, {})
    for (let round = 0; round < 15; round++) {
      const { id } = await createWorkOrder(api)
      const answers = await Promise.all([
        update(api, change(id, { title: 'New' })),
        update(api, change(id, { phase_id: phase.id })),
        update(api, change(id, { assignee_id: userId })),
        update(api, change(id, { label_ids: [label.id] })),
        update(api, change(id, { connectedContext: [link(others[0]!.id)] })),
        update(api, change(id, { status: 'ready' })),
        api.patch(`/work_orders/${id}/description`, { markdown_content: 'New' }),
      ])
      expect(statusesOf(answers)).toEqual(times(7, () => 200))
      const { data } = (await api.get(`/work_orders/${id}`)).body
      expect(data).toMatchObject({ title: 'New', status: 'ready', markdown_content: 'New' })
      expect(data.phase?.id).toBe(phase.id)
      expect(data.assignee?.id).toBe(userId)
      expect(data.labels).toHaveLength(1)
      expect(data.connectedContext).toEqual([link(others[0]!.id)])
    }
  })

  it('lets exactly one of many deletes through', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api)
    const answers = await Promise.all(times(8, () => admin.api.delete(`/work_orders/${id}`)))
    expect(statusesOf(answers)).toEqual([204, ...times(7, () => 404)])
    expect((await admin.api.get('/work_orders')).body.total).toBe(0)
  })

  it('answers a comment or a change that meets a delete with success or 404', async () => {
    const { admin } = await ws.project()
    const created = await createWorkOrders(admin.api, ...times(15, () => ({})))
    const answers = await Promise.all(
      created.flatMap(({ id }) => [
        admin.api.post(`/work_orders/${id}/comments`, { markdown_content: 'x' }),
        admin.api.delete(`/work_orders/${id}`),
        admin.api.patch(`/work_orders/${id}/description`, { markdown_content: 'x' }),
      ]),
    )
    for (const { status } of answers) expect([200, 201, 204, 404]).toContain(status)
    expect((await admin.api.get('/work_orders')).body.total).toBe(0)
  })
})

describe('connecting at the same time', () => {
  async function consistentGraph(api: Client) {
    const { items } = (await api.get('/work_orders?page_size=100')).body
    const graph = new Map<string, string[]>()
    for (const { id } of items) {
      const { connectedContext } = (await api.get(`/work_orders/${id}`)).body.data
      graph.set(
        id,
        connectedContext.map((one: { resourceId: string }) => one.resourceId),
      )
    }
    for (const [id, linked] of graph) for (const other of linked) expect(graph.get(other)).toContain(id)
    return graph
  }

  it('answers every batch with 200 when all connect to each other', async () => {
    const { admin } = await ws.project()
    for (let round = 0; round < 3; round++) {
      const ids = (await createWorkOrders(admin.api, ...times(24, () => ({})))).map((one) => one.id)
      const answers = await Promise.all(
        ids.map((own, index) => {
          const links = ids.filter((id) => id !== own).map(link)
          return update(admin.api, change(own, { connectedContext: index % 2 === 0 ? links : links.reverse() }))
        }),
      )
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
      const graph = await consistentGraph(admin.api)
      for (const id of ids) expect(graph.get(id)).toHaveLength(23)
    }
  })

  it('answers every batch with 200 when others connect, let go, delete and create', async () => {
    const { admin } = await ws.project()
    for (let round = 0; round < 3; round++) {
      const ids = (await createWorkOrders(admin.api, ...times(16, () => ({})))).map((one) => one.id)
      const others = (own: string) => ids.filter((id) => id !== own).map(link)
      await update(admin.api, ...ids.map((id) => change(id, { connectedContext: others(id) })))
      const answers = await Promise.all([
        ...ids.slice(8).map((id) => update(admin.api, change(id, { connectedContext: [] }))),
        ...ids.slice(4, 8).map((id) => admin.api.delete(`/work_orders/${id}`)),
        ...ids.slice(8).map((id) => update(admin.api, change(id, { connectedContext: others(id).reverse() }))),
        ...ids.slice(0, 4).map((id) => update(admin.api, change(ids[15]!, { title: id }), remove(id))),
        ...ids.slice(0, 8).map((id) => createWithLinks(admin.api, [link(ids[12]!), link(id)])),
      ])
      expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200, 204]))
      const graph = await consistentGraph(admin.api)
      for (const gone of ids.slice(0, 8)) expect(graph.has(gone)).toBe(false)
      expect((await admin.api.get('/work_orders')).body.total).toBe(graph.size)
    }
  })

  let requests = 0
  const createWithLinks = (api: Client, connectedContext: unknown[]) =>
    api.post('/work_orders/batch_create', {
      request_id: `linked ${++requests}`,
      operations: [{ operation_id: 'a', operation_type: 'CreateWorkOrder', patch: { connectedContext } }],
    })
})
