import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { type RunOutcome, runEnded } from '../runs/run.ts'
import * as writes from '../runs/run-writes.ts'
import { systemCtx } from '../system.ts'
import { followFailure } from './failures.ts'
import type { ClaimedRun } from './queries.ts'

/** Stores the outcome of a run, unless the run was given up meanwhile. */
export function finishRun(deps: JobDeps, nodeId: string, claimed: ClaimedRun, outcome: RunOutcome): Promise<void> {
  const { run, projectId } = claimed
  return inTransaction({ db: deps.db }, async ({ db }) => {
    const finished = await writes.finishRun(db, { projectId, id: run.id, nodeId, outcome })
    if (!finished) return
    const ctx = systemCtx({ ...deps, db }, claimed, run.id)
    await recordEvent(ctx, runEnded(run, outcome.status))
    if (outcome.status === 'failed') await followFailure(ctx, run, outcome)
  })
}
