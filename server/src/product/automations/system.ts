import type { Ctx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/database/index.ts'
import { type Acting, operatorCtx } from '../projects/index.ts'

interface InProject {
  projectId: string
  organizationId: string
}

/** The context of Slipway itself, acting on a schedule or an event. `requestId` names the cause in the log. */
export const systemCtx = <D extends Db>(
  acting: Acting<D>,
  { projectId, organizationId }: InProject,
  requestId?: string,
): Ctx & { db: D } => {
  const ctx = operatorCtx(acting, { id: projectId, name: '', organizationId })
  return requestId === undefined ? ctx : { ...ctx, requestId }
}
