import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { registerResources } from '../links/index.ts'
import { createWorkOrder, createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The answer without what must differ: its request id and the id that was asked for. */
function anonymous({ status, body, headers }: Answer, id: string | number) {
  const { request_id, ...rest } = body
  expect(request_id).toBe(headers['x-request-id'])
  return { status, type: headers['content-type'], body: JSON.parse(JSON.stringify(rest).replaceAll(String(id), 'ID')) }
}

describe('the detail of a work order', () => {
  it('carries every documented field, empty ones as null', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api, { title: 'Bare' })
    const { status, body } = await admin.api.get(`/work_orders/${id}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['data'])
    expect(Object.keys(body.data).sort()).toEqual([
      'assignee',
      'connectedContext',
      'created_at',
      'description_snippet',
      'id',
      'implementation_plan',
      'labels',
      'markdown_content',
      'object',
      'phase',
      'priority',
      'status',
      'title',
      'type',
      'updated_at',
      'work_order_number',
    ])
    expect(body.data).toMatchObject({
      object: 'work_order',
      id,
      work_order_number: 1,
      title: 'Bare',
      status: 'backlog',
      priority: 'no_priority',
      type: 'none',
      phase: null,
      assignee: null,
      labels: [],
      description_snippet: '',
      markdown_content: '',
      implementation_plan: null,
      connectedContext: [],
    })
    expect(body.data.created_at).toMatch(ISO)
    expect(body.data.updated_at).toBe(body.data.created_at)
  })

  it('has a UUIDv7 as its id', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('is the same by id, by id in capitals and by number', async () => {
    const { admin } = await ws.project()
    const [, second] = await createWorkOrders(admin.api, {}, { title: 'Second', markdown_content: 'Text' })
    const byId = await admin.api.get(`/work_orders/${second!.id}`)
    const byNumber = await admin.api.get('/work_orders/by_number/2')
    expect(byNumber.status).toBe(200)
    expect(byNumber.body).toEqual(byId.body)
    expect(byNumber.headers.etag).toBe(byId.headers.etag)
    expect((await admin.api.get(`/work_orders/${second!.id.toUpperCase()}`)).body).toEqual(byId.body)
  })

  it('answers HEAD like GET without a body', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api)
    const get = await admin.api.get(`/work_orders/${id}`)
    const head = await admin.api.head(`/work_orders/${id}`)
    expect(head.status).toBe(200)
    expect(head.text).toBe('')
    expect(head.headers.etag).toBe(get.headers.etag)
  })

  it.each(['abc', NEVER.slice(1), `${NEVER}0`, '1', '%00', 'null'])('refuses "%s" as an id', async (id) => {
    const { admin } = await ws.project()
    const { status, body, headers } = await admin.api.get(`/work_orders/${id}`)
    expect(status).toBe(422)
    expect(headers['content-type']).toContain('application/problem+json')
    expect(body.errors[0].pointer).toBe('/work_order_id')
  })

  it.each(['abc', '1.5', '1a', 'NaN', '%20', '%201', '0x1', '1e0'])('refuses "%s" as a number', async (number) => {
    const { admin } = await ws.project()
    const { status, body } = await admin.api.get(`/work_orders/by_number/${number}`)
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe('/work_order_number')
  })

  it.each([2, 2_147_483_647, 2_147_483_648, Number.MAX_SAFE_INTEGER])(
    'is 404 for the number %d that never was',
    async (number) => {
      const { admin } = await ws.project()
      await createWorkOrder(admin.api)
      const { status, body } = await admin.api.get(`/work_orders/by_number/${number}`)
      expect(status).toBe(404)
      expect(body).toMatchObject({ status: 404, code: 'not_found' })
      expect(body.detail).toContain(`"${number}"`)
    },
  )
})

describe('a work order of another project', () => {
  it.each([
    ['GET', ''],
    ['DELETE', ''],
    ['PATCH', '/description'],
    ['GET', '/comments'],
    ['POST', '/comments'],
  ] as const)('is to %s …%s what never existed', async (method, tail) => {
    const [mine, theirs] = [await ws.project(), await ws.project()]
    const { id } = await createWorkOrder(theirs.admin.api)
    const call = (asked: string) => {
      const path = `/work_orders/${asked}${tail}`
      const { api } = mine.admin
      if (method === 'GET') return api.get(path)
      if (method === 'DELETE') return api.delete(path)
      return api[method === 'PATCH' ? 'patch' : 'post'](path, { markdown_content: 'Mine now' })
    }
    const [foreign, never] = [await call(id), await call(NEVER)]
    expect(foreign.status).toBe(404)
    expect(anonymous(foreign, id)).toEqual(anonymous(never, NEVER))
    const { body } = await theirs.admin.api.get(`/work_orders/${id}`)
    expect(body.data.markdown_content).toBe('')
  })

  it('is by its number what never existed', async () => {
    const [mine, theirs] = [await ws.project(), await ws.project()]
    await createWorkOrders(theirs.admin.api, {}, {})
    const [foreign, never] = [
      await mine.admin.api.get('/work_orders/by_number/2'),
      await mine.admin.api.get('/work_orders/by_number/3'),
    ]
    expect(foreign.status).toBe(404)
    expect(anonymous(foreign, 2)).toEqual(anonymous(never, 3))
  })

  it('counts its numbers on its own', async () => {
    const [mine, theirs] = [await ws.project(), await ws.project()]
    await createWorkOrders(theirs.admin.api, {}, {}, {})
    expect((await createWorkOrder(mine.admin.api)).number).toBe(1)
  })
})

describe('connected context in the detail', () => {
  const connected = async () => {
    const { admin, id: projectId } = await ws.project()
    const [near, far] = await createWorkOrders(
      admin.api,
      { title: 'Near', markdown_content: '# Near\n\nBy.' },
      { title: 'Far' },
    )
    const link = (resourceId: string) => ({ resourceType: 'work_order', resourceId })
    const { id, number } = await createWorkOrder(admin.api, { connectedContext: [link(far!.id), link(near!.id)] })
    return { api: admin.api, projectId, id, number, links: [link(far!.id), link(near!.id)] }
  }

  it.each(['', '?expand_context=false'])('is only type and id with "%s"', async (query) => {
    const { api, id, links } = await connected()
    expect((await api.get(`/work_orders/${id}${query}`)).body.data.connectedContext).toEqual(links)
  })

  it('also says title and content with expand_context', async () => {
    const { api, id, number, links } = await connected()
    const expanded = [
      { ...links[0], title: 'Far', markdown_content: '' },
      { ...links[1], title: 'Near', markdown_content: '# Near\n\nBy.' },
    ]
    const byId = await api.get(`/work_orders/${id}?expand_context=true`)
    const byNumber = await api.get(`/work_orders/by_number/${number}?expand_context=true`)
    expect(byId.body.data.connectedContext).toEqual(expanded)
    expect(byNumber.body.data.connectedContext).toEqual(expanded)
  })

  it('has both fields as null for what nobody can read yet', async () => {
    const { admin, id: projectId } = await ws.project()
    await registerResources(ws.sql, projectId, 'theme', [NEVER])
    const { id } = await createWorkOrder(admin.api, {
      connectedContext: [{ resourceType: 'theme', resourceId: NEVER }],
    })
    const { body } = await admin.api.get(`/work_orders/${id}?expand_context=true`)
    expect(body.data.connectedContext).toEqual([
      { resourceType: 'theme', resourceId: NEVER, title: null, markdown_content: null },
    ])
  })

  it.each(['maybe', '2', 'yes'])('is refused with expand_context=%s', async (value) => {
    const { api, id, number } = await connected()
    for (const path of [id, `by_number/${number}`]) {
      const { status, body } = await api.get(`/work_orders/${path}?expand_context=${value}`)
      expect(status).toBe(422)
      expect(body.errors[0].pointer).toBe('/expand_context')
    }
  })
})
