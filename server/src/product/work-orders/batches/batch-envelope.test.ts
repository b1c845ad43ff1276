import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createWorkOrder } from '../work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
const create = (operationId: string, patch: Record<string, unknown> = {}) => ({
  operation_id: operationId,
  operation_type: 'CreateWorkOrder',
  patch,
})
const total = async (api: Client): Promise<number> => (await api.get('/work_orders')).body.total

describe.each(['batch_create', 'batch_update'])('the envelope of %s', (endpoint) => {
  const path = `/work_orders/${endpoint}`

  it.each<[string, unknown, string]>([
    ['no request_id', { operations: [create('a')] }, '/request_id'],
    ['a request_id that is null', { request_id: null, operations: [create('a')] }, '/request_id'],
    ['a request_id that is a number', { request_id: 1, operations: [create('a')] }, '/request_id'],
    ['a request_id that is empty', { request_id: '', operations: [create('a')] }, '/request_id'],
    ['no operations', { request_id: 'r' }, '/operations'],
    ['operations that are null', { request_id: 'r', operations: null }, '/operations'],
    ['operations that are an object', { request_id: 'r', operations: { a: create('a') } }, '/operations'],
    ['no operation at all', { request_id: 'r', operations: [] }, '/operations'],
    [
      '501 operations',
      { request_id: 'r', operations: Array.from({ length: 501 }, (_, index) => create(`${index}`)) },
      '/operations',
    ],
    ['an operation that is null', { request_id: 'r', operations: [null] }, '/operations/0'],
    ['an operation that is a text', { request_id: 'r', operations: [create('a'), 'b'] }, '/operations/1'],
    [
      'an operation without operation_id',
      { request_id: 'r', operations: [{ operation_type: 'CreateWorkOrder' }] },
      '/operations/0/operation_id',
    ],
    [
      'an operation_id that is a number',
      { request_id: 'r', operations: [{ ...create('a'), operation_id: 1 }] },
      '/operations/0/operation_id',
    ],
    [
      'an operation without operation_type',
      { request_id: 'r', operations: [create('a'), { operation_id: 'b' }] },
      '/operations/1/operation_type',
    ],
    [
      'an operation_type that is null',
      { request_id: 'r', operations: [{ operation_id: 'a', operation_type: null }] },
      '/operations/0/operation_type',
    ],
    [
      'an operation_id that is used twice',
      { request_id: 'r', operations: [create('a'), create('b'), create('a')] },
      '/operations/2/operation_id',
    ],
  ])('is refused with %s, and nothing is done', async (_, body, pointer) => {
    const { admin } = await ws.project()
    const answer = await admin.api.post(path, body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer)
    expect(await total(admin.api)).toBe(0)
  })

  it('ignores unknown fields of its own and names them', async () => {
    const { admin } = await ws.project()
    const { status, headers } = await admin.api.post(path, {
      request_id: 'r',
      dry_run: true,
      operations: [create('a')],
    })
    expect(status).toBe(200)
    expect(headers['x-ignored-fields']).toBe('dry_run')
  })

  it.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '0',
    'ä/ö "quoted"',
    'two\nlines\r',
    'x'.repeat(255),
  ])('may call an operation "%s"', async (operationId) => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api)
    const operation =
      endpoint === 'batch_create'
        ? create(operationId)
        : { operation_id: operationId, operation_type: 'DeleteWorkOrder', target: { work_order_id: id } }
    const { status, body } = await admin.api.post(path, {
      request_id: operationId,
      operations: [operation, { ...operation, operation_id: 'other' }],
    })
    expect(status).toBe(200)
    expect(Object.keys(body.results).sort()).toEqual([operationId, 'other'].sort())
    const result = Object.getOwnPropertyDescriptor(body.results, operationId)?.value
    expect(result).toMatchObject({ operation_id: operationId, status: 'succeeded' })
  })
})

describe('the result of a batch', () => {
  it('is unwrapped and says everything about a success', async () => {
    const { admin } = await ws.project()
    const { status, body } = await admin.api.post('/work_orders/batch_create', {
      request_id: 'import 7',
      operations: [create('a')],
    })
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['request_id', 'results', 'status'])
    expect(body).toMatchObject({ request_id: 'import 7', status: 'Succeeded' })
    const [made] = (await admin.api.get('/work_orders')).body.items
    expect(body.results).toEqual({
      a: {
        operation_id: 'a',
        operation_type: 'CreateWorkOrder',
        status: 'succeeded',
        work_order_id: made.id,
        work_order_number: 1,
        message: '',
      },
    })
  })

  it('has all fields of a failure too, null where there is no work order', async () => {
    const { admin } = await ws.project()
    const { body } = await admin.api.post('/work_orders/batch_create', {
      request_id: 'r',
      operations: [create('a', { status: 'done' })],
    })
    expect(body.results.a).toEqual({
      operation_id: 'a',
      operation_type: 'CreateWorkOrder',
      status: 'failed',
      work_order_id: null,
      work_order_number: null,
      message: expect.stringContaining('done'),
    })
  })

  it.each([
    ['Succeeded', [{}, {}]],
    ['PartiallySucceeded', [{}, { status: 'done' }]],
    ['PartiallySucceeded', [{ status: 'done' }, {}, {}]],
    ['Failed', [{ status: 'done' }, { title: 1 }]],
  ])('is %s for %j', async (expected, patches) => {
    const { admin } = await ws.project()
    const operations = patches.map((patch, index) => create(`op ${index}`, patch))
    const { status, body } = await admin.api.post('/work_orders/batch_create', { request_id: 'r', operations })
    expect(status).toBe(200)
    expect(body.status).toBe(expected)
    for (const [index, patch] of patches.entries())
      expect(body.results[`op ${index}`].status).toBe(Object.keys(patch).length === 0 ? 'succeeded' : 'failed')
    const good = patches.filter((patch) => Object.keys(patch).length === 0).length
    expect(await total(admin.api)).toBe(good)
  })

  it('numbers the good ones without a gap for the bad ones', async () => {
    const { admin } = await ws.project()
    const operations = [create('a'), create('b', { type: 'bug' }), create('c')]
    const { body } = await admin.api.post('/work_orders/batch_create', { request_id: 'r', operations })
    expect([body.results.a.work_order_number, body.results.c.work_order_number]).toEqual([1, 2])
  })
})

