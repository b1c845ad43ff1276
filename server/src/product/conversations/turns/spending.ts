import { costOf, type Usage } from '../../../kernel/model/index.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { type Payment, settleUsage } from '../budgets/reservations.ts'
import { failed } from '../turn-end.ts'

/** What a run has used so far, together with its subagents: they share one budget. */
export interface Spent extends Usage {
  model: string | null
  /** Null if the model has no price. */
  cost: number | null
  steps: number
}

export const nothingSpent = (): Spent => ({ model: null, cost: null, inputTokens: 0, outputTokens: 0, steps: 0 })

/** Counts a step, or ends the turn when there are none left. */
export function countStep({ wiring }: JobDeps, spent: Spent): void {
  const { limits } = wiring.settings.model
  if (spent.steps >= limits.steps)
    throw failed(`It did not finish within ${limits.steps} steps, which is the limit of a run.`)
  spent.steps++
}

export function refuseTooManyTokens({ wiring }: JobDeps, spent: Spent): void {
  const { limits } = wiring.settings.model
  if (spent.inputTokens + spent.outputTokens > limits.tokens)
    throw failed(`It used more than ${limits.tokens} tokens, which is the limit of a run.`)
}

/** Adds what the attempts at an answer used to the run, and to the day of the project. */
export async function storeUsage(
  deps: JobDeps,
  payment: Payment,
  reservation: string | undefined,
  usages: Usage[],
  spent: Spent,
): Promise<void> {
  const priced = usages.map((usage) => ({
    ...usage,
    cost: costOf(payment.prices, payment.model, usage),
  }))
  for (const { inputTokens, outputTokens, cost } of priced) {
    spent.inputTokens += inputTokens
    spent.outputTokens += outputTokens
    if (cost !== undefined) spent.cost = (spent.cost ?? 0) + cost
  }
  if (priced.length > 0 || reservation !== undefined) await settleUsage(deps, payment, reservation, priced)
}
