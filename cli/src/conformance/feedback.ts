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
import { integer, object } from './shape.ts'
import { dataOf, item, itemsOf, pageOf, quote, theme } from './shapes.ts'

const REPORT = 'POST /v2/reporting-api/feedback'
const ITEM = '/feedback/items/{feedback_item_id}'
const THEME = '/feedback/themes/{theme_id}'

/** From a report to a theme. Needs a reporting key for the report itself. */
export async function checkFeedback(report: Report, server: ServerUnderTest): Promise<void> {
  const itemId = await checkItems(report, server)
  const id = needed(
    await report.check('POST /feedback/themes', 'creates with 201 and answers the detail form', async () => {
      const made = { title: 'Conformance', type: 'bug', priority: 'no_priority', description: 'The refund fails.' }
      const { body } = expectAnswer(await server.post('/feedback/themes', made), 201, dataOf(theme.detail))
      expectEqual(
        [body.data.title, body.data.status, body.data.quote_count],
        ['Conformance', 'unresolved', 0],
        'the theme',
      )
      expectThat(/^TH-\d+$/.test(body.data.display_id), `display_id is ${body.data.display_id}`)
      return body.data.id as string
    }),
  )
  const path = `/feedback/themes/${id}`
  await report.check('POST /feedback/themes', 'refuses values outside the set and names those within', async () => {
    const made = { title: 'x', type: 'nuisance', priority: 'no_priority', description: 'x' }
    const { text } = expectProblem(await server.post('/feedback/themes', made), 422)
    expectThat(text.includes('feature_request'), 'the allowed values are not named')
  })
  await report.check('GET /feedback/themes', 'lists all themes, and those of a status', async () => {
    const { body } = expectAnswer(await server.get('/feedback/themes?status=unresolved'), 200, itemsOf(theme.summary))
    expectThat(
      body.items.some((one: { id: string }) => one.id === id),
      'the new theme is not among them',
    )
    expectProblem(await server.get('/feedback/themes?status=gone'), 422)
  })
  await report.check(`GET ${THEME}`, 'answers the detail form, with an ETag', async () => {
    const answer = expectAnswer(await server.get(path), 200, dataOf(theme.detail))
    expectAnswer(await server.get(path, { headers: { 'if-none-match': answer.headers.get('etag') ?? '' } }), 304)
  })
  await report.check(`PATCH ${THEME}`, 'changes only what is given', async () => {
    const { body } = expectAnswer(await server.patch(path, { status: 'in_progress' }), 200, dataOf(theme.detail))
    expectEqual([body.data.status, body.data.title], ['in_progress', 'Conformance'], 'the theme')
    expectAnswer(await server.patch(path, {}), 200)
    expectProblem(await server.patch(path, { colour: 'red' }), 422)
  })
  if (itemId !== undefined) await checkQuotes(report, server, path, itemId)
  await checkLinks(report, server, path)
  await report.check(`DELETE ${THEME}`, 'deletes the theme and frees its items', async () => {
    expectEmpty(await server.delete(path))
    expectProblem(await server.get(path), 404)
  })
}

async function checkItems(report: Report, server: ServerUnderTest): Promise<string | undefined> {
  const key = server.reportingKey
  const mark = `Conformance ${crypto.randomUUID()}`
  const number =
    key === undefined
      ? undefined
      : await report.check(REPORT, 'takes a report with 201 and tells its number', async () => {
          const sent = { end_user_email: 'grace@example.org', content: `# ${mark}\n\nThe refund fails.` }
          const answer = await server.post('/v2/reporting-api/feedback', sent, { key })
          return expectAnswer(answer, 201, object({ feedback_number: integer })).body.feedback_number as number
        })
  if (key !== undefined)
    await report.check(REPORT, 'refuses a title, an address that is none, and a key of the external API', async () => {
      const sent = { end_user_email: 'grace@example.org', content: 'x' }
      const send = (body: object, as = key) => server.post('/v2/reporting-api/feedback', body, { key: as })
      expectProblem(await send({ ...sent, title: 'x' }), 422, 'title_not_allowed')
      expectProblem(await send({ ...sent, end_user_email: 'nobody' }), 422)
      expectProblem(await send(sent, server.key), 401)
    })
  await checkPaging(report, server, '/feedback/items')
  const found = await report.check('GET /feedback/items', 'lists items, the newest first', async () => {
    const { body } = expectAnswer(await server.get('/feedback/items?page_size=5'), 200, pageOf(item.summary))
    expectProblem(await server.get('/feedback/items?status=gone'), 422)
    if (number !== undefined) expectEqual(body.items[0]?.display_id, `FB-${number}`, 'the first item')
    return body.items[0]?.id as string | undefined
  })
  if (found !== undefined)
    await report.check(`GET ${ITEM}`, 'answers the detail form', async () => {
      const { body } = expectAnswer(await server.get(`/feedback/items/${found}`), 200, dataOf(item.detail))
      if (number !== undefined) expectEqual(body.data.title, mark, 'the title, which is the first line')
    })
  return number === undefined ? undefined : found
}

