import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrders } from './work-order.factory.ts'

let ws: Workspace
let api: Client

beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
  await createWorkOrders(
    api,
    { title: 'Round the total once', markdown_content: 'A coupon makes it off by a **cent**.' },
    { title: 'Total of the ÜBERSICHT', markdown_content: 'Nothing about money' },
    { title: 'Progress', markdown_content: '100% of snake_case and back\\slash' },
    { title: 'Percent', markdown_content: '100 of snakeXcase' },
  )
})
afterAll(() => ws.close())

async function found(body: Record<string, unknown>): Promise<number[]> {
  const answer = await api.post('/work_orders/search', body)
  expect(answer.status).toBe(200)
  expect(Object.keys(answer.body)).toEqual(['items'])
  return answer.body.items.map((item: { work_order_number: number }) => item.work_order_number)
}

describe('search by text', () => {
  it.each([
    ['total', [1, 2]],
    ['TOTAL', [1, 2]],
    ['total round', [1]],
    ['coupon total', [1]],
    ['  total\t\n once ', [1]],
    ['coupon cent', [1]],
    ['total snake_case', []],
    ['übersicht', [2]],
    ['otal', [1, 2]],
    ['100%', [3]],
    ['%', [3]],
    ['snake_case', [3]],
    ['_', [3]],
    ['\\', [3]],
    ['once round', [1]],
    ['the the', [1, 2]],
    ['no such words', []],
    ["'; drop table work_orders; --", []],
  ])('finds what has every term of "%s" in title or description', async (query, expected) => {
    expect(await found({ query })).toEqual(expected)
  })

  it('answers with summaries', async () => {
    const { body } = await api.post('/work_orders/search', { query: 'coupon' })
    expect(body.items).toHaveLength(1)
    expect(body.items[0]).toMatchObject({
      object: 'work_order',
      work_order_number: 1,
      phase: null,
      assignee: null,
      labels: [],
      description_snippet: 'A coupon makes it off by a cent.',
    })
    expect(body.items[0]).not.toHaveProperty('markdown_content')
  })

  it('finds what was just changed, and no longer what it was before', async () => {
    const { admin } = await ws.project()
    const [one] = await createWorkOrders(admin.api, { title: 'Changing', markdown_content: 'apples' })
    await admin.api.patch(`/work_orders/${one!.id}/description`, { markdown_content: 'pears' })
    expect((await admin.api.post('/work_orders/search', { query: 'pears' })).body.items).toHaveLength(1)
    expect((await admin.api.post('/work_orders/search', { query: 'apples' })).body.items).toEqual([])
  })

  it('finds a word in title or description, never across the two', async () => {
    const { admin } = await ws.project()
    await createWorkOrders(admin.api, { title: 'Rain', markdown_content: 'bow' })
    const count = async (query: string) => (await admin.api.post('/work_orders/search', { query })).body.items.length
    expect([await count('rain bow'), await count('rainbow')]).toEqual([1, 0])
  })

  it('takes 50 different words; repeated ones count once, in any case', async () => {
    const { admin } = await ws.project()
    const words = Array.from({ length: 51 }, (_, number) => `word${number}x`)
    await createWorkOrders(admin.api, { markdown_content: words.join(' ') })
    const search = (query: string) => admin.api.post('/work_orders/search', { query })
    const fifty = words.slice(0, 50).join(' ')
    expect((await search(`${fifty} WORD1X Word2x word49X`)).body.items).toHaveLength(1)
    expect((await search(`${fifty} absent`)).body).toMatchObject({
      status: 422,
      errors: [{ pointer: '/query', detail: expect.stringContaining('51 different words') }],
    })
    expect((await search(`${words.slice(0, 49).join(' ')} absent`)).body.items).toEqual([])
  })

  it('never shows another project', async () => {
    const { admin } = await ws.project()
    expect((await admin.api.post('/work_orders/search', { query: 'total' })).body).toEqual({ items: [] })
    expect((await admin.api.post('/work_orders/search', { work_order_number: 1 })).body).toEqual({ items: [] })
  })
})

describe('search by number', () => {
  it('finds exactly that one', async () => {
    expect(await found({ work_order_number: 3 })).toEqual([3])
  })

  it.each([5, 34, 2_147_483_648, Number.MAX_SAFE_INTEGER])('gives an empty list for %d', async (number) => {
    expect(await found({ work_order_number: number })).toEqual([])
  })

  it('does not find a deleted one', async () => {
    const { admin } = await ws.project()
    const [one] = await createWorkOrders(admin.api, {})
    await admin.api.delete(`/work_orders/${one!.id}`)
    const { body } = await admin.api.post('/work_orders/search', { work_order_number: one!.number })
    expect(body).toEqual({ items: [] })
  })
})

describe('the limit', () => {
  it('is 20 by default, and at most 100', async () => {
    const { admin } = await ws.project()
    await createWorkOrders(admin.api, ...Array.from({ length: 101 }, () => ({ title: 'Same' })))
    const count = async (limit?: number) =>
      (await admin.api.post('/work_orders/search', { query: 'same', limit })).body.items.length
    expect(await count()).toBe(20)
    expect(await count(1)).toBe(1)
    expect(await count(100)).toBe(100)
  })

  it.each([0, 101, -1, 1.5, '20', null])('cannot be %j', async (limit) => {
    const { status, body } = await api.post('/work_orders/search', { query: 'total', limit })
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe('/limit')
  })
})

describe('a search', () => {
  it.each([
    [{}],
    [{ limit: 5 }],
    [{ query: 'total', work_order_number: 1 }],
    [{ query: '' }],
    [{ query: '   ' }],
    [{ query: null }],
    [{ query: 7 }],
    [{ query: ['total'] }],
    [{ query: 'nul\u0000' }],
    [{ work_order_number: '1' }],
    [{ work_order_number: 1.5 }],
    [{ work_order_number: null }],
  ])('refuses %j', async (body) => {
    const answer = await api.post('/work_orders/search', body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.length).toBeGreaterThan(0)
  })

  it('ignores an unknown field and says so', async () => {
    const answer = await api.post('/work_orders/search', { query: 'coupon', fuzzy: true })
    expect(answer.status).toBe(200)
    expect(answer.headers['x-ignored-fields']).toBe('fuzzy')
  })

  it.each([
    ['', 400],
    ['{"query":', 400],
    ['[]', 422],
    ['"total"', 422],
    ['null', 422],
  ])('with the body %j is %d', async (body, status) => {
    expect((await api.post('/work_orders/search', body)).status).toBe(status)
  })
})
