import { inTransaction, type Tx } from '../../kernel/database/index.ts'
import { recordEvent } from '../../kernel/events.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { listAdminIds, operatorCtx } from '../projects/index.ts'
import { isLimited } from './budgets/budget.ts'
import { type Budget, listBudgets, markWarned, pause, WHOLE_PROJECT } from './budgets/budget-queries.ts'
import { readUsage } from './budgets/usage-queries.ts'
import { isOfProject, shown, type Use, usesOf, whose } from './budgets/uses.ts'
import { budgetEvents } from './events.ts'
import { modelSettingsFor } from './models/project-model.ts'
import { recordWork } from './turns/agent.ts'

const WARN_FROM = 0.8

interface About {
  projectId: string
  organizationId: string
  /** Undefined for a conversation with a person, which only the project's budget bounds. */
  automation?: { id: string; name: string; owner: { id: string } | null } | undefined
}

/**
 * Compares what was used with the budgets of an automation and its project. Tells its owner at 80 %, pauses at 100 %,
 * and returns why it is paused. Of the project's budget, its admins are told as well.
 */
export async function checkBudgets(deps: JobDeps, about: About): Promise<string | undefined> {
  let reason: string | undefined
  for (const budget of await listBudgets(deps.db, about.projectId, about.automation?.id ?? WHOLE_PROJECT)) {
    if (!isLimited(budget.limits)) continue
    const automationId = budget.automationId === WHOLE_PROJECT ? null : budget.automationId
    const usage = await readUsage(deps.db, about.projectId, automationId)
    for (const use of usesOf(budget.limits, usage)) {
      if (use.used >= use.limit) reason ??= await pauseFor(deps, about, budget, use)
      else if (use.used >= use.limit * WARN_FROM) await warnOf(deps, about, budget, use)
    }
  }
  return reason
}

/** Why a budget in money cannot bound the model: what it costs is not known. Undefined if it can, or if there is none. */
export async function priceFault(
  deps: JobDeps,
  projectId: string,
  automationIds: string[],
  model: string | null,
): Promise<string | undefined> {
  const { db } = deps
  const { name, prices } = await modelSettingsFor(deps, projectId)
  const wanted = model ?? name
  if (wanted === undefined || Object.hasOwn(prices, wanted)) return undefined
  for (const id of automationIds.length > 0 ? automationIds : [WHOLE_PROJECT])
    for (const budget of await listBudgets(db, projectId, id))
      if (budget.limits.costPerDay !== null || budget.limits.costPerMonth !== null)
        return `The budget ${whose(budget)} is in money, and the model "${wanted}" has no price. Add its price (Settings, Models and budgets, or the operator's MODEL_PRICES), or set a budget in tokens.`
  return undefined
}

async function pauseFor(deps: JobDeps, about: About, budget: Budget, use: Use): Promise<string> {
  const next = use.period === 'day' ? 'the next day' : 'the next month'
  const what = isOfProject(budget) ? 'Runs and conversations with agents' : 'Its runs'
  const who = isOfProject(budget) ? 'an admin of the project raises it' : 'the budget is raised'
  const reason = `The budget ${whose(budget)} is used up: ${shown(use)}. ${what} pause until ${next} (UTC), or until ${who}.`
  await inTransaction(deps, async (tx) => {
    if (!(await pause(tx.db, about.projectId, budget.automationId, use.period, reason))) return
    await announce(tx, about, budget, 'paused', reason)
  })
  return reason
}

async function warnOf(deps: JobDeps, about: About, budget: Budget, use: Use): Promise<void> {
  const now = new Date().toISOString()
  const key = `${use.unit} ${now.slice(0, use.period === 'day' ? 10 : 7)}`
  if (budget.warnedFor.includes(key)) return
  await inTransaction(deps, async (tx) => {
    if (!(await markWarned(tx.db, about.projectId, budget.automationId, key))) return
    const what = isOfProject(budget) ? 'runs and conversations with agents' : 'its runs'
    const text = `Most of the budget ${whose(budget)} is used: ${shown(use)}. At 100 % ${what} pause.`
    await announce(tx, about, budget, 'budget_low', text)
  })
}

async function announce(
  deps: JobDeps & { db: Tx },
  { projectId, organizationId, automation }: About,
  budget: Budget,
  kind: 'paused' | 'budget_low',
  reason: string,
): Promise<void> {
  const admins = isOfProject(budget) ? await listAdminIds(deps.db, projectId) : []
  const told = new Set([...admins, ...(automation?.owner ? [automation.owner.id] : [])])
  const name = isOfProject(budget) ? 'Budget of the project' : automation!.name
  for (const ownerId of told)
    await tell(deps, projectId, ownerId, name, reason, isOfProject(budget) ? undefined : automation)
  const [kinds, subjectId] = isOfProject(budget)
    ? [budgetEvents.project, projectId]
    : [budgetEvents.automation, automation!.id]
  const ctx = operatorCtx(deps, { id: projectId, name: '', organizationId })
  await recordEvent(ctx, kinds[kind](subjectId, { title: name, reason }))
}

const tell = (
  deps: JobDeps,
  projectId: string,
  ownerId: string,
  name: string,
  reply: string,
  automation: { id: string; name: string } | undefined,
) =>
  recordWork(deps, {
    projectId,
    ownerId,
    ...(automation && { automation: { id: automation.id, name: automation.name } }),
    title: `${name}: needs you`,
    prompt: `Tell me when "${name}" needs me.`,
    reply,
    status: 'failed',
  })
