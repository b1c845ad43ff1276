import { type Db, json } from '../../../kernel/database/index.ts'
import { PING } from '../webhook.ts'

/** A webhook that this node delivers to. */
export interface Leased {
  id: string
  projectId: string
  url: string
  sealedSecret: string
  previousSealedSecret: string | null
  isFailing: boolean
  updatedAt: string
}

/** Takes the webhooks that no other node delivers to, and keeps those that this one has. */
export const leaseWebhooks = (db: Db, nodeId: string, leaseMs: number) => db<Leased[]>`
  update webhooks set node_id = ${nodeId}, leased_until = now() + ${leaseMs}::int * interval '1 millisecond'
  where enabled and (node_id = ${nodeId} or leased_until is null or leased_until < now())
  returning id, project_id as "projectId", url, sealed_secret as "sealedSecret", updated_at as "updatedAt",
    failing_since is not null as "isFailing",
    case when previous_secret_until > now() then previous_sealed_secret end as "previousSealedSecret"`

export const releaseWebhooks = (db: Db, nodeId: string) => db`
  update webhooks set node_id = null, leased_until = null where node_id = ${nodeId}`

interface Reader {
  projectId: string
  id: string
  nodeId: string
}

/** Transactions have an id for an event shortly before they count as writing. */
const MARGIN = '1 second'

/**
 * Queues the events that are new in the log, and moves the webhook's position past them in the same statement. Returns
 * how many were read; undefined if the webhook belongs to another node now. See the table for how a position works. It is
 * compared as a value: joined to the log, the whole log is read.
 */
export async function queueEvents(db: Db, reader: Reader, limit: number): Promise<number | undefined> {
  const { projectId, id, nodeId } = reader
  const [row] = await db<{ read: number }[]>`
    with w as (
      select * from webhooks where project_id = ${projectId} and id = ${id} and node_id = ${nodeId} and enabled for update
    ), s as (
      select pg_snapshot_xmin(c.now) as xmin, pg_snapshot_xmax(c.now) as xmax from (select pg_current_snapshot() as now) c
    ), fresh as materialized (
      select e.id, e.kind, e.subject_type, e.subject_id, e.created_at, e.payload ->> 'shared' as shared
      from events e
      where e.project_id = ${projectId} and e.id > (select settled from w)
        and (e.id > (select seen from w) or age(e.xmin) <= age((select horizon from w)::xid))
      order by e.id limit ${limit}
    ), h as (
      select exists (select from webhook_deliveries where project_id = ${projectId} and webhook_id = ${id}
        and status = 'pending' and next_attempt_at > now()) as waits
    ), queued as (
      insert into webhook_deliveries (project_id, webhook_id, event_id, subject_id, next_attempt_at)
      select ${projectId}, w.id, e.id, e.subject_id, case when h.waits then greatest(now(), (
        select max(d.next_attempt_at) from webhook_deliveries d
        where d.project_id = ${projectId} and d.webhook_id = w.id and d.subject_id = e.subject_id and d.status = 'pending'))
        else now() end
      from fresh e, w, h
      where case when e.subject_id = w.id then e.kind = ${PING} else e.kind <> ${PING}
        and e.created_at >= w.enabled_at and ${isVisible(db)}
        and (w.event_kinds is null or w.event_kinds && array[e.kind, split_part(e.kind, '.', 1) || '.*']) end
      on conflict do nothing
    ), r as (
      select count(*)::int as count, max(fresh.id) as last from fresh
    ), next as (
      select greatest(w.seen, r.last) as seen, coalesce(w.mark_xmax <= s.xmin, false) and
        w.marked_at < clock_timestamp() - ${MARGIN}::interval as settles
      from w, s, r
    ), moved as (
      update webhooks set seen = n.seen, horizon = s.xmin,
        settled = case when n.settles then webhooks.mark else webhooks.settled end,
        mark = case when webhooks.mark is null or n.settles then n.seen else webhooks.mark end,
        mark_xmax = case when webhooks.mark is null or n.settles then s.xmax else webhooks.mark_xmax end,
        marked_at = case when webhooks.mark is null or n.settles then clock_timestamp() else webhooks.marked_at end
      from w, s, r, next n
      where webhooks.project_id = ${projectId} and webhooks.id = w.id and r.count > 0
    )
    select r.count as read from w, r`
  return row?.read
}

/** What members keep for themselves is not sent, nor an upload before the report that it belongs to. */
const isVisible = (
  db: Db,
) => db`(e.subject_type not in ('agent_conversation', 'integration', 'feedback_upload', 'work_order_view')
  or (e.subject_type = 'work_order_view' and e.shared = 'true'))`

