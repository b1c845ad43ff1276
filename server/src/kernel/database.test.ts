import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase } from '../../test/harness.ts'
import { connect, inTransaction, type Sql, sendTogether, type Tx } from './database.ts'

let sql: Sql
beforeAll(async () => {
  sql = connect(await cloneDatabase(), { max: 2 })
  await sql`create table seen (name text)`
})
afterAll(() => sql.end({ timeout: 1 }))

const insert = async (db: Tx, name: string) => (await db`insert into seen values (${name}) returning name`)[0]!.name
const names = async () => (await sql`select name from seen`).map((row) => row.name)

describe('statements that are sent together', () => {
  it('give their answers, and what is executed first is done first', async () => {
    const answers = await inTransaction({ db: sql }, ({ db }) =>
      sendTogether([db`select count(*)::int as before from seen`, db`insert into seen values ('a')`.execute(), 7]),
    )
    expect(answers).toMatchObject([[{ before: 1 }], { count: 1 }, 7])
  })

  it('fail only when nothing is under way any more that could write after the end', async () => {
    const before = await names()
    let isDone = false
    const steps = async (db: Tx) => {
      await insert(db, 'b')
      await insert(db, 'c')
      isDone = true
    }
    const failing = inTransaction({ db: sql }, ({ db }) =>
      sendTogether([Promise.reject(new RangeError('not today')), steps(db)]),
    )
    await expect(failing).rejects.toThrow('not today')
    expect(isDone).toBe(true)
    expect(await names()).toEqual(before)
  })
})
