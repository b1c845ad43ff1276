import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cloneDatabase } from '../../../test/harness.ts'
import { connect, inTransaction, lateTransaction, type Sql } from './index.ts'
import { OutdatedError, untilCurrent } from './until-current.ts'

let db: Sql
beforeAll(async () => {
  db = connect(await cloneDatabase(), { max: 4 })
  await db`create table counted (n int not null)`
})
beforeEach(async () => {
  await db`truncate counted`
  await db`insert into counted values (0)`
})
afterAll(() => db.end())

const read = async () => (await db<{ n: number }[]>`select n from counted`)[0]!.n

/** Adds one to what it has read outside the transaction. */
const addOne = (between: () => Promise<unknown> = async () => undefined) =>
  untilCurrent(db, 'counted', async () => {
    const seen = await read()
    await between()
    return inTransaction({ db }, async ({ db }) => {
      const [row] = await db<{ n: number }[]>`select n from counted for update`
      if (row!.n !== seen) throw new OutdatedError()
      await db`update counted set n = ${seen + 1}`
      return seen + 1
    })
  })

test('a write is prepared again if something else was written meanwhile', async () => {
  let meddled = false
  const answer = addOne(async () => {
    if (!meddled) await db`update counted set n = 40`
    meddled = true
  })
  expect(await answer).toBe(41)
})

test('writes of the same thing do not outdate each other', async () => {
  const attempts: number[] = []
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => addOne(async () => attempts.push(index))))
  expect(answers).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
  expect(attempts).toHaveLength(30)
})

test('a write that is outdated again and again is refused, with the advice to try again', async () => {
  const endless = addOne(() => db`update counted set n = n + 1`)
  await expect(endless).rejects.toMatchObject({ status: 409, code: 'document_busy', headers: { 'retry-after': '1' } })
})

test('an error is thrown unchanged, and the next in the queue continues', async () => {
  const failing = addOne(() => Promise.reject(new Error('broken')))
  const next = addOne()
  await expect(failing).rejects.toThrow('broken')
  expect(await next).toBe(1)
})

test('a late transaction begins with the first write, and reads before it see what is committed', async () => {
  const late = lateTransaction(db, async (tx) => void (await tx`update counted set n = n + 10`))
  expect(await late.db`select n from counted`).toEqual([{ n: 0 }])
  expect(late.isOpen()).toBe(false)
  await inTransaction({ db: late.db }, ({ db }) => db`update counted set n = n + 1`.then())
  expect(await late.db`select n from counted`).toEqual([{ n: 11 }])
  expect(await read()).toBe(0)
  await late.commit(async (tx) => void (await tx`update counted set n = n + 100`))
  expect(await read()).toBe(111)
})

test('a late transaction begins with a statement that may write, too', async () => {
  const late = lateTransaction(db, async (tx) => void (await tx`update counted set n = n + 10`))
  await late.db`update counted set n = n + 1`
  expect([late.isOpen(), await read()]).toEqual([true, 0])
  await late.rollBack()
  expect(await read()).toBe(0)
})

test('writes that begin a late transaction at once share it', async () => {
  const late = lateTransaction(db, async (tx) => void (await tx`update counted set n = n + 10`))
  await Promise.all([late.db`update counted set n = n + 1`, late.db`update counted set n = n + 1`])
  await late.commit(async () => undefined)
  expect(await read()).toBe(12)
})

test('a late transaction whose write fails is rolled back and begins again with the next', async () => {
  const late = lateTransaction(db, async (tx) => void (await tx`update counted set n = n + 10`))
  const failing = inTransaction({ db: late.db }, async ({ db }) => {
    await db`update counted set n = n + 1`
    throw new Error('broken')
  })
  await expect(failing).rejects.toThrow('broken')
  expect(late.isOpen()).toBe(false)
  await late.commit(async (tx) => void (await tx`update counted set n = n + 100`))
  expect(await read()).toBe(110)
})