describe('batch_create sent again', () => {
  const path = '/work_orders/batch_create'
  const body = { request_id: 'same', operations: [create('a', { title: 'One' }), create('b', { status: 'done' })] }

  it('with the same request_id and body answers as before and creates nothing', async () => {
    const { admin } = await ws.project()
    const first = await admin.api.post(path, body)
    await admin.api.delete(`/work_orders/${first.body.results.a.work_order_id}`)
    const second = await admin.api.post(path, body)
    expect(second.status).toBe(200)
    expect(second.body).toEqual(first.body)
    expect(await total(admin.api)).toBe(0)
  })

  it('keeps an operation called "__proto__" in the repeated answer', async () => {
    const { admin } = await ws.project()
    const odd = { request_id: 'odd', operations: [create('__proto__')] }
    const [first, second] = [await admin.api.post(path, odd), await admin.api.post(path, odd)]
    expect(Object.keys(first.body.results)).toEqual(['__proto__'])
    expect(second.text).toBe(first.text)
  })

  it('with another body is 409', async () => {
    const { admin } = await ws.project()
    await admin.api.post(path, body)
    const { status, body: problem } = await admin.api.post(path, {
      ...body,
      operations: [create('a', { title: 'Two' })],
    })
    expect(status).toBe(409)
    expect(problem.detail).toContain('"same"')
    expect(await total(admin.api)).toBe(1)
  })

  it('is new to another project', async () => {
    const [mine, theirs] = [await ws.project(), await ws.project()]
    const first = await mine.admin.api.post(path, body)
    const second = await theirs.admin.api.post(path, body)
    expect(second.body.results.a.work_order_id).not.toBe(first.body.results.a.work_order_id)
    expect(await total(theirs.admin.api)).toBe(1)
  })

  it('is new after 24 hours', async () => {
    const { admin, id } = await ws.project()
    await admin.api.post(path, body)
    await ws.sql`update replays set created_at = created_at - interval '24 hours' where project_id = ${id}`
    expect((await admin.api.post(path, { ...body, operations: [create('c')] })).status).toBe(200)
    expect(await total(admin.api)).toBe(2)
  })

  it('after a refusal of the envelope is not a repetition', async () => {
    const { admin } = await ws.project()
    expect((await admin.api.post(path, { ...body, operations: [] })).status).toBe(422)
    expect((await admin.api.post(path, body)).status).toBe(200)
  })

  it('is one batch for all keys of the project', async () => {
    const project = await ws.project()
    const editor = await project.join('editor')
    const first = await project.admin.api.post(path, body)
    expect((await editor.api.post(path, body)).body).toEqual(first.body)
    expect(await total(editor.api)).toBe(1)
  })
})

describe('batch_update sent again', () => {
  it('with the same request_id applies each time, with the same and with another body', async () => {
    const { admin } = await ws.project()
    const { id } = await createWorkOrder(admin.api)
    const send = async (status: string) => {
      const { body } = await admin.api.post('/work_orders/batch_update', {
        request_id: 'same',
        operations: [
          { operation_id: 'a', operation_type: 'UpdateStatus', target: { work_order_id: id }, patch: { status } },
        ],
      })
      expect(body.status).toBe('Succeeded')
      return (await admin.api.get(`/work_orders/${id}`)).body.data.status
    }
    expect(await send('ready')).toBe('ready')
    expect(await send('blocked')).toBe('blocked')
    expect(await send('ready')).toBe('ready')
  })

  it('may use a request_id of batch_create', async () => {
    const { admin } = await ws.project()
    await admin.api.post('/work_orders/batch_create', { request_id: 'r', operations: [create('a')] })
    const operations = [{ operation_id: 'a', operation_type: 'DeleteWorkOrder', target: { work_order_number: 1 } }]
    const { body } = await admin.api.post('/work_orders/batch_update', { request_id: 'r', operations })
    expect(body.status).toBe('Succeeded')
  })

  it('fails for targets that are not there, in this project or at all', async () => {
    const [mine, theirs] = [await ws.project(), await ws.project()]
    const foreign = await createWorkOrder(theirs.admin.api, { title: 'Theirs' })
    const targets = [{ work_order_id: foreign.id }, { work_order_id: NEVER }, { work_order_number: 1 }]
    const { body } = await mine.admin.api.post('/work_orders/batch_update', {
      request_id: 'r',
      operations: targets.map((target, index) => ({
        operation_id: `${index}`,
        operation_type: 'UpdateTitle',
        target,
        patch: { title: 'Mine' },
      })),
    })
    expect(body.status).toBe('Failed')
    expect(body.results['0'].message.replace(foreign.id, NEVER)).toBe(body.results['1'].message)
    expect(body.results['0']).toMatchObject({ work_order_id: null, work_order_number: null })
    expect((await theirs.admin.api.get(`/work_orders/${foreign.id}`)).body.data.title).toBe('Theirs')
  })
})
