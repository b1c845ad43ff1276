import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { checkSeen } from '../../../kernel/expected.ts'
import {
  type Budget,
  type BudgetLimits,
  checkBudgets,
  findProjectBudget,
  readUsage,
  setLimits,
  type UsageNow,
  WHOLE_PROJECT,
} from '../../conversations/index.ts'
import { authorizeManagement, lockProject, projectEvents } from '../../projects/index.ts'
import { wakeDispatchers } from '../wake-queries.ts'

export interface ProjectBudget extends Budget {
  usage: UsageNow
}

export async function loadProjectBudget({ db, actor }: Ctx): Promise<ProjectBudget> {
  const budget = await findProjectBudget(db, actor.projectId)
  return { ...budget, usage: await readUsage(db, actor.projectId, null) }
}

/** How much all automations of the project may use together. `seen` is what the person wants to replace. */
export function setProjectBudget(ctx: Ctx, limits: BudgetLimits, seen?: BudgetLimits): Promise<ProjectBudget> {
  return inTransaction(ctx, async (ctx) => {
    authorizeManagement(ctx.actor)
    const { projectId } = ctx.actor
    await lockProject(ctx.db, projectId)
    checkSeen('budget', (await findProjectBudget(ctx.db, projectId)).limits, limits, seen)
    await setLimits(ctx.db, projectId, WHOLE_PROJECT, limits)
    const payload = { fields: ['automation_budget'] }
    await recordEvent(ctx, projectEvents.updated(projectId, payload))
    // Less than was used already pauses at once.
    await checkBudgets(ctx, ctx.actor)
    await wakeDispatchers(ctx.db)
    return loadProjectBudget(ctx)
  })
}
