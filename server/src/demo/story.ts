import { inTransaction, raw, type Sql } from '../kernel/database/index.ts'
import { calendarOf } from './calendar.ts'
import { storyTime } from './story-time.ts'

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
  const marks: Mark[] = []
  const calendar = calendarOf(Date.now())
  const realTime = (at: number | string) => new Date(calendar(toTime(at)))
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
 * Returns a millisecond that what has been written does not reach, because stamps are rounded to milliseconds. What is
 * written next does.
 */
async function markTime(sql: Sql): Promise<number> {
  const [row] = await sql<{ now: number }[]>`
    select extract(epoch from clock_timestamp()::timestamptz(3))::float8 * 1000 as now from pg_sleep(0.001)`
  return Math.round(row!.now)
}

/** When a step was told, and when it happened in the story. */
interface Mark {
  from: number
  at: number
}

interface Dates {
  /** When the steps were told, ascending. */
  from: string[]
  /** How far back each belongs, in milliseconds. */
  back: number[]
}

/** A step never ends after the next one begins, whatever the story says: the order of the log is the order of time. */
function datesOf(marks: Mark[], realTime: (at: number) => Date): Dates {
  const back: number[] = []
  let earliest = 0
  for (const [index, { from, at }] of marks.entries()) {
    const date = Math.max(realTime(at).getTime(), earliest)
    const tookMs = (marks[index + 1]?.from ?? from) - from
    earliest = date + tookMs + 1
    back.push(from - date)
  }
  return { from: marks.map((mark) => new Date(mark.from).toISOString()), back }
}

/** When something happened. Other times, such as when a key expires or a schedule fires, are meant as they are. */
const DATED = ['created_at', 'updated_at', 'started_at', 'completed_at', 'revoked_at', 'pinned_at', 'reported_at']

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
