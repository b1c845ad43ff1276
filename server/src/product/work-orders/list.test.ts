import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder, createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const titled = (count: number) => Array.from({ length: count }, (_, index) => ({ title: `Order ${index + 1}` }))
const numbersIn = ({ body }: Answer): number[] =>
  body.items.map((item: { work_order_number: number }) => item.work_order_number)
const linksIn = ({ headers }: Answer): Record<string, URL> =>
  Object.fromEntries([...headers.link!.matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, url, rel]) => [rel, new URL(url!)]))

describe('an item of the list', () => {
  it('carries every documented field, empty ones as null', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api, { title: 'Bare' })
    const { status, body } = await admin.api.get('/work_orders')
    expect(status).toBe(200)
    expect(Object.keys(body.items[0]).sort()).toEqual([
      'assignee',
      'description_snippet',
      'id',
      'labels',
      'object',
      'phase',
      'priority',
      'status',
      'title',
      'type',
      'work_order_number',
    ])
    expect(body.items[0]).toMatchObject({
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
    })
  })

  it('names the assignee by id, name and e-mail', async () => {
    const { admin } = await ws.project()
    await createWorkOrder(admin.api, { assignee_id: admin.userId })
    const { body } = await admin.api.get('/work_orders')
    expect(body.items[0].assignee).toEqual({ id: admin.userId, name: admin.name, email: admin.email })
  })

  it('never belongs to another project', async () => {
    const [mine, theirs] = [await ws.project(), await ws.project()]
    await createWorkOrder(theirs.admin.api)
    const { body } = await mine.admin.api.get('/work_orders')
    expect(body).toMatchObject({ items: [], total: 0 })
  })
})

describe('the order of the list', () => {
  const priorities = ['low', 'urgent', 'no_priority', 'high', 'medium', 'urgent']

  it.each([
    ['', [1, 2, 3, 4, 5, 6]],
    ['?sort=number', [1, 2, 3, 4, 5, 6]],
    ['?sort=-number', [6, 5, 4, 3, 2, 1]],
    ['?sort=updated', [6, 4, 2, 1, 3, 5]],
    ['?sort=-updated', [5, 3, 1, 2, 4, 6]],
    ['?sort=priority', [2, 6, 4, 5, 1, 3]],
  ])('is as "%s" says', async (query, expected) => {
    const { admin } = await ws.project()
    const created = await createWorkOrders(admin.api, ...priorities.map((priority) => ({ priority })))
    const updatedOrder = [6, 4, 2, 1, 3, 5]
    for (const { id, number } of created)
      await ws.sql`update work_orders set updated_at = timestamptz '2026-01-01' + ${updatedOrder.indexOf(number)} * interval '1 hour'
        where id = ${id}`
    expect(numbersIn(await admin.api.get(`/work_orders${query}`))).toEqual(expected)
  })

  it('puts what was written last at the end of "updated"', async () => {
    const { admin } = await ws.project()
    const [first] = await createWorkOrders(admin.api, {}, {}, {})
    await admin.api.patch(`/work_orders/${first!.id}/description`, { markdown_content: 'Newest' })
    expect(numbersIn(await admin.api.get('/work_orders?sort=updated')).at(-1)).toBe(1)
    expect(numbersIn(await admin.api.get('/work_orders?sort=-updated'))[0]).toBe(1)
  })

  it.each(['updated', '-updated', 'priority'])('is stable over pages when all are equal by "%s"', async (sort) => {
    const { admin } = await ws.project()
    await createWorkOrders(admin.api, ...titled(25))
    const seen: number[] = []
    for (const page of [1, 2, 3])
      seen.push(...numbersIn(await admin.api.get(`/work_orders?sort=${sort}&page=${page}&page_size=10`)))
    expect(new Set(seen).size).toBe(25)
  })

  it('refuses an unknown sort and names the known ones', async () => {
    const { admin } = await ws.project()
    const { status, body } = await admin.api.get('/work_orders?sort=title')
    expect(status).toBe(422)
    for (const known of ['number', '-number', 'updated', '-updated', 'priority']) expect(body.detail).toContain(known)
  })
})

