import type { TxCtx } from '../../../kernel/context.ts'
import { chainFault } from '../chain-limits.ts'
import { lockAutomation } from '../queries.ts'
import type { Run, RunOutcome } from '../runs/run.ts'
import { tellOwner } from '../runs/run-conversation.ts'
import { haveAllFailed } from '../runs/run-queries.ts'
import { scheduleAgain } from '../runs/runs.ts'
import { switchOff } from '../switching.ts'

const FAILURES_IN_A_ROW = 5

/**
 * What follows from a failed run. One that failed for a passing reason and has changed nothing is done once more. After
 * several failures in a row, the automation is switched off, and its owner is told.
 */
export async function followFailure(ctx: TxCtx, run: Run, outcome: Partial<RunOutcome>): Promise<void> {
  const { projectId } = ctx.actor
  const automation = await lockAutomation(ctx.db, projectId, run.automationId)
  if (!automation?.enabled || outcome.isOverBudget) return
  if (outcome.isTransient && outcome.changes?.length === 0 && run.retryOf === null) {
    if ((await chainFault(ctx, run, 'run')) === undefined) await scheduleAgain(ctx, run)
    return
  }
  if (!(await haveAllFailed(ctx.db, projectId, automation.id, FAILURES_IN_A_ROW))) return
  const reason = `Its last ${FAILURES_IN_A_ROW} runs have failed, so it is paused. The last reason: ${outcome.error ?? 'none'} Enable it again when that is fixed.`
  await switchOff(ctx, automation.id, reason)
  await tellOwner(ctx, projectId, automation, reason)
}