async function checkQuotes(report: Report, server: ServerUnderTest, path: string, itemId: string): Promise<void> {
  const statusOf = async () => (await server.get(`/feedback/items/${itemId}`)).body.data.status
  await report.check(`POST ${THEME}/feedback_links`, 'links once with 201, again with 200', async () => {
    const link = () => server.post(`${path}/feedback_links`, { feedback_item_id: itemId })
    const first = expectAnswer(await link(), 201, dataOf(quote))
    const again = expectAnswer(await link(), 200, dataOf(quote))
    expectEqual(again.body.data.id, first.body.data.id, 'the quote')
    expectEqual(await statusOf(), 'processed', 'the status of the item')
  })
  await report.check(`DELETE ${THEME}/feedback_links/{feedback_item_id}`, 'unlinks and answers the quote', async () => {
    expectAnswer(await server.delete(`${path}/feedback_links/${itemId}`), 200, dataOf(quote))
    expectProblem(await server.delete(`${path}/feedback_links/${itemId}`), 404)
    expectEqual(await statusOf(), 'to_process', 'the status of the item')
  })
}

async function checkLinks(report: Report, server: ServerUnderTest, path: string): Promise<void> {
  const operation = { operation_id: 'a', operation_type: 'CreateWorkOrder', patch: { title: 'Conformance' } }
  const batch = { request_id: crypto.randomUUID(), operations: [operation] }
  const order = (await server.post('/work_orders/batch_create', batch)).body?.results?.a?.work_order_id as string
  await report.check(`POST ${THEME}/work_orders`, 'links a work order, also when repeated', async () => {
    for (const _ of ['first', 'again']) {
      const answer = await server.post(`${path}/work_orders`, { work_order_id: order })
      expectEqual(expectAnswer(answer, 200, dataOf(theme.detail)).body.data.linked_work_order_count, 1, 'the count')
    }
  })
  await report.check(`DELETE ${THEME}/work_orders/{work_order_id}`, 'unlinks it', async () => {
    const { body } = expectAnswer(await server.delete(`${path}/work_orders/${order}`), 200, dataOf(theme.detail))
    expectEqual(body.data.linked_work_order_count, 0, 'the count')
    expectProblem(await server.delete(`${path}/work_orders/${order}`), 404)
  })
  if (order) await server.delete(`/work_orders/${order}`)

  const make = async (document_type: string) =>
    (await server.post('/requirements', { title: 'Conformance', document_type })).body?.data?.id as string
  const [feature, overview] = [await make('FEATURE'), await make('OVERVIEW')]
  const set = (id: string) => server.put(`${path}/feature`, { feature_requirements_document_id: id })
  await report.check(`PUT ${THEME}/feature`, 'links a feature and nothing else', async () => {
    const { body } = expectAnswer(await set(feature), 200, dataOf(theme.detail))
    expectEqual(body.data.feature_requirements_document_id, feature, 'the feature')
    expectProblem(await set(overview), 422)
  })
  await report.check(`DELETE ${THEME}/feature`, 'clears the feature, also when there is none', async () => {
    for (const _ of ['first', 'again']) {
      const { body } = expectAnswer(await server.delete(`${path}/feature`), 200, dataOf(theme.detail))
      expectEqual(body.data.feature_requirements_document_id, null, 'the feature')
    }
  })
  for (const id of [feature, overview]) await server.delete(`/requirements/${id}`)

  const member = (await server.get('/users?page_size=1')).body?.items?.[0]
  await report.check(`PUT ${THEME}/assignee`, 'takes a user id or an e-mail address, and not both', async () => {
    for (const who of [{ user_id: member.id }, { email: member.email }]) {
      const { body } = expectAnswer(await server.put(`${path}/assignee`, who), 200, dataOf(theme.detail))
      expectEqual(body.data.assignee?.id, member.id, 'the assignee')
    }
    expectProblem(await server.put(`${path}/assignee`, { user_id: member.id, email: member.email }), 422)
  })
  await report.check(`DELETE ${THEME}/assignee`, 'clears the assignee, also when there is none', async () => {
    for (const _ of ['first', 'again']) {
      const { body } = expectAnswer(await server.delete(`${path}/assignee`), 200, dataOf(theme.detail))
      expectEqual(body.data.assignee, null, 'the assignee')
    }
  })
}
