import type { Db } from '../../kernel/database/index.ts'
import { isUuid } from '../../kernel/http/validation.ts'
import { findRun } from './run-queries.ts'

interface Deed {
  projectId: string
  origin: string
  requestId: string
}

/**
 * The automations whose runs led to something: what a run does carries its name. None of them is started by it,
 * or two that answer each other would never end. A client that sends such a name as its own does not count.
 */
export async function lineageOf(db: Db, { projectId, origin, requestId }: Deed): Promise<string[]> {
  if ((origin !== 'automation' && origin !== 'agent') || !isUuid(requestId)) return []
  const run = await findRun(db, projectId, requestId)
  return run ? [...run.lineage, run.automationId] : []
}
