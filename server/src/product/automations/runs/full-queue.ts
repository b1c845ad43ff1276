import type { Db } from '../../../kernel/database/index.ts'
import { AppError } from '../../../kernel/errors.ts'
import { countWaitingRuns } from './run-queries.ts'

export const MAX_WAITING_RUNS = 500

/** For runs that a person requests: the refusal tells them, and they can try again. */
export async function refuseFullQueue(db: Db, projectId: string): Promise<void> {
  if ((await countWaitingRuns(db, projectId)) < MAX_WAITING_RUNS) return
  throw new AppError(
    429,
    'too_many_runs',
    `${MAX_WAITING_RUNS} runs of this project are waiting already. Cancel some, or wait until some have ended.`,
    { headers: { 'retry-after': '60' } },
  )
}