export interface Due {
  eventId: string
  subjectId: string
  attempts: number
  kind: string
  subjectType: string
  userId: string | null
  keyId: string | null
  origin: string
  requestId: string
  payload: Record<string, unknown>
  createdAt: string
}

/** What can be sent now, except for what is being sent. What waits for one subject comes in order. */
export const listDue = (db: Db, { projectId, id, nodeId }: Reader, except: string[], limit: number) => db<Due[]>`
  select d.event_id::text as "eventId", d.subject_id as "subjectId", d.attempts, e.kind, e.subject_type as "subjectType",
    e.user_id as "userId", e.key_id as "keyId", e.origin, e.request_id as "requestId", e.payload,
    e.created_at as "createdAt"
  from (
    select * from webhook_deliveries
    where project_id = ${projectId} and webhook_id = ${id} and status = 'pending' and next_attempt_at <= now()
      and event_id <> all(${except}::bigint[])
      and exists (select from webhooks where project_id = ${projectId} and id = ${id} and node_id = ${nodeId} and enabled)
    order by next_attempt_at, event_id limit ${limit}
  ) d, lateral (select * from events where project_id = ${projectId} and id = d.event_id limit 1) e
  order by d.next_attempt_at, d.event_id`

/** How long until the next attempt. Undefined if nothing waits. */
export async function findNextAttempt(db: Db, { projectId, id }: Reader): Promise<number | undefined> {
  const [row] = await db<{ ms: number }[]>`
    select extract(epoch from next_attempt_at - clock_timestamp())::float8 * 1000 as ms from webhook_deliveries
    where project_id = ${projectId} and webhook_id = ${id} and status = 'pending' order by next_attempt_at limit 1`
  return row?.ms
}

export interface Outcome {
  eventId: string
  subjectId: string
  isDelivered: boolean
  /** When to try again. Undefined if it was delivered, or will not be tried again. */
  retryMs?: number | undefined
  durationMs: number
  responseStatus?: number | undefined
  responseExcerpt?: string | undefined
  error?: string | undefined
}

/**
 * Stores outcomes. What waits behind an attempt that failed waits as long. Rows are named by lists, so that PostgreSQL
 * looks them up by their keys also while it has no statistics of a table that grows fast.
 */
export async function recordOutcomes(db: Db, reader: Reader, outcomes: Outcome[]): Promise<void> {
  const { projectId, id, nodeId } = reader
  const ids = outcomes.map(({ eventId }) => eventId)
  const waiting = outcomes.flatMap(({ retryMs, subjectId }) => (retryMs === undefined ? [] : [subjectId]))
  const isMine = db`exists (
    select from webhooks where project_id = ${projectId} and id = ${id} and node_id = ${nodeId})`
  await db`
    with o as (
      select * from jsonb_to_recordset(${json(outcomes)}) as o ("eventId" bigint, "subjectId" uuid, "isDelivered" boolean,
        "retryMs" float8, "durationMs" int, "responseStatus" smallint, "responseExcerpt" text, error text)
    ), held as (
      update webhook_deliveries d set next_attempt_at = greatest(d.next_attempt_at, ${retryAt(db)})
      from o
      where d.project_id = ${projectId} and d.webhook_id = ${id} and d.subject_id = any(${waiting}::uuid[])
        and d.status = 'pending' and d.event_id <> all(${ids}::bigint[]) and ${isMine}
        and o."subjectId" = d.subject_id and o."retryMs" is not null
    )
    update webhook_deliveries d set attempts = d.attempts + 1, last_attempt_at = now(), duration_ms = o."durationMs",
      status = case when o."isDelivered" then 'succeeded' when o."retryMs" is null then 'failed' else 'pending' end,
      next_attempt_at = ${retryAt(db)}, response_status = o."responseStatus", response_excerpt = o."responseExcerpt",
      error = o.error
    from o
    where d.project_id = ${projectId} and d.webhook_id = ${id} and d.event_id = any(${ids}::bigint[])
      and d.event_id = o."eventId" and ${isMine}`
}

const retryAt = (db: Db) => db`now() + o."retryMs" * interval '1 millisecond'`

/** Remembers since when every attempt fails. True if that is too long. */
export async function noteFailing(db: Db, { projectId, id }: Reader, allowedMs: number): Promise<boolean> {
  const [row] = await db<{ isTooLong: boolean }[]>`
    update webhooks set failing_since = coalesce(failing_since, now()) where project_id = ${projectId} and id = ${id}
    returning failing_since < now() - ${allowedMs}::float8 * interval '1 millisecond' as "isTooLong"`
  return row?.isTooLong ?? false
}

export const noteWorking = (db: Db, { projectId, id }: Reader) => db`
  update webhooks set failing_since = null where project_id = ${projectId} and id = ${id} and failing_since is not null`
