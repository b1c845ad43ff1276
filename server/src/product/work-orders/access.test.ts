import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from './work-order.factory.ts'

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'

const READS: [string, (api: Client, id: string) => ReturnType<Client['get']>][] = [
  ['list labels', (api) => api.get('/work_orders/labels')],
  ['list phases', (api) => api.get('/work_orders/phases')],
  ['list work orders', (api) => api.get('/work_orders')],
  ['search', (api) => api.post('/work_orders/search', { query: 'total' })],
  ['read by number', (api) => api.get('/work_orders/by_number/1')],
  ['read by id', (api, id) => api.get(`/work_orders/${id}`)],
  ['list comments', (api, id) => api.get(`/work_orders/${id}/comments`)],
]
const operations = [{ operation_id: 'a', operation_type: 'CreateWorkOrder' }]
const WRITES: [string, (api: Client, id: string, body?: unknown) => ReturnType<Client['get']>][] = [
  ['batch_create', (api, _, body = { request_id: 'r', operations }) => api.post('/work_orders/batch_create', body)],
  ['batch_update', (api, _, body = { request_id: 'r', operations }) => api.post('/work_orders/batch_update', body)],
  ['delete', (api, id) => api.delete(`/work_orders/${id}`)],
  ['describe', (api, id, body = { markdown_content: 'x' }) => api.patch(`/work_orders/${id}/description`, body)],
  ['comment', (api, id, body = { markdown_content: 'x' }) => api.post(`/work_orders/${id}/comments`, body)],
  ['change a comment', (api, id, body = {}) => api.patch(`/work_orders/${id}/comments/${NEVER}`, body)],
  ['delete a comment', (api, id) => api.delete(`/work_orders/${id}/comments/${NEVER}`)],
]

let ws: Workspace
let admin: Client
let viewer: Client
let id: string
beforeAll(async () => {
  ws = await openWorkspace()
  const project = await ws.project()
  admin = project.admin.api
  viewer = (await project.join('viewer')).api
  id = (await createWorkOrder(admin)).id
})
afterAll(() => ws.close())

describe('without a valid key', () => {
  it.each([...READS, ...WRITES])('nobody may %s', async (_, call) => {
    for (const key of [undefined, `sofa-ext-${'x'.repeat(43)}`]) {
      const { status, headers, body } = await call(ws.client(key), id)
      expect(status).toBe(401)
      expect(headers['www-authenticate']).toBeDefined()
      expect(body.code).toBe('unauthorized')
    }
  })

  it('a reporting key does not open the work orders', async () => {
    const project = await ws.project()
    const reporter = await project.join('admin', 'reporting')
    expect((await reporter.api.get('/work_orders')).status).toBe(401)
  })
})

describe('a viewer', () => {
  it.each(READS)('may %s', async (_, call) => {
    expect((await call(viewer, id)).status).toBe(200)
  })

  it.each(WRITES)('may not %s', async (_, call) => {
    const before = await admin.get(`/work_orders/${id}`)
    const { status, body } = await call(viewer, id)
    expect(status).toBe(403)
    expect(body.status).toBe(403)
    expect((await admin.get(`/work_orders/${id}`)).body).toEqual(before.body)
    expect((await admin.get('/work_orders')).body.total).toBe(1)
  })

  it.each(WRITES)('is refused to %s before body, id and existence are looked at', async (_, call) => {
    for (const body of ['{"broken', '[]', { nonsense: true }, ''])
      for (const target of [id, NEVER, 'abc']) expect((await call(viewer, target, body)).status).toBe(403)
  })
})

describe('an editor', () => {
  it('may write', async () => {
    const project = await ws.project()
    const { api } = await project.join('editor')
    const made = await createWorkOrder(api)
    expect((await api.patch(`/work_orders/${made.id}/description`, { markdown_content: 'x' })).status).toBe(200)
    expect((await api.post(`/work_orders/${made.id}/comments`, { markdown_content: 'x' })).status).toBe(201)
    expect((await api.delete(`/work_orders/${made.id}`)).status).toBe(204)
  })
})
