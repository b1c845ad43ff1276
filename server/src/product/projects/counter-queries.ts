import type { Db, SqlPart, Tx } from '../../kernel/database/index.ts'

/**
 * Takes the next numbers of a kind and returns the first. The row stays locked until the transaction ends, so numbers
 * follow the order of commits, and a rollback returns them.
 */
export const takeNumbers = (db: Db, projectId: string, name: string, howMany: number) =>
  takingNumbers(db, projectId, name, howMany).map(([row]) => row!.first)

/** The same as part of a larger statement. Returns `first`. */
export const takingNumbers = (db: Db, projectId: string, name: string, howMany: number) => db<{ first: number }[]>`
  insert into counters as c (project_id, name, last_number, live)
  values (${projectId}, ${name}, ${howMany}::int, ${howMany}::int)
  on conflict (project_id, name) do update
    set last_number = c.last_number + excluded.last_number, live = c.live + excluded.live
  returning last_number - ${howMany}::int + 1 as first`

/** Returns the last numbers that the transaction took and did not use. */
export const returnNumbers = (db: Tx, projectId: string, name: string, howMany: number) => db`
  update counters set last_number = last_number - ${howMany}::int, live = live - ${howMany}::int
  where project_id = ${projectId} and name = ${name}`

/** Numbers are never reused. Only the count of existing things decreases. */
export async function releaseNumbers(db: Db, projectId: string, name: string, howMany: number): Promise<void> {
  await db`update counters set live = live - ${howMany} where project_id = ${projectId} and name = ${name}`
}

/** For things that are counted but not numbered. */
export async function adjustLive(db: Db, projectId: string, name: string, by: number): Promise<void> {
  await db`
    insert into counters as c (project_id, name, live) values (${projectId}, ${name}, ${by})
    on conflict (project_id, name) do update set live = c.live + ${by}`
}

/** The same as part of a larger statement. `by` selects one number; null counts nothing. */
export const adjustingLive = (db: Db, projectId: string, name: string, by: SqlPart) => db`
  insert into counters as c (project_id, name, live)
  select ${projectId}, ${name}, n.by from (${by}) as n (by) where n.by is not null
  on conflict (project_id, name) do update set live = c.live + excluded.live`

/** For things that are numbered again, from 1, when one of them is deleted. */
export async function restartNumbers(db: Db, projectId: string, name: string, last: number): Promise<void> {
  await db`update counters set last_number = ${last}, live = ${last} where project_id = ${projectId} and name = ${name}`
}
