import { type Db, inTransaction } from '../../../kernel/database/index.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { DELIVER, PING, type Target } from '../webhook.ts'

/** How many requests to a webhook are under way, on all nodes together. */
export const MAX_AT_ONCE = 10
/** A receiver that fails is asked carefully until it works again. */
const MAX_AT_ONCE_FAILING = 2
/** Longer than an attempt takes. What is not stored as sent by then is sent again. */
const CLAIM_MS = 20_000

/**
 * Queues the deliveries of the events that a statement records, as a part of it. Where the next one about a subject waits
 * for a retry, so do those behind it. It is found without `limit`, for which PostgreSQL would walk through the primary key.
 */
export const queueDeliveries = (db: Db, projectId: string) => db`
  insert into webhook_deliveries (project_id, webhook_id, event_id, subject_id, next_attempt_at)
  select ${projectId}, w.id, e.id, e.subject_id, greatest(now(), (
    select (array_agg(d.next_attempt_at order by d.event_id))[1] from webhook_deliveries d
    where d.project_id = ${projectId} and d.webhook_id = w.id and d.subject_id = e.subject_id and d.status = 'pending'))
  from recorded e join webhooks w on w.project_id = ${projectId} and w.enabled
    and case when e.subject_id = w.id then e.kind = ${PING} else e.kind <> ${PING} and ${isVisible(db)}
      and (w.event_kinds is null or w.event_kinds && array[e.kind, split_part(e.kind, '.', 1) || '.*']) end
  returning json_build_object('projectId', project_id, 'webhookId', webhook_id) as payload`

/** What members keep for themselves is not sent, nor an upload before the report that it belongs to. */
const isVisible = (
  db: Db,
) => db`(e.subject_type not in ('agent_conversation', 'integration', 'feedback_upload', 'work_order_view')
  or (e.subject_type = 'work_order_view' and e.payload ->> 'shared' = 'true'))`

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
  url: string
  sealedSecret: string
  previousSealedSecret: string | null
  /** Whoever claims it later has another one. */
  claim: string
}

/**
 * Claims the next delivery that is due: the first of its subject, unless another job is sending it. Undefined if there is
 * none, or if enough is under way: a job that has sent one always asks for the next.
 */
export async function claimNext(db: Db, { projectId, webhookId }: Target): Promise<Due | undefined> {
  const [row] = await db<Due[]>`
    with w as (
      select * from webhooks where project_id = ${projectId} and id = ${webhookId} and enabled and ${lazily(db)} and (
        select count(*) from webhook_deliveries
        where project_id = ${projectId} and webhook_id = ${webhookId} and claimed_until > now()
      ) < case when failing_since is null then ${MAX_AT_ONCE}::int else ${MAX_AT_ONCE_FAILING}::int end
    ), next as (
      select d.event_id from webhook_deliveries d
      where d.project_id = ${projectId} and d.webhook_id = (select id from w) and d.status = 'pending'
        and d.next_attempt_at <= now() and (d.claimed_until is null or d.claimed_until <= now()) and not exists (
          select from webhook_deliveries b
          where b.project_id = ${projectId} and b.webhook_id = ${webhookId} and b.subject_id = d.subject_id
            and b.status = 'pending' and b.event_id < d.event_id)
      order by d.next_attempt_at, d.event_id limit 1 for update skip locked
    )
    update webhook_deliveries d set claimed_until = now() + ${CLAIM_MS}::int * interval '1 millisecond'
    from w, next n, lateral (select * from events where project_id = ${projectId} and id = n.event_id limit 1) e
    where d.project_id = ${projectId} and d.webhook_id = ${webhookId} and d.event_id = (select event_id from next)
    returning d.event_id::text as "eventId", d.subject_id as "subjectId", d.attempts, e.kind,
      e.subject_type as "subjectType", e.user_id as "userId", e.key_id as "keyId", e.origin,
      e.request_id as "requestId", e.payload, e.created_at as "createdAt", w.url, w.sealed_secret as "sealedSecret",
      case when w.previous_secret_until > now() then w.previous_sealed_secret end as "previousSealedSecret",
      d.claimed_until::text as claim`
  return row
}

