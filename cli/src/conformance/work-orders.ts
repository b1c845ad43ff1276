import { checkPaging } from './every-operation.ts'
import { needed, type Report } from './report.ts'
import {
  expectAnswer,
  expectEmpty,
  expectEqual,
  expectProblem,
  expectThat,
  type ServerUnderTest,
} from './server-under-test.ts'
import { batch, dataOf, itemsOf, label, pageOf, phase, workOrder, workOrderComment } from './shapes.ts'

const ONE = '/work_orders/{work_order_id}'
const CREATE = 'POST /work_orders/batch_create'
const UPDATE = 'POST /work_orders/batch_update'

export async function checkWorkOrders(report: Report, server: ServerUnderTest): Promise<void> {
  const mark = `Conformance ${crypto.randomUUID()}`
  const create = (request_id: string, ...patches: object[]) =>
    server.post('/work_orders/batch_create', {
      request_id,
      operations: patches.map((patch, at) => ({ operation_id: `op-${at}`, operation_type: 'CreateWorkOrder', patch })),
    })
  const requestId = crypto.randomUUID()
  const values = { title: mark, markdown_content: 'The total is off by a **cent**.', priority: 'urgent', type: 'build' }

  const { id, number } = needed(
    await report.check(CREATE, 'creates, each operation standing alone', async () => {
      const { body } = expectAnswer(await create(requestId, values, { title: 'x', status: 'gone' }), 200, batch)
      expectEqual([body.request_id, body.status], [requestId, 'PartiallySucceeded'], 'the result')
      const [made, refused] = [body.results['op-0'], body.results['op-1']]
      expectEqual([made.status, made.message, refused.status], ['succeeded', '', 'failed'], 'the operations')
      expectThat(refused.message.includes('backlog'), 'the message does not name the allowed values')
      return { id: made.work_order_id as string, number: made.work_order_number as number }
    }),
  )
  const path = `/work_orders/${id}`
  const detail = async (at = path) => expectAnswer(await server.get(at), 200, dataOf(workOrder.detail))

  await report.check(CREATE, 'creates nothing again for one request_id', async () => {
    const again = expectAnswer(await create(requestId, values, { title: 'x', status: 'gone' }), 200, batch)
    expectEqual(again.body.results['op-0'].work_order_id, id, 'the work order')
    expectProblem(await create(requestId, { title: 'other' }), 409)
  })
  await report.check(CREATE, 'refuses two operations with one id', async () => {
    const operation = { operation_id: 'a', operation_type: 'CreateWorkOrder', patch: {} }
    const body = { request_id: crypto.randomUUID(), operations: [operation, operation] }
    expectProblem(await server.post('/work_orders/batch_create', body), 422)
  })
  await report.check(UPDATE, 'updates by id and by number, and says what failed', async () => {
    const operations = [
      { operation_id: 'a', operation_type: 'UpdateStatus', target: { work_order_id: id }, patch: { status: 'ready' } },
      {
        operation_id: 'b',
        operation_type: 'UpdatePriority',
        target: { work_order_number: number },
        patch: { priority: 'low' },
      },
      { operation_id: 'c', operation_type: 'Nonsense', target: { work_order_id: id }, patch: {} },
    ]
    const { body } = expectAnswer(
      await server.post('/work_orders/batch_update', { request_id: 'c', operations }),
      200,
      batch,
    )
    expectEqual(
      ['a', 'b', 'c'].map((name) => body.results[name]?.status),
      ['succeeded', 'succeeded', 'failed'],
      'the operations',
    )
    const { data } = (await detail()).body
    expectEqual([data.status, data.priority], ['ready', 'low'], 'the work order')
  })
  await checkPaging(report, server, '/work_orders')
  await report.check('GET /work_orders', 'filters by title and status', async () => {
    const query = `title=${encodeURIComponent(mark)}&status=ready,backlog`
    const { body } = expectAnswer(await server.get(`/work_orders?${query}`), 200, pageOf(workOrder.summary))
    expectEqual(
      body.items.map((one: { id: string }) => one.id),
      [id],
      'what is found',
    )
    expectProblem(await server.get('/work_orders?status=gone'), 422)
  })
  await report.check('GET /work_orders', 'shows the description as plain text', async () => {
    const { body } = await server.get(`/work_orders?title=${encodeURIComponent(mark)}`)
    expectEqual(body.items[0]?.description_snippet, 'The total is off by a cent.', 'description_snippet')
  })
  await report.check('POST /work_orders/search', 'finds by words or by number, and not by both', async () => {
    const search = (body: object) => server.post('/work_orders/search', body)
    for (const asked of [{ query: `CENT ${mark.split(' ')[1]}` }, { work_order_number: number }]) {
      const { body } = expectAnswer(await search(asked), 200, itemsOf(workOrder.summary))
      expectEqual(
        body.items.map((one: { id: string }) => one.id),
        [id],
        'what is found',
      )
    }
    expectProblem(await search({ query: 'x', work_order_number: 1 }), 422)
    expectProblem(await search({}), 422)
  })
  await report.check(`GET ${ONE}`, 'answers the detail form, with an ETag', async () => {
    const etag = (await detail()).headers.get('etag') ?? ''
    expectAnswer(await server.get(path, { headers: { 'if-none-match': etag } }), 304)
  })
  await report.check('GET /work_orders/by_number/{work_order_number}', 'answers the same as by id', async () => {
    expectEqual((await detail(`/work_orders/by_number/${number}`)).body, (await detail()).body, 'the answer')
  })
  await report.check(`PATCH ${ONE}/description`, 'overwrites the whole description', async () => {
    const answer = await server.patch(`${path}/description`, { markdown_content: 'New.' })
    expectEqual(
      expectAnswer(answer, 200, dataOf(workOrder.detail)).body.data.markdown_content,
      'New.',
      'the description',
    )
    const headers = { 'if-match': '"of-old"' }
    expectProblem(await server.patch(`${path}/description`, { markdown_content: 'x' }, { headers }), 412)
  })
  await checkComments(report, server, path)
  await report.check(`DELETE ${ONE}`, 'deletes for good', async () => {
    expectEmpty(await server.delete(path))
    expectProblem(await server.get(path), 404)
  })
  await report.check('GET /work_orders/labels', 'lists the labels', async () => {
    expectAnswer(await server.get('/work_orders/labels'), 200, itemsOf(label))
  })
  await report.check('GET /work_orders/phases', 'lists the phases by number', async () => {
    const { body } = expectAnswer(await server.get('/work_orders/phases'), 200, itemsOf(phase))
    const numbers = body.items.map((one: { phase_number: number }) => one.phase_number)
    expectEqual(
      numbers,
      numbers.toSorted((a: number, b: number) => a - b),
      'the order',
    )
  })
}

