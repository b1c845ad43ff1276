import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/kernel/database/index.ts'
import { createWorkOrders } from '../../src/product/work-orders/work-order.factory.ts'
import { type Answer, type Client, eventually, openWorkspace, type Workspace } from '../harness.ts'

const MOST_DELAY_MS = 200

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
  await createWorkOrders(
    api,
    ...Array.from({ length: 300 }, (_, n) => ({ title: `Order ${n}`, markdown_content: '100%' })),
  )
  // A warm-up before measuring: the first call compiles what the route needs.
  await api.post('/work_orders/search', { query: 'warm' })
  await api.get('/work_orders?title=warm')
})
afterAll(() => ws.close())

/** Runs the action and reports how long the event loop was blocked at most. */
async function watched<T>(run: () => Promise<T>): Promise<T> {
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  try {
    return await run()
  } finally {
    delay.disable()
    expect(delay.max / 1e6).toBeLessThan(MOST_DELAY_MS)
  }
}

const search = (query: string) => watched(() => api.post('/work_orders/search', { query }))

function expectProblem({ status, body }: Answer, expected: number) {
  expect(status).toBe(expected)
  expect(body).toMatchObject({ status, code: expect.any(String), detail: expect.any(String) })
}

describe('a hostile query', () => {
  test.each([
    ['500 words of one letter', Array.from({ length: 500 }, (_, n) => String.fromCodePoint(0x4e00 + n)).join(' ')],
    ['51 words', Array.from({ length: 51 }, (_, n) => `w${n}`).join(' ')],
    ['thousands of words', Array.from({ length: 5_000 }, (_, n) => `w${n}`).join(' ')],
    ['1,001 characters', 'x'.repeat(1_001)],
    ['nothing but white space', ' \t\n\u2003 '],
    ['NUL', 'a\u0000b'],
    ['a lone surrogate', 'a \ud800'],
    ['another lone surrogate', '\udfff a'],
  ])('of %s is a 422 that says why', async (_, query) => {
    const answer = await search(query)
    expectProblem(answer, 422)
    expect(answer.body.errors[0].pointer).toBe('/query')
  })

  test('of 11 MB is a 413', async () => {
    const body = `{"query":"${'x'.repeat(11 * 1024 * 1024)}"}`
    expectProblem(await watched(() => api.post('/work_orders/search', body)), 413)
  })

  test('of 9 MB is a 422', async () => {
    const body = `{"query":"${'x'.repeat(9 * 1024 * 1024)}"}`
    expectProblem(await watched(() => api.post('/work_orders/search', body)), 422)
  })

  test.each([
    ['wildcards', '%_\\ %% __ \\\\ %_% \\% \\_'],
    ['punctuation', '. , ; : - – … ? ! ( ) [ ] { } * + ^ $ | " \' ` ~ @ # & = < >'],
    ['500 times the same word', Array.from({ length: 500 }, () => 'a').join(' ')],
    ['a word of 1,000 characters', 'ab'.repeat(500)],
    ['SQL', "' or 1=1; drop table work_orders; -- $1 \\'"],
    ['letters that grow in lower case', 'İ'.repeat(300)],
  ])('of %s is answered', async (_, query) => {
    expect((await search(query)).status).toBe(200)
  })

  test('treats wildcards literally', async () => {
    expect((await search('100%')).body.items).toHaveLength(20)
    expect((await search('1%0')).body.items).toEqual([])
    expect((await search('10_')).body.items).toEqual([])
  })
})

describe('a hostile filter', () => {
  const list = (parameters: string) => watched(() => api.get(`/work_orders?${parameters}`))

  test.each(['title', 'assignee_name'])('of 101 values of %s is a 422', async (name) => {
    expectProblem(await list(Array.from({ length: 101 }, () => `${name}=a`).join('&')), 422)
  })

  test.each([
    ['title of 501 characters', `title=${'x'.repeat(501)}`],
    ['title with NUL', 'title=%00'],
    ['assignee_name with NUL', 'assignee_name=a%00'],
  ])('%s is a 422', async (_, parameters) => {
    expectProblem(await list(parameters), 422)
  })

  test.each([
    ['wildcards', `title=${encodeURIComponent('%_\\')}&assignee_name=${encodeURIComponent('%_\\')}`],
    ['100 long titles', Array.from({ length: 100 }, (_, n) => `title=${String(n).padStart(100, '%25')}`).join('&')],
  ])('of %s finds nothing', async (_, parameters) => {
    const { status, body } = await list(parameters)
    expect(status).toBe(200)
    expect(body.items).toEqual([])
  })
})

describe('a search through very long descriptions', () => {
  test('ends by its deadline, also in PostgreSQL, and delays nobody', async () => {
    const project = await ws.project()
    const other = await ws.project()
    // Every word but the last occurs, so the search looks for all of them in all texts.
    const letters = [...'bcdefghijklmnopqrstuvwxyzäöüßéèàùçñøåæœðþłžšč']
    await inTransaction({ db: ws.sql }, async ({ db }) => {
      await db`insert into resources (project_id, id, resource_type)
        select ${project.id}, md5(n::text)::uuid, 'work_order' from generate_series(1, 8) n`
      await db`
        insert into work_orders (project_id, id, work_order_number, title, status, priority, type, markdown_content,
          description_snippet, created_at, updated_at)
        select ${project.id}, md5(n::text)::uuid, n, 'Large', 'backlog', 'low', 'none',
          repeat('a', 1900000) || ${letters.join(' ')}, '', now(), now() from generate_series(1, 8) n`
    })
    const hostile = project.admin.api.post('/work_orders/search', { query: [...letters, '!'].join(' ') })
    const beside = await watched(() => other.admin.api.post('/work_orders/search', { query: 'anything' }))
    expect(beside.status).toBe(200)
    expect([200, 503]).toContain((await hostile).status)
    await eventually(
      async () =>
        (
          await ws.sql`select from pg_stat_activity where datname = current_database() and state = 'active'
            and query like '%search_text%' and pid <> pg_backend_pid()`
        ).length === 0,
    )
  })
})
