import type { Db } from '../../kernel/database/index.ts'

/** Reads the database's clock, which all nodes share. The clock of a node may be wrong. */
export async function readClock(db: Db): Promise<Date> {
  const [row] = await db<{ now: string }[]>`select clock_timestamp() as now`
  return new Date(row!.now)
}
