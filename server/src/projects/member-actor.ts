import type { Actor, Ctx, Origin } from '../kernel/context.ts'
import type { Db } from '../kernel/database/index.ts'
import type { JobDeps } from '../kernel/slice.ts'
import { findMemberRights } from './queries.ts'

interface Member {
  projectId: string
  userId: string
  origin: Origin
}

/** Someone who acts in a project without a key; undefined when they are no member of it. */
export async function findMemberActor(
  db: Db,
  projectId: string,
  userId: string,
  origin: Origin,
): Promise<Actor | undefined> {
  const rights = await findMemberRights(db, projectId, userId)
  return rights && { origin, projectId, userId, keyId: null, ...rights }
}

/** Someone acts without a request of their own: an agent or a job acts for them. Undefined when they are no member. */
export async function memberCtx<D extends Db>(
  { db, log, wiring, store }: JobDeps & { db: D },
  { projectId, userId, origin }: Member,
  requestId: string,
): Promise<(Ctx & { db: D }) | undefined> {
  const actor = await findMemberActor(db, projectId, userId, origin)
  return actor && { db, actor, requestId, log, wiring, store, baseUrl: '', ifMatch: undefined }
}
