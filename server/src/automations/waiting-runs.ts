import type { Ctx } from '../kernel/context.ts'
import type { Tx } from '../kernel/database.ts'
import { recordEvents } from '../kernel/events.ts'
import { runEnded } from './run.ts'

/** What waits when an automation is switched off never begins; otherwise it would all begin when it is on again. */
export async function cancelWaitingRuns(ctx: Ctx & { db: Tx }, automationId: string): Promise<void> {
  const cancelled = await ctx.db<{ id: string }[]>`
    update automation_runs set status = 'cancelled', completed_at = now(),
      error = 'The automation was switched off before it began.'
    where project_id = ${ctx.actor.projectId} and automation_id = ${automationId} and status = 'scheduled'
    returning id`
  await recordEvents(
    ctx,
    cancelled.map(({ id }) => runEnded({ id, automationId }, 'cancelled')),
  )
}
