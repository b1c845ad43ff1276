import type { Db, Tx } from '../../kernel/database/index.ts'
import type { Delivery, DeliveryStatus, Webhook } from './webhook.ts'

const columns = (db: Db) => db`id, name, url, event_kinds as "eventKinds", enabled, disabled_reason as "disabledReason",
  failing_since as "failingSince", created_at as "createdAt", updated_at as "updatedAt",
  case when previous_secret_until > now() then previous_secret_until end as "previousSecretUntil"`

export const listWebhooks = (db: Db, projectId: string) => db<Webhook[]>`
  select ${columns(db)} from webhooks where project_id = ${projectId} order by created_at, id`

export async function countWebhooks(db: Db, projectId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int as count from webhooks where project_id = ${projectId}`
  return row!.count
}

export async function findWebhook(db: Db, projectId: string, id: string): Promise<Webhook | undefined> {
  const [row] = await db<Webhook[]>`select ${columns(db)} from webhooks where project_id = ${projectId} and id = ${id}`
  return row
}

export async function lockWebhook(db: Tx, projectId: string, id: string): Promise<Webhook | undefined> {
  const [row] = await db<Webhook[]>`
    select ${columns(db)} from webhooks where project_id = ${projectId} and id = ${id} for update`
  return row
}

export interface NewWebhook {
  id: string
  name: string
  url: string
  eventKinds: string[] | null
  sealedSecret: string
  createdBy: string | null
}

export async function insertWebhook(db: Tx, projectId: string, webhook: NewWebhook): Promise<Webhook> {
  const { id, name, url, eventKinds, sealedSecret, createdBy } = webhook
  const [row] = await db<Webhook[]>`
    insert into webhooks (project_id, id, name, url, event_kinds, sealed_secret, created_by, enabled)
    values (${projectId}, ${id}, ${name}, ${url}, ${eventKinds}, ${sealedSecret}, ${createdBy}, true)
    returning ${columns(db)}`
  return row!
}

export interface WebhookValues {
  name: string
  url: string
  eventKinds: string[] | null
}

export async function updateWebhook(db: Tx, projectId: string, id: string, values: WebhookValues): Promise<Webhook> {
  const [row] = await db<Webhook[]>`
    update webhooks set name = ${values.name}, url = ${values.url}, event_kinds = ${values.eventKinds}, updated_at = now()
    where project_id = ${projectId} and id = ${id} returning ${columns(db)}`
  return row!
}

/** What happened while it was disabled is not sent. */
export async function enableWebhook(db: Tx, projectId: string, id: string): Promise<Webhook> {
  const [row] = await db<Webhook[]>`
    update webhooks set enabled = true, disabled_reason = null, failing_since = null, updated_at = now()
    where project_id = ${projectId} and id = ${id} returning ${columns(db)}`
  return row!
}

export async function disableWebhook(db: Tx, projectId: string, id: string, reason: string | null): Promise<Webhook> {
  const [row] = await db<Webhook[]>`
    update webhooks set enabled = false, disabled_reason = ${reason}, updated_at = now()
    where project_id = ${projectId} and id = ${id} returning ${columns(db)}`
  return row!
}

/** The old secret signs, too, until everybody who checks signatures knows the new one. */
export async function replaceSecret(
  db: Tx,
  projectId: string,
  id: string,
  { sealedSecret, overlapHours }: { sealedSecret: string; overlapHours: number },
): Promise<Webhook> {
  const [row] = await db<Webhook[]>`
    update webhooks set previous_sealed_secret = sealed_secret, sealed_secret = ${sealedSecret}, updated_at = now(),
      previous_secret_until = now() + ${overlapHours}::int * interval '1 hour'
    where project_id = ${projectId} and id = ${id} returning ${columns(db)}`
  return row!
}

export async function deleteWebhook(db: Tx, projectId: string, id: string): Promise<void> {
  await db`delete from webhook_deliveries where project_id = ${projectId} and webhook_id = ${id}`
  await db`delete from webhooks where project_id = ${projectId} and id = ${id}`
}

const deliveryColumns = (db: Db) => db`d.event_id::text as id, e.kind, e.subject_type as "subjectType",
  d.subject_id as "subjectId", e.created_at as "occurredAt", d.status, d.attempts,
  d.next_attempt_at as "nextAttemptAt", d.last_attempt_at as "lastAttemptAt", d.duration_ms as "durationMs",
  d.response_status as "responseStatus", d.response_excerpt as "responseExcerpt", d.error`

interface DeliveryFilter {
  status: DeliveryStatus | undefined
  before: string | undefined
  limit: number
}

/** Newest first. */
export const listDeliveries = (db: Db, projectId: string, webhookId: string, filter: DeliveryFilter) => db<Delivery[]>`
  select ${deliveryColumns(db)}
  from (
    select * from webhook_deliveries
    where project_id = ${projectId} and webhook_id = ${webhookId}
      and (${filter.status ?? null}::text is null or status = ${filter.status ?? null})
      and (${filter.before ?? null}::bigint is null or event_id < ${filter.before ?? null}::bigint)
    order by event_id desc limit ${filter.limit}
  ) d join events e on e.project_id = d.project_id and e.id = d.event_id
  order by d.event_id desc`

/** Sends it again now, with all its retries. Undefined if there is no such delivery. */
export async function requeueDelivery(
  db: Tx,
  projectId: string,
  webhookId: string,
  id: string,
): Promise<Delivery | undefined> {
  const [row] = await db<Delivery[]>`
    with d as (
      update webhook_deliveries set status = 'pending', attempts = 0, next_attempt_at = now(), error = null
      where project_id = ${projectId} and webhook_id = ${webhookId} and event_id = ${id}::bigint returning *)
    select ${deliveryColumns(db)} from d join events e on e.project_id = d.project_id and e.id = d.event_id`
  return row
}

/** What waits for a webhook that stays disabled is forgotten, too. */
export async function forgetOldDeliveries(db: Db): Promise<void> {
  await db`delete from webhook_deliveries where created_at < now() - interval '30 days'`
}

/** Sends nothing more, not even what waits. */
export async function stopWebhooks(db: Db, projectId: string): Promise<void> {
  await db`update webhooks set enabled = false where project_id = ${projectId}`
}
