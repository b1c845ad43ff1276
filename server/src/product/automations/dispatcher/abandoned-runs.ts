import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { listChanges } from '../../conversations/index.ts'
import { runEnded } from '../runs/run.ts'
import { explainEnd } from '../runs/run-conversation.ts'
import { findRun, type LostRun, listAbandonedRuns } from '../runs/run-queries.ts'
import { endAbandonedRun, setTraces } from '../runs/run-writes.ts'
import { systemCtx } from '../system.ts'
import { followFailure } from './failures.ts'

const REASON =
  'The server that ran it stopped answering, so it is not known how far it came. What it changed is listed; look at that before you retry.'

/**
 * Fails runs whose node no longer renews their lease. They are not restarted, because the effects of their tools remain
 * and a person should decide.
 */
export async function failAbandonedRuns(deps: JobDeps): Promise<void> {
  for (const run of await listAbandonedRuns(deps.db)) await failAbandonedRun(deps, run)
}

function failAbandonedRun(deps: JobDeps, lost: LostRun): Promise<void> {
  const { id, projectId } = lost
  return inTransaction({ ...deps }, async (tx) => {
    const ended = await endAbandonedRun(tx.db, projectId, id, REASON)
    if (!ended) return
    const run = (await findRun(tx.db, projectId, id))!
    const changes = await listChanges(tx.db, tx.wiring, projectId, id)
    const conversationId = await explainEnd(tx, projectId, run, REASON, ended.status)
    await setTraces(tx.db, projectId, id, { conversationId, changes })
    const ctx = systemCtx(tx, lost, id)
    await recordEvent(ctx, runEnded(run, ended.status))
    if (ended.status === 'failed') await followFailure(ctx, run, { error: REASON, changes })
  })
}
