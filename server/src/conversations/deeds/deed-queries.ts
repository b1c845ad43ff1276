import { type Db, json, type Tx } from '../../kernel/database/index.ts'
import type { Deed, DeedStatus } from './deed.ts'

const columns = (db: Db) => db`d.id, d.run_id as "runId", d.tool, d.input, d.status, d.resource_type as "resourceType",
  d.resource_id as "resourceId", d.before, d.after, d.decided_by as "decidedBy", d.decided_at as "decidedAt",
  d.created_at as "createdAt"`

type NewDeed = Omit<Deed, 'decidedBy' | 'decidedAt' | 'createdAt'>

export async function insertDeed(db: Db, projectId: string, one: NewDeed): Promise<void> {
  await db`insert into agent_deeds (project_id, id, run_id, tool, input, status, resource_type, resource_id, before, after)
    values (${projectId}, ${one.id}, ${one.runId}, ${one.tool}, ${json(one.input)}, ${one.status}, ${one.resourceType},
      ${one.resourceId}, ${one.before === null ? null : json(one.before)}, ${one.after === null ? null : json(one.after)})`
}

/** In the order in which they were done. */
export const listDeeds = (db: Db, projectId: string, runId: string) => db<Deed[]>`
  select ${columns(db)} from agent_deeds d where d.project_id = ${projectId} and d.run_id = ${runId} order by d.number`

export async function lockDeed(db: Tx, projectId: string, runId: string, id: string): Promise<Deed | undefined> {
  const [row] = await db<Deed[]>`select ${columns(db)} from agent_deeds d
    where d.project_id = ${projectId} and d.run_id = ${runId} and d.id = ${id} for update`
  return row
}

interface Decision extends Pick<Deed, 'before' | 'after' | 'resourceType' | 'resourceId'> {
  status: DeedStatus
  userId: string | null
}

/** False if someone else has decided before. */
export async function decide(db: Db, projectId: string, deed: Deed, one: Decision): Promise<boolean> {
  const changed =
    await db`update agent_deeds set status = ${one.status}, decided_by = ${one.userId}, decided_at = now(),
      resource_type = ${one.resourceType}, resource_id = ${one.resourceId},
      before = ${one.before === null ? null : json(one.before)}, after = ${one.after === null ? null : json(one.after)}
    where project_id = ${projectId} and id = ${deed.id} and status = ${deed.status} returning 1`
  return changed.length === 1
}
