import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { listChanges } from '../../conversations/index.ts'
import type { Project } from '../../projects/index.ts'
import { runEvents } from '../events.ts'
import type { NewRun, Run, RunOutcome } from '../runs/run.ts'
import { findRun } from '../runs/run-queries.ts'
import * as writes from '../runs/run-writes.ts'
import { systemCtx } from '../system.ts'
import { finishRun } from './claims.ts'

/** A run whose work is done elsewhere: no dispatcher sees it wait, and it has no prompt. */
export interface BegunRun {
  run: Run
  project: Project
  nodeId: string
}

/** Records that a run has started. What is changed under its id as request id becomes its list of changes. */
export function beginRecordedRun(deps: JobDeps, project: Project, wanted: NewRun): Promise<BegunRun> {
  const nodeId = uuidv7()
  return inTransaction(deps, async (deps) => {
    const [scheduled] = await writes.insertRuns(deps.db, project.id, [wanted])
    const { id, automationId, triggerType } = scheduled!
    const ctx = systemCtx(deps, { projectId: project.id, organizationId: project.organizationId })
    await recordEvent(ctx, runEvents.scheduled(id, { automation_id: automationId, trigger_type: triggerType }))
    await writes.startWaitingRun(deps.db, project.id, id, nodeId)
    return { run: (await findRun(deps.db, project.id, id))!, project, nodeId }
  })
}

/** Records how it ended. The changes are read from the event log. */
export async function endRecordedRun(
  deps: JobDeps,
  { run, project, nodeId }: BegunRun,
  outcome: Omit<RunOutcome, 'changes'>,
): Promise<void> {
  const changes = await listChanges(deps.db, deps.wiring, project.id, run.id)
  const claimed = { run, projectId: project.id, organizationId: project.organizationId }
  await finishRun(deps, nodeId, claimed, { ...outcome, changes })
}
