import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder, createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

describe('deleting a work order', () => {
  it('answers 204 with an empty body', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api)
    const { status, text } = await admin.api.delete(`/work_orders/${id}`)
    expect(status).toBe(204)
    expect(text).toBe('')
  })

  it('is allowed to an editor', async () => {
    const project = await ws.project()
    const editor = await project.join('editor')
    const { id } = await createWorkOrder(project.admin.api)
    expect((await editor.api.delete(`/work_orders/${id}`)).status).toBe(204)
  })

  it('leaves nothing of it to be read', async () => {
    const { admin } = await ws.project()
    const { id, number } = await createWorkOrder(admin.api, { title: 'Vanishing' })
    await admin.api.post(`/work_orders/${id}/comments`, { markdown_content: 'Soon gone' })
    await admin.api.delete(`/work_orders/${id}`)
    for (const path of [id, `by_number/${number}`, `${id}/comments`])
      expect((await admin.api.get(`/work_orders/${path}`)).status).toBe(404)
    expect((await admin.api.post('/work_orders/search', { query: 'vanishing' })).body.items).toEqual([])
    expect((await admin.api.get('/work_orders')).body.items).toEqual([])
    const [left] = await ws.sql`select
      (select count(*)::int from work_order_comments where work_order_id = ${id}) as comments,
      (select count(*)::int from resources where id = ${id}) as resources`
    expect(left).toMatchObject({ comments: 0, resources: 0 })
  })

  it('is 404 the second time', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api)
    await admin.api.delete(`/work_orders/${id}`)
    const { status, body } = await admin.api.delete(`/work_orders/${id}`)
    expect(status).toBe(404)
    expect(body.code).toBe('not_found')
  })

  it('is 422 for what is no uuid', async () => {
    const { admin } = await ws.project()
    expect((await admin.api.delete('/work_orders/1')).status).toBe(422)
  })

  it('never frees its number, also when it was the last one', async () => {
    const { admin } = await ws.project()
    const [, , third] = await createWorkOrders(admin.api, {}, {}, {})
    await admin.api.delete(`/work_orders/${third!.id}`)
    expect((await createWorkOrder(admin.api)).number).toBe(4)
    const { items } = (await admin.api.get('/work_orders')).body
    for (const { id } of items) await admin.api.delete(`/work_orders/${id}`)
    expect((await createWorkOrder(admin.api)).number).toBe(5)
  })

  it('takes it out of the connected context of others and leaves their other links', async () => {
    const { admin } = await ws.project()
    const [gone, stays] = await createWorkOrders(admin.api, {}, {})
    const link = (resourceId: string) => ({ resourceType: 'work_order', resourceId })
    const { id } = await createWorkOrder(admin.api, { connectedContext: [link(gone!.id), link(stays!.id)] })
    await admin.api.delete(`/work_orders/${gone!.id}`)
    expect((await admin.api.get(`/work_orders/${id}`)).body.data.connectedContext).toEqual([link(stays!.id)])
    expect((await admin.api.get(`/work_orders/${stays!.id}`)).body.data.connectedContext).toEqual([link(id)])
  })

  it('leaves the other work orders as they were', async () => {
    const { admin } = await ws.project()
    const [gone, stays] = await createWorkOrders(admin.api, {}, { title: 'Stays' })
    const before = await admin.api.get(`/work_orders/${stays!.id}`)
    await admin.api.delete(`/work_orders/${gone!.id}`)
    expect((await admin.api.get(`/work_orders/${stays!.id}`)).body).toEqual(before.body)
  })
})
