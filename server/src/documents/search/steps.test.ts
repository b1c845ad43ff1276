import { afterAll, beforeAll, expect, it } from 'vitest'
import { cloneDatabase } from '../../../test/harness.ts'
import { connect, inTransaction, type Sql } from '../../kernel/database/index.ts'
import type { Pace } from '../../kernel/searches/pace.ts'
import { sieveByContent, sieveByTitle, siftDocuments } from './queries.ts'
import { addDocumentRows, addProjectRow } from './search.factory.ts'

let sql: Sql
let ids: string[]
let scope: { projectId: string; kind: string }
beforeAll(async () => {
  sql = connect(await cloneDatabase(), { max: 2 })
  const place = await addProjectRow(sql)
  scope = { projectId: place.projectId, kind: 'note' }
  // The last is the most recently updated; every 30th says "needle".
  const documents = Array.from({ length: 130 }, (_, number) => ({
    title: number % 30 === 0 ? 'A needle' : 'Hay',
    content: number % 30 === 0 ? 'a needle\n' : 'hay\n',
    updatedAt: new Date(Date.UTC(2026, 0, 1) + number * 1_000).toISOString(),
  }))
  ids = await addDocumentRows(sql, place, documents)
})
afterAll(() => sql.end())

const paceOf = (isHeld: boolean): Pace => ({
  isHeld: () => isHeld,
  stretchMs: () => 1_000,
  isOver: () => false,
  noteRest: () => undefined,
  end: () => undefined,
})
const plan = { postgresPattern: 'needle', trigrams: true as const }

async function stepsOf(sieve: Parameters<typeof siftDocuments>[1], isHeld: boolean): Promise<string[][]> {
  const steps: string[][] = []
  await inTransaction({ db: sql }, async ({ db: tx }) => {
    for await (const step of siftDocuments(tx, sieve, { pace: paceOf(isHeld), leftMs: () => 10_000 })) steps.push(step)
  })
  return steps
}

it.each([true, false])('finds the same, newest first, whether it is held up or not (%s)', async (isHeld) => {
  const expected = [120, 90, 60, 30, 0].map((number) => ids[number])
  for (const sieve of [sieveByTitle(scope, plan), sieveByContent(scope, plan)])
    expect((await stepsOf(sieve, isHeld)).flat()).toEqual(expected)
  const all = await stepsOf(sieveByContent(scope, { ...plan, postgresPattern: undefined }), isHeld)
  expect(all.flat()).toEqual(ids.toReversed())
})

it('can stop after few documents when it is held up, also where nothing matches', async () => {
  const nothing = sieveByContent(scope, { ...plan, postgresPattern: 'nowhere' })
  const held = await stepsOf(nothing, true)
  expect(held.flat()).toEqual([])
  expect(held.length).toBeGreaterThan((await stepsOf(nothing, false)).length)
})
