import type { Db } from '../../kernel/database/index.ts'

/** What time it is for all nodes alike: the database's clock, not that of a node, which may be wrong. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await db<{ now: string }[]>`select clock_timestamp() as now`
  return new Date(row!.now)
}
