import type { Ctx } from '../../kernel/context.ts'
import type { Db } from '../../kernel/database/index.ts'
import { forbidden } from '../../kernel/errors.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { memberCtx } from '../projects/index.ts'
import type { Work } from './work.ts'

/** The person who asked for the transfer, with the rights that they have now. */
export async function requesterCtx<D extends Db>(
  deps: JobDeps & { db: D },
  { projectId, id, transfer }: Work,
): Promise<Ctx & { db: D }> {
  const ctx =
    transfer.requestedBy === null
      ? undefined
      : await memberCtx(deps, { projectId, userId: transfer.requestedBy, origin: 'user' }, id)
  if (!ctx) throw forbidden('not_a_member', 'Whoever asked for this is no longer a member of the project.')
  return ctx
}
