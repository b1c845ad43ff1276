import type { Db } from '../../kernel/database/index.ts'
import { isUuid } from '../../kernel/http/validation.ts'
import { findRun } from './run-queries.ts'

interface Deed {
  projectId: string
  origin: string
  requestId: string
}

/**
 * Returns the automations whose runs led to this event, found by the run id that their changes carry. None of them may
 * be started by it, or two that react to each other would never end. A client that sends such an id itself does not
 * count.
 */
export async function lineageOf(db: Db, { projectId, origin, requestId }: Deed): Promise<string[]> {
  if ((origin !== 'automation' && origin !== 'agent') || !isUuid(requestId)) return []
  const run = await findRun(db, projectId, requestId)
  return run ? [...run.lineage, run.automationId] : []
}
