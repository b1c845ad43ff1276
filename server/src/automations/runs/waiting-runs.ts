import type { Ctx } from '../../kernel/context.ts'
import { json, type Tx } from '../../kernel/database/index.ts'
import { recordEvents } from '../../kernel/events.ts'
import { runEnded } from './run.ts'
import { lockWaitingRuns } from './run-queries.ts'
import { leaveWord } from './word.ts'

const SWITCHED_OFF = 'The automation was switched off before it began.'

/** What waits when an automation is switched off never begins; otherwise it would all begin when it is on again. */
export async function cancelWaitingRuns(ctx: Ctx & { db: Tx }, automationId: string): Promise<void> {
  const { projectId } = ctx.actor
  const waiting = await lockWaitingRuns(ctx.db, projectId, automationId)
  if (waiting.length === 0) return
  const told: { id: string; conversation_id: string | null }[] = []
  for (const run of waiting)
    told.push({ id: run.id, conversation_id: await leaveWord(ctx, projectId, run, SWITCHED_OFF, 'cancelled') })
  await ctx.db`update automation_runs r set status = 'cancelled', completed_at = now(), error = ${SWITCHED_OFF},
      conversation_id = t.conversation_id
    from jsonb_to_recordset(${json(told)}) as t (id uuid, conversation_id uuid)
    where r.project_id = ${projectId} and r.id = t.id`
  await recordEvents(
    ctx,
    waiting.map((run) => runEnded(run, 'cancelled')),
  )
}
