import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { conflict, invalid, notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import { seal } from '../../kernel/sealing.ts'
import { generateSigningSecret } from '../../kernel/standard-webhooks.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { webhookEvents } from './events.ts'
import { authorizeWebhooks } from './policy.ts'
import * as queries from './queries.ts'
import { webhookSettings } from './settings.ts'
import { DELIVER, type Delivery, faultsOfKinds, faultsOfUrl, type Webhook, webhookDisabled } from './webhook.ts'

const MAX_WEBHOOKS = 50
const OVERLAP_HOURS = 24

export interface WebhookWithSecret {
  webhook: Webhook
  /** Cannot be seen again. */
  secret: string
}

export function listWebhooks(ctx: Ctx): Promise<Webhook[]> {
  authorizeWebhooks(ctx.actor)
  return queries.listWebhooks(ctx.db, ctx.actor.projectId)
}

export async function loadWebhook(ctx: Ctx, id: string): Promise<Webhook> {
  authorizeWebhooks(ctx.actor)
  const webhook = await queries.findWebhook(ctx.db, ctx.actor.projectId, id)
  if (!webhook) throw notFound('webhook', id)
  return webhook
}

async function lockWebhook(ctx: TxCtx, id: string): Promise<Webhook> {
  authorizeWebhooks(ctx.actor)
  const webhook = await queries.lockWebhook(ctx.db, ctx.actor.projectId, id)
  if (!webhook) throw notFound('webhook', id)
  return webhook
}

export interface WebhookChange {
  name?: string | undefined
  url?: string | undefined
  eventKinds?: string[] | null | undefined
  enabled?: boolean | undefined
}

function refuseFaulty(ctx: Ctx, { url, eventKinds }: WebhookChange): void {
  const { settings, events } = ctx.wiring
  const { privateHosts } = settings.of(webhookSettings)
  const faults = [
    ...(url === undefined ? [] : faultsOfUrl(url, privateHosts)),
    ...faultsOfKinds(events, eventKinds ?? []),
  ]
  if (faults.length > 0) throw invalid(faults)
}

export async function addWebhook(ctx: Ctx, wanted: queries.WebhookValues): Promise<WebhookWithSecret> {
  authorizeWebhooks(ctx.actor)
  refuseFaulty(ctx, wanted)
  const id = uuidv7()
  const secret = generateSigningSecret()
  const sealedSecret = seal(await ctx.wiring.settings.secretKey(), id, secret)
  const webhook = await inTransaction(ctx, async (ctx) => {
    const { projectId, userId } = ctx.actor
    if ((await queries.countWebhooks(ctx.db, projectId)) >= MAX_WEBHOOKS)
      throw conflict('too_many_webhooks', `A project has at most ${MAX_WEBHOOKS} webhooks. Remove one first.`)
    const added = await queries.insertWebhook(ctx.db, projectId, { ...wanted, id, sealedSecret, createdBy: userId })
    await recordWebhook(ctx, 'created', added)
    return added
  })
  return { webhook, secret }
}

export function changeWebhook(ctx: Ctx, id: string, change: WebhookChange): Promise<Webhook> {
  return inTransaction(ctx, async (ctx) => {
    const before = await lockWebhook(ctx, id)
    refuseFaulty(ctx, change)
    const { projectId } = ctx.actor
    const { name = before.name, url = before.url, eventKinds = before.eventKinds } = change
    let after = await queries.updateWebhook(ctx.db, projectId, id, { name, url, eventKinds })
    if (change.enabled === true && !before.enabled) {
      after = await queries.enableWebhook(ctx.db, projectId, id)
      await enqueue(ctx.db, DELIVER, [{ projectId, webhookId: id }])
    }
    if (change.enabled === false && before.enabled) after = await queries.disableWebhook(ctx.db, projectId, id, null)
    await recordWebhook(ctx, after.enabled || !before.enabled ? 'updated' : 'disabled', after)
    return after
  })
}

/** For deliveries that fail for good. The reason is shown. */
export function disableFailing(ctx: Ctx, id: string, reason: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.lockWebhook(ctx.db, ctx.actor.projectId, id)
    if (!before?.enabled) return
    const after = await queries.disableWebhook(ctx.db, ctx.actor.projectId, id, reason)
    await recordWebhook(ctx, 'disabled', after)
  })
}

export function removeWebhook(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const webhook = await lockWebhook(ctx, id)
    await queries.deleteWebhook(ctx.db, ctx.actor.projectId, id)
    await recordWebhook(ctx, 'deleted', webhook)
  })
}

export async function rotateSecret(ctx: Ctx, id: string): Promise<WebhookWithSecret> {
  const secret = generateSigningSecret()
  const sealedSecret = seal(await ctx.wiring.settings.secretKey(), id, secret)
  const webhook = await inTransaction(ctx, async (ctx) => {
    await lockWebhook(ctx, id)
    const values = { sealedSecret, overlapHours: OVERLAP_HOURS }
    const after = await queries.replaceSecret(ctx.db, ctx.actor.projectId, id, values)
    await recordWebhook(ctx, 'secret_rotated', after)
    return after
  })
  return { webhook, secret }
}

/** Records an event that only this webhook receives, whatever events it subscribes to. */
export function pingWebhook(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const webhook = await lockWebhook(ctx, id)
    if (!webhook.enabled) throw webhookDisabled(webhook.name)
    await recordWebhook(ctx, 'ping', webhook)
  })
}

export async function listDeliveries(
  ctx: Ctx,
  webhookId: string,
  filter: Parameters<typeof queries.listDeliveries>[3],
): Promise<Delivery[]> {
  const { id } = await loadWebhook(ctx, webhookId)
  return queries.listDeliveries(ctx.db, ctx.actor.projectId, id, filter)
}

export function redeliver(ctx: Ctx, webhookId: string, id: string): Promise<Delivery> {
  return inTransaction(ctx, async (ctx) => {
    const webhook = await lockWebhook(ctx, webhookId)
    if (!webhook.enabled) throw webhookDisabled(webhook.name)
    const delivery = await queries.requeueDelivery(ctx.db, ctx.actor.projectId, webhookId, id)
    if (!delivery) throw notFound('delivery', id)
    await enqueue(ctx.db, DELIVER, [{ projectId: ctx.actor.projectId, webhookId }])
    return delivery
  })
}

async function recordWebhook(ctx: TxCtx, what: keyof typeof webhookEvents, webhook: Webhook): Promise<void> {
  const { id, name, url, enabled, disabledReason } = webhook
  const payload = { name, host: new URL(url).host, enabled, disabled_reason: disabledReason }
  await recordEvent(ctx, webhookEvents[what](id, payload))
}
