import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloneDatabase, eventually } from '../../../test/harness.ts'
import {
  type Connection,
  connect,
  type Db,
  forProject,
  inSavepoint,
  inTransaction,
  isDatabaseAway,
  json,
  listen,
  query,
  raw,
  type Sql,
  sendLater,
  sendTogether,
  type Tx,
} from './index.ts'

let where: string | Connection
let sql: Sql
beforeAll(async () => {
  where = await cloneDatabase()
  sql = connect(where, { max: 4 })
  await sql`create table seen (name text primary key)`
})
afterAll(() => sql.end())

const insert = (db: Db, name: string) => db<{ name: string }[]>`insert into seen values (${name}) returning name`
const names = async () => (await sql`select name from seen order by name`).map((row) => row.name)
const open = (options = {}) => connect(where, options)

describe('a statement', () => {
  it('sends values, arrays, JSON, times and nested parts as parameters, never as text', async () => {
    const condition = sql`t = ${"it's"}`
    const [row] = await sql`
      select ${"it's"}::text as t, ${[1, 2]}::int[] as numbers, ${['a', 'b,"c"', null]}::text[] as words,
        ${json({ a: [1] })}::jsonb as json, ${null}::text as nothing, ${true}::boolean as yes, ${Buffer.from([0, 255])}::bytea as bytes,
        ${raw("'2026-11-15 03:00:00.12+00'::timestamptz")} as time
      from (select ${"it's"}::text as t) s where ${condition} ${[sql`and ${1}::int = 1`, sql`and true`]}`
    expect(row).toEqual({
      t: "it's",
      numbers: [1, 2],
      words: ['a', 'b,"c"', null],
      json: { a: [1] },
      nothing: null,
      yes: true,
      bytes: Buffer.from([0, 255]),
      time: '2026-11-15T03:00:00.120Z',
    })
  })

  it.each([
    [[]],
    [['a']],
    [['a', 'b:c/d-e', 'ä😀']],
    [['']],
    [['a b', ' ', '\n']],
    [['{', '}', '{a}']],
    [['NULL', 'null', 'NULLS', null]],
    [[null]],
    [['\\', '"', "'", ',', 'a,b']],
    [
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [['[1:2]', '[1:2]=']],
  ])('returns the array of texts %j as it was sent', async (texts) => {
    const [row] = await sql`select ${texts}::text[] as texts`
    expect(row!.texts).toEqual(texts)
  })

  it('returns arrays of ids, and arrays that count from elsewhere', async () => {
    const ids = ['01a1ea03-90b5-7076-b608-19c21991d5b4', '01a1ea03-90b5-7076-b608-19c21991d5b5']
    const [row] = await sql`
      select ${ids}::uuid[] as ids, array[null, ${ids[0]!}]::uuid[] as some, '[0:1]={a,b}'::text[] as shifted`
    expect(row).toEqual({ ids, some: [null, ids[0]], shifted: ['a', 'b'] })
  })

  it('runs when it is awaited, once', async () => {
    const statement = insert(sql, 'once')
    expect(await names()).not.toContain('once')
    expect(await statement).toEqual([{ name: 'once' }])
    expect(await statement).toEqual([{ name: 'once' }])
  })

  it('refuses an undefined value', async () => {
    await expect(sql`select ${undefined}`).rejects.toThrow('undefined')
    await expect(sql`select 1 ${sql`where ${undefined}`}`).rejects.toThrow('undefined')
  })

  it('leaves its connection usable when it fails', async () => {
    const one = open({ max: 1 })
    const [before] = await one`select pg_backend_pid() as pid`
    await expect(one`select 1 / 0`).rejects.toMatchObject({ code: '22012' })
    const [after] = await one`select pg_backend_pid() as pid`
    expect(after).toEqual(before)
    await one.end()
  })

  it('does not accumulate on a connection, however many different ones there are', async () => {
    const one = open({ max: 1, maxUses: 10 })
    for (let batch = 0; batch < 25; batch++)
      await sendTogether(
        Array.from({ length: 100 }, (_, index) => query(one, `select ${batch * 100 + index} as n`, [])),
      )
    const [{ n }] = (await one`select count(*)::int as n from pg_prepared_statements`) as unknown as [{ n: number }]
    expect(n).toBeLessThanOrEqual(1_100)
    await one.end()
  })
})

describe('statements that are sent together', () => {
  it('run in order and return their own results', async () => {
    const count = (db: Db) => db<{ n: number }[]>`select count(*)::int as n from seen`.map(([row]) => row!.n)
    const before = await count(sql)
    const answers = await inTransaction({ db: sql }, ({ db }) =>
      sendTogether([count(db), insert(db, 'a'), count(db), insert(db, 'b'), count(db)]),
    )
    expect(answers).toEqual([before, [{ name: 'a' }], before + 1, [{ name: 'b' }], before + 2])
  })

  it('fail with the first error, and change nothing', async () => {
    const failing = inTransaction({ db: sql }, ({ db }) =>
      sendTogether([insert(db, 'c'), insert(db, 'c'), insert(db, 'd')]),
    )
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(await names()).not.toContain('c')
  })
})

describe('a transaction', () => {
  it('sends nothing after it ends', async () => {
    let late: Tx | undefined
    await inTransaction({ db: sql }, async ({ db }) => {
      late = db
    })
    await expect(insert(late!, 'late')).rejects.toThrow('has ended')
    expect(await names()).not.toContain('late')
  })

  it('does not report a commit if an error in it was ignored', async () => {
    const ignoring = inTransaction({ db: sql }, async ({ db }) => {
      await insert(db, 'ignored')
      await db`select 1 / 0`.catch(() => undefined)
    })
    await expect(ignoring).rejects.toThrow('rolled back')
    expect(await names()).not.toContain('ignored')
  })

  it('throws an application error unchanged', async () => {
    const err = await inTransaction({ db: sql }, () => Promise.reject(new RangeError('not today'))).catch((err) => err)
    expect(err).toBeInstanceOf(RangeError)
    expect(isDatabaseAway(err)).toBe(false)
  })

  it('fails with the error of the statement that failed, not with that of the savepoint behind it', async () => {
    await insert(sql, 'taken')
    for (let attempt = 0; attempt < 20; attempt++) {
      const failing = inTransaction({ db: sql }, async (ctx) => {
        await ctx.db`select 1`
        await inSavepoint(ctx, async ({ db }) => sendLater(db, [insert(db, 'taken')]))
      })
      await expect(failing).rejects.toMatchObject({ code: '23505' })
    }
    await sql`delete from seen where name = 'taken'`
  })

  it('continues after a savepoint in it fails', async () => {
    await inTransaction({ db: sql }, async (ctx) => {
      await insert(ctx.db, 'kept')
      const failing = inSavepoint(ctx, async ({ db }) => {
        await insert(db, 'undone')
        await insert(db, 'undone')
      })
      await expect(failing).rejects.toMatchObject({ code: '23505' })
      await insert(ctx.db, 'kept too')
    })
    expect(await names()).toEqual(expect.arrayContaining(['kept', 'kept too']))
    expect(await names()).not.toContain('undone')
  })
})

describe('connections', () => {
  const terminateOthers = () => sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'doomed' and pid <> pg_backend_pid()`

  it('that break under load fail their statements and are replaced, and the process keeps running', async () => {
    const doomed = open({ max: 8, applicationName: 'doomed' })
    let failures = 0
    let isOver = false
    const work = async () => {
      while (!isOver)
        await inTransaction({ db: doomed }, ({ db }) => sendTogether([db`select 1`, db`select 2`, db`select 3`])).catch(
          (err: unknown) => {
            expect(isDatabaseAway(err)).toBe(true)
            failures++
          },
        )
    }
    const workers = Array.from({ length: 32 }, work)
    for (let round = 1; round <= 30; round++) {
      await eventually(async () => (await terminateOthers()).length > 0)
      await eventually(() => doomed`select 1`.then(() => true).catch(() => false))
    }
    isOver = true
    await Promise.all(workers)
    expect(failures).toBeGreaterThan(0)
    expect(await doomed`select 1 as one`).toEqual([{ one: 1 }])
    await doomed.end()
  })

  it('that listen can be stopped at every moment, also while they connect', async () => {
    for (let waitedMs = 0; waitedMs < 12; waitedMs += 0.5) {
      const { stop } = listen(sql, 'talk', { heard: () => undefined, ready: () => undefined })
      for (const from = performance.now(); performance.now() - from < waitedMs; ) await new Promise(setImmediate)
      await stop()
    }
  })

  it('that listen reconnect by themselves', async () => {
    const messages: string[] = []
    let readies = 0
    const { stop } = listen(sql, 'talk', { heard: (message) => messages.push(message), ready: () => readies++ })
    await eventually(() => readies === 1)
    await sql`select pg_notify('talk', 'one')`
    await eventually(() => messages.length === 1)
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'slipway-listen'
      and datname = current_database()`
    await eventually(() => readies === 2)
    await sql`select pg_notify('talk', 'two')`
    await eventually(() => messages.length === 2)
    await stop()
    expect(messages).toEqual(['one', 'two'])
  })

  it('that listen are one for all who listen through the same pool', async () => {
    const heard: string[] = []
    let readies = 0
    const hear = (name: string, ...channels: string[]) =>
      listen(sql, channels, {
        heard: (message, channel) => heard.push(`${name} ${channel} ${message}`),
        ready: () => readies++,
      })
    const count = async () =>
      (
        await sql`select from pg_stat_activity where application_name = 'slipway-listen'
          and datname = current_database()`
      ).length
    const both = hear('both', 'talk', 'whisper')
    await eventually(() => readies === 1)
    const one = hear('one', 'talk')
    await eventually(() => readies === 2)
    expect(await count()).toBe(1)
    await sql`select pg_notify('whisper', 'a')`
    await sql`select pg_notify('talk', 'b')`
    await eventually(() => heard.length === 3)
    expect(heard).toEqual(['both whisper a', 'both talk b', 'one talk b'])
    await both.stop()
    await sql`select pg_notify('whisper', 'c')`
    await sql`select pg_notify('talk', 'd')`
    await eventually(() => heard.length === 4)
    expect(heard.at(-1)).toBe('one talk d')
    await one.stop()
    await eventually(async () => (await count()) === 0)
    const again = hear('again', 'talk')
    await eventually(() => readies === 3)
    await again.stop()
  })

  it('are shared: a project that uses its whole share leaves room for others and for the service', async () => {
    const shared = open({ max: 8 })
    const greedy = forProject(shared, 'greedy')
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let holding = 0
    const holders = Array.from({ length: 10 }, () =>
      inTransaction({ db: greedy }, async ({ db }) => {
        await db`select 1`
        holding++
        await held
      }),
    )
    await eventually(() => holding === 2)
    expect(await forProject(shared, 'modest')`select 1 as one`).toEqual([{ one: 1 }])
    expect(await shared`select 1 as one`).toEqual([{ one: 1 }])
    expect(holding).toBe(2)
    release()
    await Promise.all(holders)
    expect(holding).toBe(10)
    await shared.end()
  })
})
