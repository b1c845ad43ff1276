import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from './work-order.factory.ts'

let ws: Workspace
let api: Client
let id: string
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
  id = (await createWorkOrder(api, { title: 'Untouched' })).id
})
afterAll(() => ws.close())

const VALUES = [
  'title',
  'markdown_content',
  'status',
  'priority',
  'type',
  'assignee_id',
  'assignee_email',
  'phase_id',
  'phase_number',
  'label_ids',
  'implementation_plan',
  'connectedContext',
]
const JUNK: [string, unknown][] = [
  ['null', null],
  ['true', true],
  ['zero', 0],
  ['a negative number', -1],
  ['a fraction', 1.5],
  ['2^31', 2_147_483_648],
  ['2^53', 9_007_199_254_740_992],
  ['1e308', 1e308],
  ['an empty text', ''],
  ['a blank', ' '],
  ['NUL', '\u0000'],
  ['an address with NUL', 'a\u0000b@example.org'],
  ['an address with a lone surrogate', '\ud800@example.org'],
  ['a lone surrogate', 'x\udfff'],
  ['"__proto__"', '__proto__'],
  ['SQL', "'; drop table work_orders; --"],
  ['100,000 characters', 'x'.repeat(100_000)],
  ['an empty list', []],
  ['a list of lists', [[[]]]],
  ['a list of junk', [null, 1, 'x', {}, []]],
  ['1,000 texts', Array.from({ length: 1_000 }, () => 'x')],
  ['an empty object', {}],
  ['nested objects', { files: { files: { files: null } } }],
  ['a plan of junk', { files: [null, 1, { path: 1, action: [] }], markdown_content: {} }],
  ['a link of junk', [{ resourceType: {}, resourceId: [] }]],
  ['a link with NUL', [{ resourceType: 'work_order\u0000', resourceId: '\u0000' }]],
]
let requests = 0

/** Whatever was sent, the answer is a batch result with an outcome, or a refusal in the one form. */
function expectAnswer({ status, body }: Answer) {
  expect([200, 201, 400, 404, 413, 422]).toContain(status)
  if (status === 200 || status === 201) return
  expect(body).toMatchObject({ status, code: expect.any(String), detail: expect.any(String) })
}

describe.each(JUNK)('%s', (_, junk) => {
  it('as any value of an operation fails or passes that operation alone', async () => {
    const patches = VALUES.map((name) => ({ [name]: junk }))
    const created = await api.post('/work_orders/batch_create', {
      request_id: `junk ${++requests}`,
      operations: patches.map((patch, index) => ({
        operation_id: `${index}`,
        operation_type: 'CreateWorkOrder',
        patch,
      })),
    })
    const { id: target } = await createWorkOrder(api)
    const updated = await api.post('/work_orders/batch_update', {
      request_id: 'r',
      operations: patches.map((patch, index) => ({
        operation_id: `${index}`,
        operation_type: 'UpdateWorkOrder',
        target: { work_order_id: target },
        patch,
      })),
    })
    for (const { status, body } of [created, updated]) {
      expect(status).toBe(200)
      expect(Object.keys(body.results)).toHaveLength(VALUES.length)
    }
  })

  it('as target, patch or work_order fails that operation alone', async () => {
    const { status, body } = await api.post('/work_orders/batch_update', {
      request_id: 'r',
      operations: [
        { target: junk, patch: { title: 'x' } },
        { target: { work_order_id: junk }, patch: { title: 'x' } },
        { target: { work_order_number: junk }, patch: { title: 'x' } },
        { target: { work_order_id: id }, patch: junk },
        { target: { work_order_id: id }, work_order: junk },
      ].map((operation, index) => ({ operation_id: `${index}`, operation_type: 'UpdateTitle', ...operation })),
    })
    expect(status).toBe(200)
    expect(body.status).toBe('Failed')
  })

  it('as any field of an envelope, search, description or comment is answered', async () => {
    const operation = { operation_id: 'a', operation_type: 'CreateWorkOrder' }
    const answers = await Promise.all([
      api.post('/work_orders/batch_create', { request_id: junk, operations: [operation] }),
      api.post('/work_orders/batch_create', { request_id: `junk ${++requests}`, operations: junk }),
      api.post('/work_orders/batch_create', { request_id: `junk ${++requests}`, operations: [junk] }),
      api.post('/work_orders/batch_update', { request_id: 'r', operations: [{ ...operation, operation_id: junk }] }),
      api.post('/work_orders/batch_update', { request_id: 'r', operations: [{ ...operation, operation_type: junk }] }),
      api.post('/work_orders/search', { query: junk }),
      api.post('/work_orders/search', { work_order_number: junk }),
      api.post('/work_orders/search', { query: 'x', limit: junk }),
      api.post(`/work_orders/${id}/comments`, { markdown_content: junk }),
      api.post(`/work_orders/${id}/comments`, { markdown_content: 'x', artifact_ids: junk }),
      api.patch(`/work_orders/${id}/description`, { markdown_content: { junk } }),
      api.patch(`/work_orders/${id}/description`, { [String(junk)]: junk }),
    ])
    for (const answer of answers) expectAnswer(answer)
  })

  it('in path or query is answered', async () => {
    const sent = typeof junk === 'string' ? junk.toWellFormed() : JSON.stringify(junk)
    const text = encodeURIComponent(sent.slice(0, 2_000))
    const paths = ['labels?include_archived=', `${id}?expand_context=`, 'by_number/', '']
    const names = [
      'status',
      'phase_id',
      'phase_number',
      'assignee_name',
      'title',
      'label_id',
      'sort',
      'page',
      'page_size',
    ]
    for (const path of paths.map((one) => `/work_orders/${one}${text}`)) expectAnswer(await api.get(path))
    for (const name of names) expectAnswer(await api.get(`/work_orders?${name}=${text}`))
  })
})

describe('a body that is nested very deeply', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`

  it.each([
    ['an unknown field of an operation', `"junk":${deep}`],
    ['a known value of an operation', `"patch":{"title":${deep}}`],
    ['a plan', `"patch":{"implementation_plan":${deep}}`],
  ])('in %s is answered', async (_, field) => {
    const operation = `{"operation_id":"a","operation_type":"CreateWorkOrder",${field}}`
    for (const endpoint of ['batch_create', 'batch_update'])
      expectAnswer(
        await api.post(`/work_orders/${endpoint}`, `{"request_id":"deep ${++requests}","operations":[${operation}]}`),
      )
  })

  it('in a description, a comment or a search is answered', async () => {
    for (const body of [`{"markdown_content":${deep}}`, `{"junk":${deep}}`]) {
      expectAnswer(await api.patch(`/work_orders/${id}/description`, body))
      expectAnswer(await api.post(`/work_orders/${id}/comments`, body))
    }
    expectAnswer(await api.post('/work_orders/search', `{"query":${deep}}`))
  })
})

it('cannot reach the prototype of anything by the names of fields', async () => {
  const operation =
    '{"operation_id":"a","operation_type":"CreateWorkOrder","patch":{"__proto__":{"title":"Bad"},"constructor":{"prototype":{"x":1}},"title":"Good"}}'
  const { status, body } = await api.post(
    '/work_orders/batch_create',
    `{"request_id":"proto ${++requests}","operations":[${operation}]}`,
  )
  expect(status).toBe(200)
  expect(body.results.a.status).toBe('succeeded')
  expect(({} as { x?: number }).x).toBeUndefined()
})

it('left the work order as it was', async () => {
  expect((await api.get(`/work_orders/${id}`)).body.data).toMatchObject({ title: 'Untouched', markdown_content: '' })
})
