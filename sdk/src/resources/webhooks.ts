import * as op from '../generated/operations/webhooks.ts'
import type { Body, Call, Options, Query, Schemas } from '../operation.ts'

export type Webhook = Schemas['Webhook']
export type WebhookDelivery = Schemas['WebhookDelivery']

export const webhooks = (call: Call) => ({
  /** List webhooks. */
  list: (options?: Options) => call(op.listWebhooks, {}, options),
  /** Have events sent to a URL. The secret is shown once. */
  add: (body: Body<'addWebhook'>, options?: Options) => call(op.addWebhook, { body }, options),
  /** Read a webhook. */
  get: (id: string, options?: Options) => call(op.getWebhook, { path: { webhook_id: id } }, options),
  /** Change, enable or disable a webhook. */
  update: (id: string, body: Body<'updateWebhook'>, options?: Options) =>
    call(op.updateWebhook, { path: { webhook_id: id }, body }, options),
  /** Delete a webhook and its deliveries. */
  delete: (id: string, options?: Options) => call(op.deleteWebhook, { path: { webhook_id: id } }, options),
  /** Replace the secret. For 24 hours both sign. */
  rotateSecret: (id: string, options?: Options) => call(op.rotateWebhookSecret, { path: { webhook_id: id } }, options),
  /** Send a `webhook.ping`. */
  test: (id: string, options?: Options) => call(op.testWebhook, { path: { webhook_id: id } }, options),
  /** List what was sent, newest first. */
  listDeliveries: (id: string, query: Query<'listWebhookDeliveries'> = {}, options?: Options) =>
    call(op.listWebhookDeliveries, { path: { webhook_id: id }, query }, options),
  /** Send an event again. */
  redeliver: (id: string, deliveryId: string, options?: Options) =>
    call(op.redeliverWebhook, { path: { webhook_id: id, delivery_id: deliveryId } }, options),
})
