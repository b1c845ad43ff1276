import { inTransaction } from '../../../kernel/database/index.ts'
import { costOf, type Prices, type Usage } from '../../../kernel/model/index.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { TurnEnd } from '../turn-end.ts'
import { isLimited } from './budget.ts'
import { lockBudgets, WHOLE_PROJECT } from './budget-queries.ts'
import {
  addConversationUsage,
  addPersonUsage,
  addUsage,
  deleteReservation,
  insertReservation,
  readReserved,
  readUsage,
} from './usage-queries.ts'
import { shown, usesOf, whose } from './uses.ts'

/** Who pays for an answer of a model. */
export interface Payment {
  projectId: string
  /** Where the answer is given. It shows what it has used. Undefined for the test of a model. */
  conversationId: string | undefined
  automationId: string | undefined
  payerIds: readonly string[]
  model: string
  prices: Prices
  /** Whose rights the agent has. */
  userId: string | null
}

/** Longer answers are rare. What an answer uses beyond it is counted when it has ended. */
const OUTPUT_TOKENS = 8_000

/**
 * Holds room for an answer in every budget that bounds it, or ends the turn. An answer may begin while there is room
 * beside what was used and what other answers hold, so all of them together exceed a limit by one answer at most.
 * Returns undefined if there is no budget.
 */
export async function reserveUsage(
  deps: JobDeps,
  payment: Payment,
  estimateInput: () => number,
  expiresInMs: number,
): Promise<string | undefined> {
  const { projectId, automationId, payerIds } = payment
  return inTransaction(deps, async ({ db }) => {
    const bounding = [...payerIds, ...(automationId === undefined ? [] : [automationId])]
    const budgets = (await lockBudgets(db, projectId, bounding)).filter(({ limits }) => isLimited(limits))
    if (budgets.length === 0) return undefined
    for (const budget of budgets) {
      const ofAutomation = budget.automationId === WHOLE_PROJECT ? null : budget.automationId
      const usage = await readUsage(db, projectId, ofAutomation)
      const reserved = await readReserved(db, projectId, ofAutomation)
      const full = usesOf(budget.limits, usage).find((use) => use.used + reserved[use.unit] >= use.limit)
      if (full) throw usedUp(`The budget ${whose(budget)} is used up: ${shown(full)}`, full.used < full.limit)
    }
    const used = { inputTokens: estimateInput(), outputTokens: OUTPUT_TOKENS }
    const cost = costOf(payment.prices, payment.model, used) ?? 0
    const id = uuidv7()
    const tokens = used.inputTokens + used.outputTokens
    await insertReservation(db, { ...payment, id, tokens, cost, expiresInMs })
    return id
  })
}

const usedUp = (reason: string, isHeld: boolean) =>
  isHeld
    ? new TurnEnd('failed', `${reason}, and agents that are at work hold the rest. Try again when they are done.`, {
        isTransient: true,
      })
    : new TurnEnd('failed', `${reason}.`)

/** Replaces what was held by what the answers used. */
export function settleUsage(
  deps: JobDeps,
  payment: Payment,
  reservation: string | undefined,
  used: (Usage & { cost: number | undefined })[],
): Promise<void> {
  return inTransaction(deps, async ({ db }) => {
    for (const { cost = 0, ...one } of used) {
      await addUsage(db, { ...payment, ...one, cost })
      if (payment.userId !== null) await addPersonUsage(db, payment.projectId, payment.userId, { ...one, cost })
    }
    const { projectId, conversationId } = payment
    if (conversationId !== undefined) await addConversationUsage(db, { projectId, conversationId }, used)
    if (reservation !== undefined) await deleteReservation(db, payment.projectId, reservation)
  })
}
