import type { Db } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'

export const MAX_WAITING_RUNS = 500

export async function countWaitingRuns(db: Db, projectId: string): Promise<number> {
  const [row] = await db<{ waiting: number }[]>`select count(*)::int as waiting from automation_runs
    where project_id = ${projectId} and status = 'scheduled'`
  return row!.waiting
}

/** For runs that a person asks for: they are told and can ask again. */
export async function refuseFullQueue(db: Db, projectId: string): Promise<void> {
  if ((await countWaitingRuns(db, projectId)) < MAX_WAITING_RUNS) return
  throw new AppError(
    429,
    'too_many_runs',
    `${MAX_WAITING_RUNS} runs of this project are waiting already. Cancel some, or wait until some have ended.`,
    { headers: { 'retry-after': '60' } },
  )
}
