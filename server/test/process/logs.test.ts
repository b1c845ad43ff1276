import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually } from '../harness.ts'
import {
  addWorkOrder,
  completeLines,
  dataFolder,
  externalKey,
  knownKeys,
  openPool,
  type RunningServer,
  startServer,
} from './running-server.ts'

const dataDir = dataFolder()
const strangersKey = `sofa-ext-${'x'.repeat(43)}`
const secretText = 'the launch is on friday'
let server: RunningServer
let pool: ReturnType<typeof openPool>

beforeAll(async () => {
  server = await startServer({ dataDir, env: { ...knownKeys, LOG_LEVEL: 'trace' } })
  pool = openPool(dataDir)
})
afterAll(() => pool.end())

const logged = (requestId: string, message = 'request') =>
  eventually(() => server.logged().find((line) => line.request_id === requestId && line.msg === message))

test('every request logs one JSON line with its id, method, URL and status', async () => {
  const before = Date.now()
  const { headers } = await server.client().get('/work_orders?page_size=5')
  const line = await logged(headers['x-request-id']!)
  expect(line).toMatchObject({ method: 'GET', path: '/v2/external-api/work_orders', status: 200 })
  expect(line.ms).toBeGreaterThan(0)
  expect(line.time).toBeGreaterThanOrEqual(before)
  expect(line.project_id).toMatch(/^[0-9a-f-]{36}$/)
  expect(line.key_id).toMatch(/^[0-9a-f-]{36}$/)
})

test('the log contains the request id of the client', async () => {
  await server.client().get('/nothing/here', { 'x-request-id': 'from-the-client' })
  expect(await logged('from-the-client')).toMatchObject({ status: 404 })
  expect(server.logged().filter(({ request_id }) => request_id === 'from-the-client')).toHaveLength(1)
})

test('keys, bodies and queries are never logged, whatever the outcome', async () => {
  const { get, post, patch } = server.client()
  const id = await addWorkOrder(server, secretText)
  const bearer = { 'x-api-key': '', authorization: `Bearer ${externalKey}` }
  const answers = [
    await get('/work_orders', bearer),
    await server.client(strangersKey).get('/work_orders'),
    await get(`/work_orders?api_key=${externalKey}&title=${encodeURIComponent(secretText)}`),
    await post('/work_orders/search', { query: secretText }),
    await post(`/work_orders/${id}/comments`, { markdown_content: secretText }),
    await patch(`/work_orders/${id}/description`, { markdown_content: 7, title: secretText }),
    await post('/work_orders/search', `{"query": "${secretText}`),
    await failInDatabase(id),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 200, 201, 422, 400, 503])
  for (const { headers } of answers) await logged(headers['x-request-id']!)
  await logged(answers.at(-1)!.headers['x-request-id']!, 'request failed')
  for (const secret of [externalKey, strangersKey, secretText, encodeURIComponent(secretText)])
    expect(server.stderr()).not.toContain(secret)
  expect(server.logged()).toHaveLength(completeLines(server.stderr()).length)
})

/** Runs a write that PostgreSQL cancels, with the text in its parameters. */
async function failInDatabase(id: string) {
  const holder = await pool.connect()
  await holder.query('begin')
  await holder.query('select 1 from work_orders where id = $1 for update', [id])
  const failing = server.client().patch(`/work_orders/${id}/description`, { markdown_content: secretText })
  await eventually(async () => {
    const { rowCount } = await pool.query(`select pg_cancel_backend(pid) from pg_stat_activity
      where wait_event_type = 'Lock' and application_name = 'slipway-server'`)
    return rowCount
  })
  const answer = await failing
  await holder.query('rollback')
  holder.release()
  return answer
}
