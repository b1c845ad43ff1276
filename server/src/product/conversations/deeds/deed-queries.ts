import { type Db, json } from '../../../kernel/database/index.ts'
import type { Deed, DeedStatus, Seen } from './deed.ts'

const columns = (db: Db) => db`d.id, d.run_id as "runId", d.tool, d.input, d.status, d.resource_type as "resourceType",
  d.resource_id as "resourceId", d.before, d.after, d.depends_on as "dependsOn", d.reason, d.decided_by as "decidedBy",
  d.decided_at as "decidedAt", d.created_at as "createdAt"`

type NewDeed = Omit<Deed, 'decidedBy' | 'decidedAt' | 'createdAt' | 'reason'>

const maybeJson = (fields: Deed['before']) => (fields === null ? null : json(fields))

export async function insertDeed(db: Db, projectId: string, one: NewDeed): Promise<void> {
  await db`insert into agent_deeds (project_id, id, run_id, tool, input, status, resource_type, resource_id, before, after,
      depends_on)
    values (${projectId}, ${one.id}, ${one.runId}, ${one.tool}, ${json(one.input)}, ${one.status}, ${one.resourceType},
      ${one.resourceId}, ${maybeJson(one.before)}, ${maybeJson(one.after)}, ${one.dependsOn}::uuid[])`
}

/** In the order in which they were done. */
export const listDeeds = (db: Db, projectId: string, runId: string) => db<Deed[]>`
  select ${columns(db)} from agent_deeds d where d.project_id = ${projectId} and d.run_id = ${runId} order by d.number`

export async function endDeed(db: Db, projectId: string, id: string, status: DeedStatus, seen: Seen): Promise<void> {
  await db`update agent_deeds set status = ${status}, resource_type = ${seen.resourceType},
      resource_id = ${seen.resourceId}, before = ${maybeJson(seen.before)}, after = ${maybeJson(seen.after)}
    where project_id = ${projectId} and id = ${id}`
}

/** It was refused, so nothing was done. */
export async function deleteDeed(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from agent_deeds where project_id = ${projectId} and id = ${id}`
}

/** Notes who decided what. False if its status has changed meanwhile. */
export async function decide(
  db: Db,
  projectId: string,
  deed: Deed,
  status: DeedStatus,
  userId: string | null,
  reason: string | null = null,
): Promise<boolean> {
  const changed = await db`update agent_deeds set status = ${status}, decided_by = ${userId}, decided_at = now(),
      reason = ${reason}
    where project_id = ${projectId} and id = ${deed.id} and status = ${deed.status} returning 1`
  return changed.length === 1
}

/** Rejects what nobody has decided about, because another run proposes it again. */
export async function withdrawProposals(db: Db, projectId: string, runId: string, reason: string): Promise<void> {
  await db`update agent_deeds set status = 'rejected', decided_at = now(), reason = ${reason}
    where project_id = ${projectId} and run_id = ${runId} and status = 'proposed'`
}

interface Toucher {
  id: string
  name: string | null
  at: string
}

/** Who changed each of these things last. */
export const listLastTouches = (db: Db, projectId: string, ids: string[]) => db<Toucher[]>`
  select t.id, u.name, e.created_at as at from unnest(${ids}::uuid[]) as t (id)
  cross join lateral (
    select e.user_id, e.created_at from events e
    where e.project_id = ${projectId} and e.subject_id = t.id order by e.id desc limit 1) e
  left join users u on u.id = e.user_id`
