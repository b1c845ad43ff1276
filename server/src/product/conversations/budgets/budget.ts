import { Type } from 'typebox'
import { Nullable, named } from '../../../kernel/http/schema.ts'

/** How much may be used, by UTC days and calendar months. Null for no limit. */
export interface BudgetLimits {
  tokensPerDay: number | null
  tokensPerMonth: number | null
  costPerDay: number | null
  costPerMonth: number | null
}

export const NO_LIMITS: BudgetLimits = {
  tokensPerDay: null,
  tokensPerMonth: null,
  costPerDay: null,
  costPerMonth: null,
}

export const isLimited = (limits: BudgetLimits) => Object.values(limits).some((limit) => limit !== null)

/** True if `limits` allow more than `before` in any way. */
export const isLooser = (limits: BudgetLimits, before: BudgetLimits) =>
  (Object.keys(before) as (keyof BudgetLimits)[]).some(
    (key) => before[key] !== null && (limits[key] === null || limits[key] > before[key]),
  )

const Tokens = Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [2_000_000] }))
const Cost = Nullable(Type.Number({ minimum: 0, maximum: 1_000_000_000, examples: [5] }))
const fields = { tokens_per_day: Tokens, tokens_per_month: Tokens, cost_per_day: Cost, cost_per_month: Cost }

export const BudgetShape = named('AutomationBudget', Type.Object(fields))
/** What is left out has no limit. */
export const BudgetBody = named('NewAutomationBudget', Type.Partial(Type.Object(fields)))

export const presentLimits = (limits: BudgetLimits) => ({
  tokens_per_day: limits.tokensPerDay,
  tokens_per_month: limits.tokensPerMonth,
  cost_per_day: limits.costPerDay,
  cost_per_month: limits.costPerMonth,
})

interface SentLimits {
  tokens_per_day?: number | null
  tokens_per_month?: number | null
  cost_per_day?: number | null
  cost_per_month?: number | null
}

export const readLimits = (sent: SentLimits): BudgetLimits => ({
  tokensPerDay: sent.tokens_per_day ?? null,
  tokensPerMonth: sent.tokens_per_month ?? null,
  costPerDay: sent.cost_per_day ?? null,
  costPerMonth: sent.cost_per_month ?? null,
})
