import type { Ctx } from '../kernel/context.ts'
import type { Db } from '../kernel/database.ts'
import type { Wiring } from '../kernel/slice.ts'
import { operatorCtx } from '../projects/index.ts'

interface InProject {
  projectId: string
  organizationId: string
}

/** Slipway itself acts, by the clock or for an event; `requestId` names the cause in the log. */
export const systemCtx = <D extends Db>(
  db: D,
  wiring: Wiring,
  { projectId, organizationId }: InProject,
  requestId?: string,
): Ctx & { db: D } => {
  const ctx = operatorCtx(db, wiring, { id: projectId, name: '', organizationId })
  return requestId === undefined ? ctx : { ...ctx, requestId }
}
