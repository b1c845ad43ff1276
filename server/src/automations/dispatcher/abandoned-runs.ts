import { listChanges } from '../../conversations/index.ts'
import { inTransaction, json } from '../../kernel/database/index.ts'
import { recordEvent } from '../../kernel/events.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { runEnded } from '../runs/run.ts'
import { findRun } from '../runs/run-queries.ts'
import { leaveWord } from '../runs/word.ts'
import { systemCtx } from '../system.ts'

const REASON =
  'The server that ran it stopped answering, so it is not known how far it came. What it changed is listed; look at that before you retry.'

interface LostRun {
  id: string
  projectId: string
  organizationId: string
}

/**
 * Ends runs whose node no longer renews their lease. They are not begun again: what their tools did stays done, and a
 * person should decide.
 */
export async function failAbandonedRuns(deps: JobDeps): Promise<void> {
  const lost = await deps.db<LostRun[]>`
    select r.id, r.project_id as "projectId", p.organization_id as "organizationId"
    from automation_runs r join projects p on p.id = r.project_id
    where r.status = 'running' and r.leased_until < now()`
  for (const run of lost) await failAbandonedRun(deps, run)
}

function failAbandonedRun(deps: JobDeps, lost: LostRun): Promise<void> {
  const { id, projectId } = lost
  return inTransaction({ ...deps }, async (tx) => {
    const [ended] = await tx.db<{ status: 'failed' | 'cancelled' }[]>`
      update automation_runs set status = case when cancel_requested_at is null then 'failed' else 'cancelled' end,
        error = ${REASON}, completed_at = now(), leased_until = null
      where project_id = ${projectId} and id = ${id} and status = 'running' and leased_until < now()
      returning status`
    if (!ended) return
    const run = (await findRun(tx.db, projectId, id))!
    const changes = await listChanges(tx.db, tx.wiring, projectId, id)
    const conversationId = await leaveWord(tx, projectId, run, REASON, ended.status)
    await tx.db`
      update automation_runs set conversation_id = ${conversationId}, changes = ${json(changes)}
      where project_id = ${projectId} and id = ${id}`
    await recordEvent(systemCtx(tx, lost, id), runEnded(run, ended.status))
  })
}
