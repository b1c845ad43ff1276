import { readUsage, type UsageNow } from '../../conversations/index.ts'
import { inTransaction, type Tx } from '../../kernel/database/index.ts'
import { recordEvent } from '../../kernel/events.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import type { Automation } from '../automation.ts'
import { tellOwner } from '../runs/run-conversation.ts'
import { systemCtx } from '../system.ts'
import { type BudgetLimits, isLimited } from './budget.ts'
import { type Budget, listBudgets, markWarned, pause, WHOLE_PROJECT } from './budget-queries.ts'

const WARN_FROM = 0.8

interface About {
  projectId: string
  organizationId: string
  automation: Pick<Automation, 'id' | 'name' | 'owner'>
}

/**
 * Compares what was used with the budgets of an automation and its project. Tells the owner at 80 %, pauses at 100 %,
 * and returns why it is paused.
 */
export async function checkBudgets(deps: JobDeps, about: About): Promise<string | undefined> {
  let reason: string | undefined
  for (const budget of await listBudgets(deps.db, about.projectId, about.automation.id)) {
    if (!isLimited(budget.limits)) continue
    const automationId = budget.automationId === WHOLE_PROJECT ? null : budget.automationId
    const usage = await readUsage(deps.db, about.projectId, automationId)
    for (const use of usesOf(budget.limits, usage)) {
      const share = use.used / use.limit
      if (share >= 1) reason ??= await pauseFor(deps, about, budget, use)
      else if (share >= WARN_FROM) await warnOf(deps, about, budget, use)
    }
  }
  return reason
}

interface Use {
  period: 'day' | 'month'
  unit: 'tokens' | 'cost'
  used: number
  limit: number
}

const usesOf = (limits: BudgetLimits, { day, month }: UsageNow): Use[] =>
  [
    { period: 'day' as const, unit: 'tokens' as const, used: day.tokens, limit: limits.tokensPerDay },
    { period: 'day' as const, unit: 'cost' as const, used: day.cost, limit: limits.costPerDay },
    { period: 'month' as const, unit: 'tokens' as const, used: month.tokens, limit: limits.tokensPerMonth },
    { period: 'month' as const, unit: 'cost' as const, used: month.cost, limit: limits.costPerMonth },
  ].filter((use): use is Use => use.limit !== null)

const shown = ({ unit, used, limit, period }: Use) => {
  const amount = (value: number) =>
    unit === 'tokens' ? value.toLocaleString('en') : (Math.round(value * 100) / 100).toLocaleString('en')
  const when = period === 'day' ? 'today' : 'this month'
  return `${amount(used)} of ${amount(limit)}${unit === 'tokens' ? ' tokens' : ''} were used ${when}`
}

const whose = ({ automationId }: Budget) => (automationId === WHOLE_PROJECT ? 'of the project' : 'of this automation')

async function pauseFor(deps: JobDeps, about: About, budget: Budget, use: Use): Promise<string> {
  const next = use.period === 'day' ? 'the next day' : 'the next month'
  const reason = `The budget ${whose(budget)} is used up: ${shown(use)}. Its runs pause until ${next} (UTC), or until the budget is raised.`
  await inTransaction(deps, async (tx) => {
    if (!(await pause(tx.db, about.projectId, budget.automationId, use.period, reason))) return
    await announce(tx, about, 'automation.paused', reason)
  })
  return reason
}

async function warnOf(deps: JobDeps, about: About, budget: Budget, use: Use): Promise<void> {
  const now = new Date().toISOString()
  const key = `${use.unit} ${now.slice(0, use.period === 'day' ? 10 : 7)}`
  if (budget.warnedFor.includes(key)) return
  await inTransaction(deps, async (tx) => {
    if (!(await markWarned(tx.db, about.projectId, budget.automationId, key))) return
    const text = `Most of the budget ${whose(budget)} is used: ${shown(use)}. At 100 % its runs pause.`
    await announce(tx, about, 'automation.budget_low', text)
  })
}

async function announce(deps: JobDeps & { db: Tx }, about: About, kind: string, text: string): Promise<void> {
  const { automation } = about
  await tellOwner(deps, about.projectId, automation, text)
  await recordEvent(systemCtx(deps, about), {
    kind,
    subjectType: 'automation',
    subjectId: automation.id,
    payload: { title: automation.name, reason: text },
  })
}
