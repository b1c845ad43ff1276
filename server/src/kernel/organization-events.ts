import type { Actor, Ctx } from './context.ts'
import { type Db, json, type Tx } from './database/index.ts'

/** Who acts on people and organizations, outside of any project. Every `Ctx` is one, too. */
export interface OrganizationCtx<D extends Db = Db> extends Pick<Ctx, 'requestId'> {
  db: D
  actor: Pick<Actor, 'origin' | 'userId'>
}

interface OrganizationEvent {
  kind: string
  subjectType: string
  subjectId: string
  payload?: Record<string, unknown>
}

/** Writes an event in the caller's transaction, once for each of the organizations. */
export async function recordOrganizationEvent(
  { db, actor, requestId }: OrganizationCtx<Tx>,
  organizationIds: string[],
  { kind, subjectType, subjectId, payload = {} }: OrganizationEvent,
): Promise<void> {
  await db`
    insert into organization_events (organization_id, kind, subject_type, subject_id, user_id, origin, request_id, payload)
    select o.id, ${kind}, ${subjectType}, ${subjectId}, ${actor.userId}, ${actor.origin}, ${requestId}, ${json(payload)}
    from unnest(${organizationIds}::uuid[]) as o (id)`
}
