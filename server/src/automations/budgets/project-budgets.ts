import { readUsage, type UsageNow } from '../../conversations/index.ts'
import type { Ctx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { recordEvent } from '../../kernel/events.ts'
import { authorizeManagement } from '../../projects/index.ts'
import { wakeDispatchers } from '../dispatcher/wake-queries.ts'
import type { BudgetLimits } from './budget.ts'
import { type Budget, findProjectBudget, setLimits, WHOLE_PROJECT } from './budget-queries.ts'

export interface ProjectBudget extends Budget {
  usage: UsageNow
}

export async function loadProjectBudget({ db, actor }: Ctx): Promise<ProjectBudget> {
  const budget = await findProjectBudget(db, actor.projectId)
  return { ...budget, usage: await readUsage(db, actor.projectId, null) }
}

/** How much all automations of the project may use together. */
export function setProjectBudget(ctx: Ctx, limits: BudgetLimits): Promise<ProjectBudget> {
  return inTransaction(ctx, async (ctx) => {
    authorizeManagement(ctx.actor)
    const { projectId } = ctx.actor
    await setLimits(ctx.db, projectId, WHOLE_PROJECT, limits)
    const payload = { fields: ['automation_budget'] }
    await recordEvent(ctx, { kind: 'project.updated', subjectType: 'project', subjectId: projectId, payload })
    await wakeDispatchers(ctx.db)
    return loadProjectBudget(ctx)
  })
}
