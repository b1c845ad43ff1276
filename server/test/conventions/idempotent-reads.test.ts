import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '../../src/kernel/database/index.ts'
import { eventually, type Member, openWorkspace, type Workspace } from '../harness.ts'

let workspace: Workspace
let admin: Member
beforeAll(async () => {
  workspace = await openWorkspace()
  admin = (await workspace.project()).admin
})
afterAll(() => workspace.close())

const SEARCHES = ['/work_orders/search', '/requirements/search', '/blueprints/search']

describe.each(SEARCHES)('an Idempotency-Key on POST %s', (path) => {
  test('is ignored: nothing is stored, and another body may reuse the key', async () => {
    const search = (query: string) => admin.api.post(path, { query }, { 'idempotency-key': 'one' })
    const answers = [await search('first'), await search('first'), await search('second')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, undefined, undefined])
    expect(await workspace.sql`select from replays where key = 'one'`).toHaveLength(0)
  })

  test('that is empty or too long is a 422', async () => {
    const search = (key: string) => admin.api.post(path, { query: 'x' }, { 'idempotency-key': key })
    expect((await search('')).status).toBe(422)
    expect((await search('k'.repeat(256))).status).toBe(422)
    expect((await search('k'.repeat(255))).status).toBe(200)
  })
})

describe('many waiting requests with an Idempotency-Key', () => {
  const READ = '/users'
  /** Runs while the table is locked. Everything else uses the connections of the app. */
  const whileLocked = (table: 'documents' | 'work_orders', run: () => Promise<void>) =>
    inTransaction({ db: workspace.sql }, async ({ db }) => {
      if (table === 'documents') await db`lock table documents in access exclusive mode`
      else await db`lock table work_orders in access exclusive mode`
      await run()
    })
  const isWaiting = async () =>
    (
      await workspace.sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`
    ).length > 0

  test.each([
    ['/work_orders/search', 'work_orders' as const],
    ['/requirements/search', 'documents' as const],
  ])('leave connections for others while they wait to search (%s)', async (path, table) => {
    let answered = 0
    let searches: Promise<unknown>[] = []
    await whileLocked(table, async () => {
      searches = Array.from({ length: 30 }, async (_, number) => {
        await admin.api.post(path, { query: 'x' }, { 'idempotency-key': `${path} ${number}` })
        answered++
      })
      await eventually(isWaiting)
      expect((await admin.api.get(READ)).status).toBe(200)
      expect(answered).toBe(0)
    })
    await Promise.all(searches)
  })
})
