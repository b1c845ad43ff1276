import type { TxCtx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { chainFault } from '../chain-limits.ts'
import { findStartRules, type StartRules } from '../runs/chain-queries.ts'
import { MAX_WAITING_RUNS } from '../runs/full-queue.ts'
import { type NewRun, runEnded } from '../runs/run.ts'
import { explainEnd } from '../runs/run-conversation.ts'
import { countWaitingRuns, endedLately, findRun } from '../runs/run-queries.ts'
import { endWaitingRuns } from '../runs/run-writes.ts'
import { scheduleRuns } from '../runs/runs.ts'

const FULL = `It was not started: ${MAX_WAITING_RUNS} runs of this project were waiting already. What happened until there was room again is left out too, without a run for each.`

/** Schedules runs for events and ticks. Records those for which there is no room. */
export async function scheduleIfRoom(ctx: TxCtx, wanted: NewRun[]): Promise<void> {
  const { projectId } = ctx.actor
  const rulesById = await findStartRules(ctx.db, projectId, [...new Set(wanted.map((run) => run.automationId))])
  let room = Math.max(0, MAX_WAITING_RUNS - (await countWaitingRuns(ctx.db, projectId)))
  for (const run of wanted) {
    const { chainId, depth = 0, triggerType } = run
    const rules = rulesById.get(run.automationId)
    if (!rules || isSkipped(run, rules)) continue
    const chain = chainId
      ? { chainId, depth }
      : rules.chainId
        ? { chainId: rules.chainId, depth: rules.depth }
        : undefined
    // No report of a customer is left out because others wait.
    const isFull = room <= 0 && triggerType !== 'feedback_submitted'
    const reason = (chain && (await chainFault(ctx, chain, 'run'))) ?? (isFull ? FULL : undefined)
    if (reason === undefined) {
      await scheduleRuns(ctx, [run])
      rules.hasActiveRun = true
      room--
      continue
    }
    ctx.log.warn({ project_id: projectId, automation_id: run.automationId }, `a run was left out: ${reason}`)
    await leaveOut(ctx, run, reason)
  }
}

/** Another run of it goes on or waits. */
const isSkipped = ({ triggerType }: NewRun, { concurrency, hasActiveRun }: StartRules) =>
  hasActiveRun && (concurrency ?? (triggerType === 'schedule' ? 'skip' : 'queue')) === 'skip'

/** Records at most one failed run per minute and automation: a row for each event is what the limit prevents. */
async function leaveOut(ctx: TxCtx, wanted: NewRun, reason: string): Promise<void> {
  const { db, actor } = ctx
  if (await endedLately(db, actor.projectId, wanted.automationId, reason)) return
  const [id] = await scheduleRuns(ctx, [wanted])
  if (id === undefined) return
  const run = (await findRun(db, actor.projectId, id))!
  const conversationId = await explainEnd(ctx, actor.projectId, run, reason, 'failed')
  await endWaitingRuns(db, actor.projectId, [{ id, conversationId }], { status: 'failed', error: reason })
  await recordEvent(ctx, runEnded(run, 'failed'))
}