describe('paging', () => {
  it('gives 20 on page 1 unless asked otherwise', async () => {
    const { admin } = await ws.project()
    await createWorkOrders(admin.api, ...titled(21))
    const first = await admin.api.get('/work_orders')
    expect(first.body).toMatchObject({ total: 21, page: 1, page_size: 20, total_pages: 2 })
    expect(numbersIn(first)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
    expect(numbersIn(await admin.api.get('/work_orders?page=2'))).toEqual([21])
    const all = await admin.api.get('/work_orders?page_size=100')
    expect(all.body).toMatchObject({ total: 21, page_size: 100, total_pages: 1 })
    expect(all.body.items).toHaveLength(21)
  })

  it.each([2, 4, 1_000_000, 2_147_483_648])('answers page %d past the end with an empty list', async (page) => {
    const { admin } = await ws.project()
    await createWorkOrders(admin.api, ...titled(3))
    const { status, body } = await admin.api.get(`/work_orders?page=${page}&page_size=3`)
    expect(status).toBe(200)
    expect(body).toEqual({ items: [], total: 3, page, page_size: 3, total_pages: 1 })
  })

  it('has no pages when there is nothing', async () => {
    const { admin } = await ws.project()
    const empty = { items: [], total: 0, page_size: 20, total_pages: 0 }
    expect((await admin.api.get('/work_orders')).body).toEqual({ ...empty, page: 1 })
    expect((await admin.api.get('/work_orders?page=7')).body).toEqual({ ...empty, page: 7 })
    expect((await admin.api.get('/work_orders?status=ready')).body).toEqual({ ...empty, page: 1 })
  })

  it.each([
    'page_size=0',
    'page_size=101',
    'page_size=-1',
    'page_size=ten',
    'page_size=2.5',
    'page=0',
    'page=-1',
    'page=two',
    'page=1.5',
    'page=0x1',
    'page=1e1',
  ])('refuses %s', async (query) => {
    const { admin } = await ws.project()
    const { status, body } = await admin.api.get(`/work_orders?${query}`)
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe(`/${query.split('=')[0]}`)
  })

  it('leads through all pages by its links, keeping filters and size', async () => {
    const { admin } = await ws.project()
    await createWorkOrders(admin.api, ...titled(5).map((one) => ({ ...one, status: 'ready' })), { title: 'Hidden' })
    const seen: number[] = []
    let path: string | undefined = '/work_orders?status=ready&title=order%20&page_size=2'
    while (path) {
      const answer = await admin.api.get(path)
      seen.push(...numbersIn(answer))
      const { next } = linksIn(answer)
      path = next && next.pathname + next.search
    }
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  it('links to first and last always, to prev and next only where they are', async () => {
    const { admin } = await ws.project()
    await createWorkOrders(admin.api, ...titled(5))
    const pagesOf = async (page: number) => {
      const links = linksIn(await admin.api.get(`/work_orders?page_size=2&page=${page}`))
      return Object.fromEntries(Object.entries(links).map(([rel, url]) => [rel, url.searchParams.get('page')]))
    }
    expect(await pagesOf(1)).toEqual({ first: '1', next: '2', last: '3' })
    expect(await pagesOf(2)).toEqual({ first: '1', prev: '1', next: '3', last: '3' })
    expect(await pagesOf(3)).toEqual({ first: '1', prev: '2', last: '3' })
    const links = linksIn(await admin.api.get('/work_orders?page_size=2'))
    expect(links.first!.href).toMatch(/^http:\/\/slipway\.test\/v2\/external-api\/work_orders\?/)
    expect(links.next!.searchParams.get('page_size')).toBe('2')
  })
})

describe('total', () => {
  const totals = async (api: Awaited<ReturnType<Workspace['project']>>['admin']['api']) => {
    const queries = ['', '?page=9', '?status=backlog', '?status=backlog&page=9']
    return Promise.all(queries.map(async (query) => (await api.get(`/work_orders${query}`)).body.total))
  }

  it('follows creates and deletes, with and without filters', async () => {
    const { admin } = await ws.project()
    const created = await createWorkOrders(admin.api, ...titled(4))
    expect(await totals(admin.api)).toEqual([4, 4, 4, 4])
    await admin.api.delete(`/work_orders/${created[0]!.id}`)
    expect(await totals(admin.api)).toEqual([3, 3, 3, 3])
    await admin.api.post('/work_orders/batch_update', {
      request_id: 'delete two',
      operations: [1, 2].map((index) => ({
        operation_id: String(index),
        operation_type: 'DeleteWorkOrder',
        target: { work_order_id: created[index]!.id },
      })),
    })
    expect(await totals(admin.api)).toEqual([1, 1, 1, 1])
    await admin.api.delete(`/work_orders/${created[3]!.id}`)
    expect(await totals(admin.api)).toEqual([0, 0, 0, 0])
  })

  it('does not count what failed to be created', async () => {
    const { admin } = await ws.project()
    await admin.api.post('/work_orders/batch_create', {
      request_id: 'half',
      operations: [{ title: 'Good' }, { title: 'Bad', status: 'done' }].map((patch, index) => ({
        operation_id: String(index),
        operation_type: 'CreateWorkOrder',
        patch,
      })),
    })
    expect(await totals(admin.api)).toEqual([1, 1, 1, 1])
  })

  it('counts a work order that matches several values of a filter once', async () => {
    const { admin } = await ws.project()
    await createWorkOrders(admin.api, { title: 'round total' }, { title: 'total' })
    const { body } = await admin.api.get('/work_orders?title=round&title=total')
    expect(body.total).toBe(2)
  })
})
