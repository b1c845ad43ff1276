import type { ModelSettings } from '../../../kernel/model/index.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import {
  type Change,
  checkBudgets,
  modelSettingsFor,
  nothingSpent,
  priceFault,
  runAgent,
} from '../../conversations/index.ts'
import { triageItem } from '../../feedback/index.ts'
import { FEEDBACK_TRIAGE } from '../built-in.ts'
import { findAutomation } from '../queries.ts'
import { joinedWords, promptFor } from '../runs/cause.ts'
import { listJoinedItems } from '../runs/joined-item-queries.ts'
import { failedOutcome, type RunOutcome } from '../runs/run.ts'
import { explainEnd } from '../runs/run-conversation.ts'
import { setSpent } from '../runs/run-writes.ts'
import { findPayers, scopeOf } from '../runs/scope.ts'
import type { ClaimedRun } from './queries.ts'

/** Runs the automation as its owner. */
export async function executeRun(
  deps: JobDeps,
  claimed: ClaimedRun,
  signal: AbortSignal,
  sortItem = triageItem,
): Promise<RunOutcome> {
  const { run, projectId } = claimed
  const automation = await findAutomation(deps.db, projectId, run.automationId)
  if (!automation) return failedOutcome('The automation was deleted.')
  const { owner } = automation
  if (!owner)
    return failedOutcome(
      'The automation has no owner, so there is nobody whose rights it could run with. For a built-in one, give the project an admin.',
    )
  const models = await modelSettingsFor(deps, projectId)
  if (automation.builtIn === FEEDBACK_TRIAGE && !hasModel(models))
    return triageLocally(deps, claimed, owner.id, sortItem, signal)
  const payers = await findPayers(deps.db, projectId, automation, run)
  const scope = scopeOf(automation, run, payers)
  const overspent = async () => {
    for (const payer of payers) {
      const reason = await checkBudgets(deps, { ...claimed, automation: payer })
      if (reason) return `"${payer.name}" led to this run. ${reason}`
    }
    return undefined
  }
  const payerIds = [automation.id, ...scope.payerIds]
  const noPrice = await priceFault(deps, projectId, payerIds, automation.model)
  const reason = noPrice ?? (await overspent())
  if (reason !== undefined) {
    const conversationId = await explainEnd(deps, projectId, run, reason, 'failed')
    return failedOutcome(reason, { conversationId, isOverBudget: noPrice === undefined })
  }
  // Stored first, so that it is known even if the server stops before the first answer.
  await setSpent(deps.db, projectId, run.id, { ...nothingSpent(), model: automation.model ?? models.name ?? null })
  const addition = joinedWords(await listJoinedItems(deps.db, projectId, run.id))
  return runAgent(deps, {
    projectId,
    ownerId: owner.id,
    origin: 'automation',
    automation: { id: automation.id, name: automation.name, runId: run.id },
    title: automation.name,
    prompt: promptFor(automation, run),
    ...(run.conversationId !== null && { conversationId: run.conversationId }),
    ...(addition !== undefined && { addition }),
    ...scope,
    chain: { id: run.chainId, depth: run.depth },
    sparesPeople: automation.builtIn !== null,
    proposes: run.proposes || scope.needsApproval,
    model: automation.model,
    signal,
    async onSpent(spent) {
      await setSpent(deps.db, projectId, run.id, spent)
      return (await checkBudgets(deps, { ...claimed, automation })) ?? (await overspent())
    },
  })
}

const hasModel = ({ compatible, anthropic }: ModelSettings) => compatible !== undefined || anthropic !== undefined

async function triageLocally(
  deps: JobDeps,
  { run, projectId }: ClaimedRun,
  ownerId: string,
  sortItem: typeof triageItem,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const end = async (status: 'succeeded' | 'failed', reason: string, changes: Change[] = []) => {
    const conversationId = await explainEnd(deps, projectId, run, reason, status)
    return failedOutcome(reason, { status, error: status === 'failed' ? reason : null, conversationId, changes })
  }
  if (run.proposes) return end('failed', 'Nothing was changed: without a model, feedback is sorted without proposals.')
  if (run.subject?.type !== 'feedback_item') return end('failed', 'There is no feedback item to sort.')
  const reasons: string[] = []
  const changes: Change[] = []
  let status: 'succeeded' | 'failed' = 'succeeded'
  for (const itemId of [run.subject.id, ...(await listJoinedItems(deps.db, projectId, run.id))])
    try {
      const sorted = await sortItem(deps, { projectId, itemId, ownerId, runId: run.id }, signal)
      reasons.push(sorted.reason)
      changes.push(...sorted.changes)
    } catch (err) {
      status = 'failed'
      reasons.push(`The feedback item could not be sorted: ${(err as Error).message}`)
      if (signal.aborted) break
    }
  return end(status, reasons.join('\n'), changes)
}
