import type { Actor, Ctx, Origin } from '../../kernel/context.ts'
import type { Db } from '../../kernel/database/index.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { findMemberRights } from './queries.ts'

interface Member {
  projectId: string
  userId: string
  origin: Origin
}

/** A member who acts without a key. Undefined if they are not a member. */
export async function findMemberActor(
  db: Db,
  projectId: string,
  userId: string,
  origin: Origin,
): Promise<Actor | undefined> {
  const rights = await findMemberRights(db, projectId, userId)
  return rights && { origin, projectId, userId, keyId: null, ...rights }
}

/** The context of a member for whom an agent or a job acts. Undefined if they are not a member. */
export async function memberCtx<D extends Db>(
  { db, log, wiring, store }: JobDeps & { db: D },
  { projectId, userId, origin }: Member,
  requestId: string,
): Promise<(Ctx & { db: D }) | undefined> {
  const actor = await findMemberActor(db, projectId, userId, origin)
  return actor && { db, actor, requestId, log, wiring, store, baseUrl: '', ifMatch: undefined }
}
