import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { inTransaction, query } from '../../kernel/database/index.ts'
import { limitStatements } from '../../kernel/searches/search-queue.ts'
import { statementOf } from './search-queries.ts'

const COUNT = 10_000
let ws: Workspace
let admin: Member
let projectId: string
beforeAll(async () => {
  ws = await openWorkspace()
  const project = await ws.project()
  admin = project.admin
  projectId = project.id
  await addWorkOrders(projectId, COUNT)
})
afterAll(() => ws.close())

/** Every one says "common", every 1,000th "rarity", and each its own "single<number>". */
async function addWorkOrders(project: string, count: number) {
  await inTransaction({ db: ws.sql }, async ({ db }) => {
    await db`
      insert into resources (project_id, id, resource_type)
      select ${project}, md5(${project} || n)::uuid, 'work_order' from generate_series(1, ${count}::int) n`
    await db`
      insert into work_orders (project_id, id, work_order_number, title, status, priority, type, markdown_content,
        description_snippet, created_at, updated_at)
      select ${project}, md5(${project} || n)::uuid, n, 'Common order', 'backlog', 'low', 'none',
        'It is single' || n || ', ' || md5(n::text) || case when n % 1000 = 0 then ' a Rarity' else '' end, '', now(), now()
      from generate_series(1, ${count}::int) n`
  })
  // As PostgreSQL does by itself after a while.
  await ws.sql`vacuum analyze work_orders`
}

async function found(text: string, limit = 20): Promise<number[]> {
  const { status, body } = await admin.api.post('/work_orders/search', { query: text, limit })
  expect(status).toBe(200)
  return body.items.map((item: { work_order_number: number }) => item.work_order_number)
}

describe('among 10,000 work orders', () => {
  it.each([
    ['common rarity', [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000, 9_000, 10_000]],
    [
      'order single99',
      [99, ...Array.from({ length: 10 }, (_, at) => 990 + at), ...Array.from({ length: 9 }, (_, at) => 9_900 + at)],
    ],
    ['RARITY single7000', [7_000]],
    ['common order', Array.from({ length: 20 }, (_, at) => at + 1)],
    ['rarity absent', []],
  ])('"%s" finds the first of them, in order', async (text, expected) => {
    expect(await found(text)).toEqual(expected)
  })

  it('a limit ends the list wherever the last of them is', async () => {
    expect(await found('rarity', 3)).toEqual([1_000, 2_000, 3_000])
    expect(await found('a rarity', 10)).toHaveLength(10)
  })

  it('two words are looked up in the index: no work order is read in vain', async () => {
    const { text, values } = statementOf({ projectId, words: ['rarity', 'single7000'], limit: 20, from: 200 })
    const plan = await inTransaction({ db: ws.sql }, async ({ db }) => {
      await limitStatements(db, 10_000)
      return query<{ 'QUERY PLAN': string }>(db, `explain ${text}`, values)
    })
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n')
    expect(lines).toContain('Bitmap Index Scan on work_orders_text')
    expect(lines).not.toContain('Seq Scan on work_orders')
  })
})

describe('a search that takes too long', () => {
  it('is a 503 at its deadline, PostgreSQL stops with it, and others are answered meanwhile', async () => {
    const other = await ws.project()
    let answered = 0
    await inTransaction({ db: ws.sql }, async ({ db }) => {
      await db`lock table work_orders in access exclusive mode`
      const waiting = async () =>
        (await db`select from pg_locks where relation = 'work_orders'::regclass and not granted`).length
      const searches = Array.from({ length: 20 }, async () => {
        const answer = await admin.api.post('/work_orders/search', { query: 'common' })
        answered++
        return answer
      })
      await eventually(async () => (await waiting()) > 0)
      expect((await other.admin.api.get('/users')).status).toBe(200)
      expect(answered).toBe(0)
      for (const { status, body, headers } of await Promise.all(searches)) {
        expect([status, body.code]).toEqual([503, 'search_timeout'])
        expect(body.detail).toContain('"common"')
        expect(headers['retry-after']).toBe('1')
      }
      await eventually(async () => (await waiting()) === 0)
    })
    expect(await found('rarity', 1)).toEqual([1_000])
  })
})
