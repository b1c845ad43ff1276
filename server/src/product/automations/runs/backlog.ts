import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict } from '../../../kernel/errors.ts'
import { countUnsorted, listUnsorted } from '../../feedback/index.ts'
import { loadAutomation, lockAutomation } from '../actions.ts'
import type { Automation } from '../automation.ts'
import { FEEDBACK_TRIAGE } from '../built-in.ts'
import { authorizeUpdate } from '../policy.ts'
import { MAX_WAITING_RUNS, refuseFullQueue } from './full-queue.ts'
import { joinBacklogItems, MAX_ITEMS_OF_RUN } from './joined-item-queries.ts'
import { countWaitingRuns } from './run-queries.ts'
import { refuseDisabled, scheduleRuns } from './runs.ts'

/** How many reports came before triage was switched on and are still unsorted. */
export async function countBacklog(ctx: Ctx, automationId: string): Promise<number> {
  refuseOthers(await loadAutomation(ctx, automationId))
  return countUnsorted(ctx.db, ctx.actor.projectId)
}

/** Starts the runs that sort the backlog, the oldest report first. Returns how many reports they sort. */
export function sortBacklog(ctx: Ctx, automationId: string): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const automation = await lockAutomation(ctx, automationId)
    authorizeUpdate(ctx.actor, automation)
    refuseOthers(automation)
    refuseDisabled(automation)
    const { projectId } = ctx.actor
    await refuseFullQueue(ctx.db, projectId)
    const room = MAX_WAITING_RUNS - (await countWaitingRuns(ctx.db, projectId))
    const items = await listUnsorted(ctx.db, projectId, room * MAX_ITEMS_OF_RUN)
    for (let from = 0; from < items.length; from += MAX_ITEMS_OF_RUN) {
      const [first, ...rest] = items.slice(from, from + MAX_ITEMS_OF_RUN)
      const subject = { type: 'feedback_item', id: first!.id }
      const [runId] = await scheduleRuns(ctx, [{ automationId: automation.id, triggerType: 'manual', subject }])
      if (rest.length > 0) await joinBacklogItems(ctx.db, projectId, automation.id, runId!, rest)
    }
    return items.length
  })
}

function refuseOthers(automation: Automation): void {
  if (automation.builtIn !== FEEDBACK_TRIAGE)
    throw conflict('no_backlog', `Only Feedback triage has a backlog; "${automation.name}" does not sort feedback.`)
}