/** The commit does not wait for the disk: a delivery whose claim or outcome PostgreSQL forgets in a crash is sent again. */
const lazily = (db: Db) => db`set_config('synchronous_commit', 'off', true) = 'off'`

export interface Outcome {
  isDelivered: boolean
  /** When to try again. Undefined if it was delivered, or will not be tried again. */
  retryMs?: number | undefined
  durationMs: number
  responseStatus?: number | undefined
  responseExcerpt?: string | undefined
  error?: string | undefined
}

/**
 * Stores the outcome of an attempt, with the job of the next one, unless another job has claimed the delivery since.
 * Deliveries behind it wait as long. Returns whether every attempt has failed for longer than allowed.
 */
export async function recordOutcome(db: Db, target: Target, due: Due, outcome: Outcome, allowedMs: number) {
  const { retryMs } = outcome
  if (retryMs === undefined) return recordAttempt(db, target, due, outcome, allowedMs)
  return inTransaction({ db }, async ({ db }) => {
    const isTooLong = await recordAttempt(db, target, due, outcome, allowedMs)
    const { projectId, webhookId } = target
    await db`
      update webhook_deliveries d set next_attempt_at = sent.next_attempt_at
      from webhook_deliveries sent
      where sent.project_id = ${projectId} and sent.webhook_id = ${webhookId} and sent.event_id = ${due.eventId}::bigint
        and d.project_id = ${projectId} and d.webhook_id = ${webhookId} and d.subject_id = ${due.subjectId}
        and d.status = 'pending' and d.event_id > sent.event_id and d.next_attempt_at < sent.next_attempt_at`
    await enqueue(db, DELIVER, [target], Math.ceil(retryMs))
    return isTooLong
  })
}

async function recordAttempt(db: Db, { projectId, webhookId }: Target, due: Due, outcome: Outcome, allowedMs: number) {
  const {
    isDelivered,
    retryMs = null,
    durationMs,
    responseStatus = null,
    responseExcerpt = null,
    error = null,
  } = outcome
  const status = isDelivered ? 'succeeded' : retryMs === null ? 'failed' : 'pending'
  const [row] = await db<{ isTooLong: boolean }[]>`
    with sent as (
      update webhook_deliveries set attempts = attempts + 1, last_attempt_at = now(), claimed_until = null,
        status = ${status}, next_attempt_at = now() + ${retryMs}::float8 * interval '1 millisecond',
        duration_ms = ${durationMs}::int, response_status = ${responseStatus}::int,
        response_excerpt = ${responseExcerpt}, error = ${error}
      where project_id = ${projectId} and webhook_id = ${webhookId} and event_id = ${due.eventId}::bigint
        and claimed_until = ${due.claim}::timestamptz and ${lazily(db)}
      returning event_id
    )
    update webhooks set failing_since = case when not ${isDelivered}::boolean then coalesce(failing_since, now()) end
    where project_id = ${projectId} and id = ${webhookId} and exists (select from sent)
      and (failing_since is not null or not ${isDelivered}::boolean)
    returning failing_since < now() - ${allowedMs}::float8 * interval '1 millisecond' as "isTooLong"`
  return row?.isTooLong ?? false
}

/** Queues jobs for what is due and nobody sends, such as what a node was sending when it died. */
export async function resumeDeliveries(db: Db): Promise<void> {
  const targets = await db<Target[]>`
    select w.project_id as "projectId", w.id as "webhookId"
    from webhooks w, lateral (
      select from webhook_deliveries d
      where d.project_id = w.project_id and d.webhook_id = w.id and d.status = 'pending' and d.next_attempt_at <= now()
        and (d.claimed_until is null or d.claimed_until <= now())
      limit ${MAX_AT_ONCE}) d
    where w.enabled`
  if (targets.length > 0) await enqueue(db, DELIVER, targets)
}
