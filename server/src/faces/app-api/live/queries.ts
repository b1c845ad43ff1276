import type { ProjectRole } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/database/index.ts'
import type { Change } from './change.ts'
import type { Position } from './position.ts'

interface Snapshot {
  /** All transactions before this one have ended. */
  xmin: bigint
  /** No transaction from this one on had begun to write. */
  xmax: bigint
}

export interface ReadChanges extends Snapshot {
  changes: Change[]
}

type Row = Omit<Change, 'id'> & { id: string | null; xmin: string; xmax: string }

/** One statement, so that the changes and the snapshot belong together. */
export async function readChanges(db: Db, projectId: string, after: Position, limit: number): Promise<ReadChanges> {
  const { seen, settled, horizon } = after
  // The transaction that wrote a row is in its `xmin`. It counts modulo 2^32, so only distances can be compared.
  const isNew = horizon === undefined ? db`true` : db`(id > ${seen} or age(xmin) <= age(${String(horizon)}::xid8::xid))`
  const rows = await db<Row[]>`
    select s.*, ${columns(db)}
    from (
      select pg_snapshot_xmin(c.now)::text as xmin, pg_snapshot_xmax(c.now)::text as xmax
      from (select pg_current_snapshot() as now) c
    ) s
    left join lateral (
      select * from events where project_id = ${projectId} and id > ${settled} and ${isNew} order by id limit ${limit}
    ) e on true
    ${names(db)}
    order by e.id`
  const { xmin, xmax } = rows[0]!
  const changes = rows.flatMap(({ xmin: _, xmax: __, ...row }) =>
    row.id === null ? [] : [{ ...row, id: Number(row.id) }],
  )
  return { xmin: BigInt(xmin), xmax: BigInt(xmax), changes }
}

const columns = (db: Db) => db`e.id::text, e.kind, e.subject_type as "subjectType", e.subject_id as "subjectId",
  e.created_at as "createdAt", e.request_id as "requestId", e.origin, e.payload, e.user_id as "userId",
  u.name as "userName", e.key_id as "keyId", ${keyName(db)} as "keyName", a.id as "automationId", a.name as "automationName", ar.id as "runId"`

/** How an MCP client calls itself, or the name of the key or connected app. */
export const keyName = (db: Db) => db`coalesce(e.payload->>'agent', k.name, g.client_name)`

/** Joins the names of those who caused an event. */
export const names = (db: Db) => db`
  left join users u on u.id = e.user_id
  left join api_keys k on k.id = e.key_id
  left join oauth_grants g on g.project_id = e.project_id and g.id = e.key_id
  left join automation_runs ar on ar.project_id = e.project_id and ar.id = case
    when e.origin in ('agent', 'automation') and e.request_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then e.request_id::uuid
    when e.payload ? 'proposed_by_run' then (e.payload->>'proposed_by_run')::uuid end
  left join automations a on a.project_id = ar.project_id and a.id = ar.automation_id`

interface Past {
  subjectId: string | undefined
  before: string | undefined
  limit: number
  kind?: string | undefined
  /** The person who did it, or whom an agent or a key acted for. */
  userId?: string | undefined
  runId?: string | undefined
}

/** What happened, newest first. */
export async function listChanges(db: Db, projectId: string, past: Past): Promise<Change[]> {
  const { subjectId, before, limit, kind, userId, runId } = past
  const rows = await db<(Omit<Change, 'id'> & { id: string })[]>`
    select ${columns(db)}
    from (
      select * from events where project_id = ${projectId}
        and ${subjectId === undefined ? db`true` : db`subject_id = ${subjectId}`}
        and ${kind === undefined ? db`true` : db`kind = ${kind}`}
        and ${userId === undefined ? db`true` : db`user_id = ${userId}`}
        and ${
          runId === undefined
            ? db`true`
            : db`((request_id = ${runId} and origin in ('agent', 'automation'))
          or (payload ? 'proposed_by_run' and payload->>'proposed_by_run' = ${runId}))`
        }
        and ${before === undefined ? db`true` : db`id < ${before}::bigint`}
      order by id desc limit ${limit}
    ) e
    ${names(db)}
    order by e.id desc`
  return rows.map((row) => ({ ...row, id: Number(row.id) }))
}

/** Where a reader is now, whatever the project. Everything that is read from now on is newer. */
export async function findMoment(db: Db): Promise<bigint> {
  const [row] = await db<{ xmin: string }[]>`select pg_snapshot_xmin(pg_current_snapshot())::text as xmin`
  return BigInt(row!.xmin)
}

/** The event before the last `limit` events. */
export async function findPlaceBefore(db: Db, projectId: string, limit: number): Promise<number> {
  const [first] = await db<{ id: string | null }[]>`
    select min(id)::text as id from (
      select id from events where project_id = ${projectId} order by id desc limit ${limit}) as recent`
  return first?.id ? Number(first.id) - 1 : 0
}

/** The last event before those of the last minute, which transactions that still run may precede. */
export async function findQuietPlace(db: Db, projectId: string): Promise<number> {
  const [row] = await db<{ id: string | null }[]>`
    select max(id)::text as id from (
      select id, created_at from events where project_id = ${projectId} order by id desc limit 5000
    ) as recent where created_at < now() - interval '1 minute'`
  return row?.id ? Number(row.id) : findPlaceBefore(db, projectId, 5000)
}

export const listRoles = (db: Db, projectId: string, userIds: string[]) => db<{ userId: string; role: ProjectRole }[]>`
  select user_id as "userId", role from project_members
  where project_id = ${projectId} and user_id = any(${userIds}::uuid[])`

/** The last event of each project. */
export const listLastEvents = (db: Db, projectIds: string[]) => db<{ projectId: string; id: string }[]>`
  select p.id as "projectId", e.id::text from unnest(${projectIds}::uuid[]) as p (id),
    lateral (select id from events where project_id = p.id order by id desc limit 1) as e`

/** Sends messages to everyone who listens. */
export const notifyAll = (db: Db, channel: string, messages: string[]) => db`
  select pg_notify(${channel}, m) from unnest(${messages}::text[]) as m`
