import { enqueueOnce } from '../../kernel/jobs/jobs.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { READ_AGAIN, REGROUP } from './engine.ts'
import { useKnowledge } from './knowledge.ts'
import { readAgain } from './read-texts.ts'
import { countSorted } from './triage-queries.ts'

const TRY_AGAIN_AFTER_MS = 5 * 60_000

/** Reads again what another encoder read, after the operator has switched it or it was away, and regroups then. */
export async function readFeedbackAgain(payload: unknown, deps: JobDeps): Promise<void> {
  const { projectId } = payload as { projectId: string }
  const knowledge = await useKnowledge(deps)
  const isDone = await readAgain(deps.db, knowledge.server, projectId)
  knowledge.projects.delete(projectId)
  if (isDone) {
    await countSorted(deps.db, projectId)
    await enqueueOnce(deps.db, REGROUP, { projectId }, { key: `${REGROUP} ${projectId}`, afterMs: 0 })
  } else
    await enqueueOnce(
      deps.db,
      READ_AGAIN,
      { projectId },
      { key: `${READ_AGAIN} ${projectId}`, afterMs: TRY_AGAIN_AFTER_MS },
    )
}
