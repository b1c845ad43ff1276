import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { createDocument, KINDS } from './document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
})
afterAll(() => ws.close())

describe.each(KINDS)('the connected context of %s', (_, kind) => {
  const { path, object } = kind
  const setUp = async () => {
    const { api } = project.admin
    const { id } = await createDocument(api, kind, { title: 'Linked', markdown_content: '# Linked\n' })
    const link = { resourceType: object, resourceId: id }
    const order = await createWorkOrder(api, { connectedContext: [link] })
    const contextOf = async (where: string) => (await api.get(where)).body.data.connectedContext
    return { api, id, one: `${path}/${id}`, link, order, orderPath: `/work_orders/${order.id}`, contextOf }
  }
  const orderLink = (resourceId: string) => ({ resourceType: 'work_order', resourceId })

  it('is shown by the document and by the work order', async () => {
    const { api, one, link, order, orderPath, contextOf } = await setUp()
    expect(await contextOf(orderPath)).toEqual([link])
    expect(await contextOf(one)).toEqual([orderLink(order.id)])
    const second = await createWorkOrder(api, { connectedContext: [link] })
    expect(await contextOf(one)).toEqual([orderLink(order.id), orderLink(second.id)])
    const { body } = await api.patch(one, { markdown_content: 'x' })
    expect(body.data.connectedContext).toHaveLength(2)
    const { items } = (await api.get(`${one}/versions`)).body
    expect(await contextOf(`${one}/versions/${items[1].version_id}`)).toHaveLength(2)
  })

  it('contains the current title and markdown if a work order expands it', async () => {
    const { api, one, link, orderPath, contextOf } = await setUp()
    const expanded = `${orderPath}?expand_context=true`
    expect(await contextOf(expanded)).toEqual([{ ...link, title: 'Linked', markdown_content: '# Linked\n' }])
    await api.patch(`${one}/rename`, { title: 'Renamed' })
    await api.patch(one, { markdown_content: 'New\r\n' })
    expect(await contextOf(expanded)).toEqual([{ ...link, title: 'Renamed', markdown_content: 'New\r\n' }])
  })

  it('loses the document when it is deleted', async () => {
    const { api, one, orderPath, contextOf } = await setUp()
    const before = (await api.get(orderPath)).headers.etag
    expect((await api.delete(one)).status).toBe(204)
    expect(await contextOf(orderPath)).toEqual([])
    expect(await contextOf(`${orderPath}?expand_context=true`)).toEqual([])
    expect((await api.get(orderPath)).headers.etag).not.toBe(before)
  })

  it('loses the work order when that is deleted or removes the link', async () => {
    const { api, one, order, orderPath, contextOf } = await setUp()
    await api.post('/work_orders/batch_update', {
      request_id: 'r',
      operations: [
        {
          operation_id: 'a',
          operation_type: 'UpdateConnectedContext',
          target: { work_order_id: order.id },
          patch: { connectedContext: [] },
        },
      ],
    })
    expect(await contextOf(one)).toEqual([])
    const again = await setUp()
    await api.delete(again.orderPath)
    expect(await contextOf(again.one)).toEqual([])
    expect((await api.get(orderPath)).status).toBe(200)
  })

  it('stays when the document moves or loses its parent', async () => {
    const { api, id, one, order, contextOf } = await setUp()
    const parent = await createDocument(api, kind)
    await api.put(`${one}/move`, { parent_id: parent.id })
    await api.delete(`${path}/${parent.id}`)
    expect((await api.get(one)).body.data.parent_id).toBeNull()
    expect(await contextOf(`${path}/${id}`)).toEqual([orderLink(order.id)])
  })

  it('cannot link a deleted document, or a document of another kind', async () => {
    const { api, id, one } = await setUp()
    const send = async (resourceType: string) => {
      const { body } = await api.post('/work_orders/batch_create', {
        request_id: `${resourceType} ${Math.random()}`,
        operations: [
          {
            operation_id: 'a',
            operation_type: 'CreateWorkOrder',
            patch: { connectedContext: [{ resourceType, resourceId: id }] },
          },
        ],
      })
      return body.results.a
    }
    const other = KINDS.find(([, one]) => one.object !== object)![1]
    expect(await send(other.object)).toMatchObject({ status: 'failed', message: expect.stringContaining(id) })
    await api.delete(one)
    expect(await send(object)).toMatchObject({ status: 'failed', message: expect.stringContaining(id) })
  })

  it('never links a document that is deleted at the same time', async () => {
    const { api } = project.admin
    for (let round = 0; round < 5; round++) {
      const { id } = await createDocument(api, kind)
      const connectedContext = [{ resourceType: object, resourceId: id }]
      const [created, deleted] = await Promise.all([
        api.post('/work_orders/batch_create', {
          request_id: `${id}`,
          operations: [{ operation_id: 'a', operation_type: 'CreateWorkOrder', patch: { connectedContext } }],
        }),
        api.delete(`${path}/${id}`),
      ])
      expect([created.status, deleted.status]).toEqual([200, 204])
      const left = await ws.sql`select 1 from context_links where project_id = ${project.id} and to_id = ${id}`
      expect(left).toHaveLength(0)
    }
  })
})
