import type { BudgetLimits } from './budget.ts'
import { type Budget, WHOLE_PROJECT } from './budget-queries.ts'
import type { UsageNow } from './usage-queries.ts'

/** What was used, beside a limit. */
export interface Use {
  period: 'day' | 'month'
  unit: 'tokens' | 'cost'
  used: number
  limit: number
}

/** The month comes first: where both are used up, the longer pause counts. */
export const usesOf = (limits: BudgetLimits, { day, month }: UsageNow): Use[] =>
  [
    { period: 'month' as const, unit: 'tokens' as const, used: month.tokens, limit: limits.tokensPerMonth },
    { period: 'month' as const, unit: 'cost' as const, used: month.cost, limit: limits.costPerMonth },
    { period: 'day' as const, unit: 'tokens' as const, used: day.tokens, limit: limits.tokensPerDay },
    { period: 'day' as const, unit: 'cost' as const, used: day.cost, limit: limits.costPerDay },
  ].filter((use): use is Use => use.limit !== null)

export const shown = ({ unit, used, limit, period }: Use) => {
  const amount = (value: number) =>
    unit === 'tokens' ? value.toLocaleString('en') : (Math.round(value * 100) / 100).toLocaleString('en')
  const when = period === 'day' ? 'today' : 'this month'
  return `${amount(used)} of ${amount(limit)}${unit === 'tokens' ? ' tokens' : ''} were used ${when}`
}

export const isOfProject = ({ automationId }: Budget) => automationId === WHOLE_PROJECT
export const whose = (budget: Budget) => (isOfProject(budget) ? 'of the project' : 'of this automation')