async function checkComments(report: Report, server: ServerUnderTest, path: string): Promise<void> {
  const comment = `${ONE}/comments/{comment_id}`
  const id = await report.check(`POST ${ONE}/comments`, 'adds a comment with 201', async () => {
    const answer = await server.post(`${path}/comments`, { markdown_content: 'Try it with a gift card.' })
    const { data } = expectAnswer(answer, 201, dataOf(workOrderComment)).body
    expectEqual([data.markdown_content, data.artifact_ids], ['Try it with a gift card.', []], 'the comment')
    expectProblem(await server.post(`${path}/comments`, { markdown_content: 'x', artifact_ids: [data.id] }), 422)
    return data.id as string
  })
  await report.check(`GET ${ONE}/comments`, 'lists the comments', async () => {
    const { body } = expectAnswer(await server.get(`${path}/comments`), 200, itemsOf(workOrderComment))
    expectEqual(
      body.items.map((one: { id: string }) => one.id),
      [needed(id)],
      'the comments',
    )
  })
  await report.check(`PATCH ${comment}`, 'changes it', async () => {
    const answer = await server.patch(`${path}/comments/${needed(id)}`, { markdown_content: 'Done.' })
    expectEqual(expectAnswer(answer, 200, dataOf(workOrderComment)).body.data.markdown_content, 'Done.', 'the comment')
  })
  await report.check(`DELETE ${comment}`, 'deletes it', async () => {
    expectEmpty(await server.delete(`${path}/comments/${needed(id)}`))
  })
}
