import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorkOrder } from '../../src/product/work-orders/work-order.factory.ts'
import { type Answer, type Client, openWorkspace, type Workspace } from '../harness.ts'
import { expectNoBlocking } from '../loop-delay.ts'

let ws: Workspace
let api: Client
let reporter: Client
let description: string
beforeAll(async () => {
  ws = await openWorkspace()
  const project = await ws.project()
  api = project.admin.api
  reporter = (await project.join('editor', 'reporting')).api
  description = `/work_orders/${(await createWorkOrder(api)).id}/description`
})
afterAll(() => ws.close())

const MB = 1024 * 1024
const MARKDOWN =
  '## Steps\n\n1. Open the **cart** and [add a coupon](https://example.org/?a=b).\n2. See `total`.\n\n> It is <b>off</b> by a cent.\n\n'
/** Each of these makes some markdown parser take quadratic time. */
const HOSTILE_MARKDOWN = ['![', '[', '<a\n', '[a](', '<!--', '*a_', '`` ` ', '|-|\n', '> ', '&#', '\\', '[a]: <']

const times = <T>(count: number, make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index))

let requests = 0
const batchOf = (operations: object[]) =>
  JSON.stringify({
    request_id: `batch ${++requests}`,
    operations: operations.map((one, index) => ({ operation_id: `${index}`, ...one })),
  })
const createAll = (descriptions: string[]) =>
  batchOf(descriptions.map((text) => ({ operation_type: 'CreateWorkOrder', patch: { markdown_content: text } })))

async function expectAnswers(status: number, send: () => Promise<Answer>[]) {
  await expectNoBlocking(async () => {
    const [alive, ...answers] = await Promise.all([ws.client(undefined).get('/livez'), ...send()])
    expect(alive.status).toBe(200)
    expect(new Set(answers.map((one) => one.status))).toEqual(new Set([status]))
  })
}

describe('other requests do not wait for', () => {
  it('descriptions that are hard to parse', async () => {
    for (const text of HOSTILE_MARKDOWN) {
      const body = createAll(times(50, () => text.repeat(8_000 / text.length)))
      await expectAnswers(200, () => [api.post('/work_orders/batch_create', body)])
    }
  })

  it.each([false, true])('200 descriptions of 4,000 brackets, with an Idempotency-Key: %s', async (withKey) => {
    const body = createAll(times(200, () => '!['.repeat(4_000)))
    const headers = withKey ? { 'idempotency-key': `brackets ${requests}` } : {}
    await expectAnswers(200, () => [api.post('/work_orders/batch_create', body, headers)])
  })

  it('batches of 500 operations with 4 KB of markdown each', async () => {
    const texts = times(500, (index) => `${index} ${MARKDOWN.repeat(32)}`)
    const creates = createAll(texts)
    await expectAnswers(200, () => [api.post('/work_orders/batch_create', creates)])
    const updates = batchOf(
      texts.map((text, index) => ({
        operation_type: 'UpdateDescription',
        target: { work_order_number: index + 2 },
        patch: { markdown_content: `${text}Again.` },
      })),
    )
    await expectAnswers(200, () => [api.post('/work_orders/batch_update', updates)])
  })

  it('20 concurrent reports, of 10 MB and of the maximum size', async () => {
    const report = (content: string) => JSON.stringify({ end_user_email: 'ada@example.org', content })
    const [huge, large] = [report('x'.repeat(10 * MB - 100)), report('!['.repeat(50_000))]
    const send = (body: string) => times(20, () => reporter.post('/v2/reporting-api/feedback', body))
    await expectAnswers(413, () => send(huge))
    await expectAnswers(201, () => send(large))
  })

  it.each(['x', '😀', '\u0001', '"', '\\'])('a text of %j that is far too long', async (character) => {
    const bytes = Buffer.byteLength(JSON.stringify(character)) - 2
    const body = JSON.stringify({ query: character.repeat((4 * MB) / bytes) })
    await expectAnswers(422, () => [api.post('/work_orders/search', body)])
  })

  it.each(['\\n', '\\"', '\\u0001'])('10 MB of the escape %s', async (sequence) => {
    const body = `{"markdown_content":"${sequence.repeat((10 * MB - 100) / sequence.length)}"}`
    await expectAnswers(422, () => [api.patch(description, body)])
  })

  it('a deeply nested body', async () => {
    const body = '['.repeat(5 * MB) + ']'.repeat(5 * MB - 100)
    await expectAnswers(400, () => [api.patch(description, body)])
  })

  it('a body with millions of values', async () => {
    const body = `{"markdown_content":"x","list":[0${',0'.repeat(5 * MB - 100)}]}`
    await expectAnswers(413, () => [api.patch(description, body)])
  })

  it('bodies with 49,000 unknown fields', async () => {
    const names = times(49_000, (index) => `"${index}":0`).join()
    const body = `{"markdown_content":"x",${names}}`
    await expectAnswers(200, () => [api.patch(description, body)])
    const operation = `{"operation_id":"a","operation_type":"CreateWorkOrder",${names}}`
    const batch = `{"request_id":"names ${++requests}","operations":[${operation}]}`
    await expectAnswers(200, () => [api.post('/work_orders/batch_create', batch)])
  })

  it('a body with 10,000 errors', async () => {
    const body = batchOf(times(10_000, () => ({ operation_type: 1 })))
    await expectAnswers(422, () => [api.post('/work_orders/batch_create', body)])
  })
})
