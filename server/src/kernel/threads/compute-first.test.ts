import { afterAll, beforeAll, expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/harness.ts'
import { connect, inTransaction, type Sql } from '../database/index.ts'
import { computed, computingFirst } from './compute-first.ts'

let db: Sql
beforeAll(async () => {
  db = connect(await cloneDatabase(), { max: 2 })
  await db`create table words (word text not null)`
})
afterAll(() => db.end())

test('a transaction that needs a computed result writes once, after the result is computed', async () => {
  const inside: number[] = []
  const length = (input: string) => ({
    isLong: true,
    compute: async () => {
      const [row] = await db<{ open: number }[]>`
        select count(*)::int as open from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction'`
      inside.push(row!.open)
      return input.length
    },
  })
  const result = await computingFirst({ db }, 'words', (ctx) =>
    inTransaction(ctx, async (ctx) => {
      await ctx.db`insert into words values ('first')`
      const first = await computed(ctx, 'length', 'first', length('first'))
      await ctx.db`insert into words values ('second')`
      return first + (await computed(ctx, 'length', 'second', length('second')))
    }),
  )
  expect(result).toBe(11)
  expect(inside).toEqual([0, 0])
  expect(await db`select word from words`).toMatchObject([{ word: 'first' }, { word: 'second' }])
})

test('a transaction whose input keeps changing is refused in the end', async () => {
  let count = 0
  const endless = computingFirst({ db }, 'endless', (ctx) =>
    inTransaction(ctx, (ctx) => computed(ctx, 'next', ++count, { isLong: true, compute: () => count })),
  )
  await expect(endless).rejects.toMatchObject({ status: 409, code: 'document_busy' })
})

test('an error while computing is thrown unchanged, and the next in the queue continues', async () => {
  const failing = computingFirst({ db }, 'queue', (ctx) =>
    inTransaction(ctx, (ctx) =>
      computed(ctx, 'fail', 1, { isLong: true, compute: () => Promise.reject(new Error('broken')) }),
    ),
  )
  const next = computingFirst({ db }, 'queue', (ctx) =>
    inTransaction(ctx, (ctx) => computed(ctx, 'pass', 1, { isLong: true, compute: () => 'passed' })),
  )
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe('passed')
})
