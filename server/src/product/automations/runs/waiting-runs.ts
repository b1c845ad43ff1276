import type { TxCtx } from '../../../kernel/context.ts'
import { recordEvents } from '../../../kernel/events.ts'
import { runEnded } from './run.ts'
import { explainEnd } from './run-conversation.ts'
import { lockWaitingRuns } from './run-queries.ts'
import { endWaitingRuns } from './run-writes.ts'

const SWITCHED_OFF = 'The automation was switched off before it began.'

/**
 * Cancels what waits when an automation is disabled. Otherwise it would all start when the automation is enabled again.
 */
export async function cancelWaitingRuns(ctx: TxCtx, automationId: string): Promise<void> {
  const { projectId } = ctx.actor
  const waiting = await lockWaitingRuns(ctx.db, projectId, automationId)
  if (waiting.length === 0) return
  const told: { id: string; conversationId: string | null }[] = []
  for (const run of waiting)
    told.push({ id: run.id, conversationId: await explainEnd(ctx, projectId, run, SWITCHED_OFF, 'cancelled') })
  await endWaitingRuns(ctx.db, projectId, told, { status: 'cancelled', error: SWITCHED_OFF })
  await recordEvents(
    ctx,
    waiting.map((run) => runEnded(run, 'cancelled')),
  )
}
