import { inTransaction, raw, type Sql } from '../kernel/database/index.ts'

const HOUR_MS = 3_600_000

/** The moment at which the story stands still: a Sunday evening in Amsterdam. It is told as if that were now. */
const STORY_NOW = storyTime('Nov 15 22:46')

/** Turns "Nov 12 16:02" into a time of the story. Seconds may follow. */
export function storyTime(text: string): number {
  const [, month, day, hour, minute, second = '0'] = /^(\w{3}) (\d+) (\d+):(\d+)(?::(\d+))?$/.exec(text) ?? []
  const index = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'].indexOf(month!)
  if (index === -1) throw new Error(`"${text}" is not a time like "Nov 12 16:02".`)
  return Date.UTC(2026, index, Number(day), Number(hour), Number(minute), Number(second)) - HOUR_MS
}

interface Step {
  at: number
  tell: () => Promise<unknown>
}

/**
 * What happened in the project, step by step. Actions stamp what they write with the database's clock, so the story is
 * told in its own order first and dated back afterwards.
 */
export interface Story {
  /** Steps of the same time happen in the order in which they were planned. */
  plan(at: number | string, tell: () => Promise<unknown>): void
  /** The real time that a time of the story stands for. */
  realTime(at: number | string): Date
  tell(): Promise<void>
  /** Moves every timestamp of the project from when its step was told to when it happened. */
  dateBack(projectId: string): Promise<void>
}

const toTime = (at: number | string) => (typeof at === 'string' ? storyTime(at) : at)

export function createStory(sql: Sql): Story {
  const steps: Step[] = []
  const marks: { from: string; at: number }[] = []
  const shiftMs = Date.now() - STORY_NOW
  const realTime = (at: number | string) => new Date(toTime(at) + shiftMs)
  return {
    plan: (at, tell) => void steps.push({ at: toTime(at), tell }),
    realTime,
    async tell() {
      for (const { at, tell } of steps.toSorted((a, b) => a.at - b.at)) {
        marks.push({ from: await markTime(sql), at })
        await tell()
      }
    },
    dateBack: (projectId) => dateBack(sql, projectId, datesOf(marks, realTime)),
  }
}

/**
 * Returns a time between what has been written and what will be. Stamps are rounded to milliseconds, so the next step
 * waits until its stamps cannot be rounded to before the mark.
 */
async function markTime(sql: Sql): Promise<string> {
  const [row] = await sql<{ mark: string }[]>`
    with told as materialized (select clock_timestamp() as at)
    select (at + interval '0.75 milliseconds')::text as mark, pg_sleep(0.0015) from told`
  return row!.mark
}

interface Dates {
  /** When the steps were told, ascending. */
  from: string[]
  /** How far back each belongs, in milliseconds. */
  back: number[]
}

/** A step never ends after the next one begins, whatever the story says: the order of the log is the order of time. */
function datesOf(marks: { from: string; at: number }[], realTime: (at: number) => Date): Dates {
  const told = marks.map((mark) => Date.parse(mark.from))
  const back: number[] = []
  let earliest = 0
  for (const [index, { at }] of marks.entries()) {
    const date = Math.max(realTime(at).getTime(), earliest)
    const tookMs = (told[index + 1] ?? told[index]!) - told[index]!
    earliest = date + tookMs + 1
    back.push(told[index]! - date)
  }
  return { from: marks.map((mark) => mark.from), back }
}

/** When something happened. Other times, such as when a key expires or a schedule fires, are meant as they are. */
const DATED = ['created_at', 'updated_at', 'started_at', 'completed_at', 'revoked_at', 'pinned_at']

/**
 * The only place that writes tables of others: no action can write into the past, and none should. One transaction over
 * all tables of the project, found by their columns, so that a new table is dated back as well.
 */
async function dateBack(sql: Sql, projectId: string, { from, back }: Dates): Promise<void> {
  const columns = await sql<{ table: string; column: string }[]>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.column_name = any(${DATED}::text[])
      and (c.table_name = 'projects' or exists (
        select 1 from information_schema.columns p
        where p.table_schema = 'public' and p.table_name = c.table_name and p.column_name = 'project_id'))`
  await inTransaction({ db: sql }, async ({ db }) => {
    for (const table of new Set(columns.map((one) => one.table))) {
      const moved = columns
        .filter((one) => one.table === table)
        .map(({ column }) => {
          const name = raw(column)
          return db`${name} = ${name} - coalesce((${back}::float8[])[width_bucket(${name}, ${from}::timestamptz[])], 0)
            * interval '1 millisecond'`
        })
      const assignments = moved.flatMap((one, index) => (index === 0 ? [one] : [raw(','), one]))
      const key = raw(table === 'projects' ? 'id' : 'project_id')
      await db`update ${raw(table)} set ${assignments} where ${key} = ${projectId}`
    }
  })
}
