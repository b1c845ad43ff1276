import type { TxCtx } from '../../kernel/context.ts'
import { recordEvent } from '../../kernel/events.ts'
import { type NewRun, runEnded } from '../runs/run.ts'
import { explainEnd } from '../runs/run-conversation.ts'
import { countWaitingRuns, endedLately, findRun } from '../runs/run-queries.ts'
import { endWaitingRuns } from '../runs/run-writes.ts'
import { scheduleRuns } from '../runs/runs.ts'
import { MAX_WAITING_RUNS } from './full-queue.ts'

const REASON = `It was not started: ${MAX_WAITING_RUNS} runs of this project were waiting already. What happened until there was room again is left out too, without a run for each.`

/** Schedules runs for events and ticks. Records those for which there is no room. */
export async function scheduleIfRoom(ctx: TxCtx, wanted: NewRun[]): Promise<void> {
  const { projectId } = ctx.actor
  const room = Math.max(0, MAX_WAITING_RUNS - (await countWaitingRuns(ctx.db, projectId)))
  if (room > 0) await scheduleRuns(ctx, wanted.slice(0, room))
  for (const run of wanted.slice(room)) {
    ctx.log.warn({ project_id: projectId, automation_id: run.automationId }, 'a run was left out: too many are waiting')
    await leaveOut(ctx, run)
  }
}

/** Records at most one failed run per minute and automation: a row for each event is what the limit prevents. */
async function leaveOut(ctx: TxCtx, wanted: NewRun): Promise<void> {
  const { db, actor } = ctx
  if (await endedLately(db, actor.projectId, wanted.automationId, REASON)) return
  const [id] = await scheduleRuns(ctx, [wanted])
  if (id === undefined) return
  const run = (await findRun(db, actor.projectId, id))!
  const conversationId = await explainEnd(ctx, actor.projectId, run, REASON, 'failed')
  await endWaitingRuns(db, actor.projectId, [{ id, conversationId }], { status: 'failed', error: REASON })
  await recordEvent(ctx, runEnded(run, 'failed'))
}
