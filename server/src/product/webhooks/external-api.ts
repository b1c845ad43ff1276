import { operation } from '../../kernel/http/operation.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Data, Empty, Items } from '../../kernel/http/schema.ts'
import * as actions from './actions.ts'
import * as shapes from './schema.ts'
import { presentDelivery, presentWebhook } from './webhook.ts'

const tags = ['Webhooks']
const presentSecret = ({ webhook, secret }: actions.WebhookWithSecret) => ({ webhook: presentWebhook(webhook), secret })

/** Additions to the specification, for admins of the project. */
export function registerWebhookRoutes(face: Face) {
  face.get(
    '/webhooks',
    operation({
      id: 'listWebhooks',
      summary: 'List webhooks',
      description: 'For admins.',
      tags,
      answer: Items(shapes.WebhookShape),
      refuses: [403],
    }),
    async (req) => ({ items: (await actions.listWebhooks(req.ctx)).map(presentWebhook) }),
  )

  face.post(
    '/webhooks',
    operation({
      id: 'addWebhook',
      summary: 'Have events sent to a URL',
      description:
        'For admins. Sends what happens from now on, as [Standard Webhooks](https://www.standardwebhooks.com). The answer is the only place where the secret appears.',
      tags,
      body: shapes.NewWebhookBody,
      answers: { 201: shapes.SecretData },
      showsSecret: true,
      refuses: [409],
    }),
    async (req, reply) => {
      const { name, url, event_kinds: eventKinds = null } = req.body
      const added = await actions.addWebhook(req.ctx, { name: name.trim(), url, eventKinds })
      reply.code(201)
      return { data: presentSecret(added) }
    },
  )

  face.get(
    '/webhooks/:webhook_id',
    operation({
      id: 'getWebhook',
      summary: 'Read a webhook',
      tags,
      params: shapes.WebhookParams,
      answer: shapes.WebhookData,
      refuses: [403],
    }),
    async (req) => ({ data: presentWebhook(await actions.loadWebhook(req.ctx, req.params.webhook_id)) }),
  )

  face.patch(
    '/webhooks/:webhook_id',
    operation({
      id: 'updateWebhook',
      summary: 'Change, enable or disable a webhook',
      tags,
      params: shapes.WebhookParams,
      body: shapes.ChangeWebhookBody,
      answer: shapes.WebhookData,
    }),
    async (req) => {
      const { name, url, event_kinds: eventKinds, enabled } = req.body
      const change = { name: name?.trim(), url, eventKinds, enabled }
      return { data: presentWebhook(await actions.changeWebhook(req.ctx, req.params.webhook_id, change)) }
    },
  )

  face.delete(
    '/webhooks/:webhook_id',
    operation({
      id: 'deleteWebhook',
      summary: 'Delete a webhook and its deliveries',
      tags,
      params: shapes.WebhookParams,
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await actions.removeWebhook(req.ctx, req.params.webhook_id)
      return reply.code(204).send(null)
    },
  )

  face.post(
    '/webhooks/:webhook_id/rotate_secret',
    operation({
      id: 'rotateWebhookSecret',
      summary: 'Replace the secret of a webhook',
      description: 'For 24 hours both secrets sign. The answer is the only place where the new one appears.',
      tags,
      params: shapes.WebhookParams,
      answer: shapes.SecretData,
      showsSecret: true,
      optionalBody: true,
    }),
    async (req) => ({ data: presentSecret(await actions.rotateSecret(req.ctx, req.params.webhook_id)) }),
  )

  face.post(
    '/webhooks/:webhook_id/test',
    operation({
      id: 'testWebhook',
      summary: 'Send a `webhook.ping` to a webhook',
      description: 'Its outcome is among the deliveries.',
      tags,
      params: shapes.WebhookParams,
      answers: { 204: Empty },
      optionalBody: true,
      refuses: [409],
    }),
    async (req, reply) => {
      await actions.pingWebhook(req.ctx, req.params.webhook_id)
      return reply.code(204).send(null)
    },
  )

  face.get(
    '/webhooks/:webhook_id/deliveries',
    operation({
      id: 'listWebhookDeliveries',
      summary: 'List what was sent to a webhook, newest first',
      description: 'Kept for 30 days.',
      tags,
      params: shapes.WebhookParams,
      query: shapes.DeliveryQuery,
      answer: shapes.DeliveryList,
      refuses: [403],
    }),
    async (req) => {
      const { status, before, limit } = req.query
      const found = await actions.listDeliveries(req.ctx, req.params.webhook_id, { status, before, limit })
      return { items: found.map(presentDelivery), next_before: found.length === limit ? found.at(-1)!.id : null }
    },
  )

  face.post(
    '/webhooks/:webhook_id/deliveries/:delivery_id/redeliver',
    operation({
      id: 'redeliverWebhook',
      summary: 'Send an event to a webhook again',
      description: 'At once, with the same `webhook-id` as before.',
      tags,
      params: shapes.DeliveryParams,
      answer: Data(shapes.DeliveryShape),
      optionalBody: true,
      refuses: [409],
    }),
    async (req) => {
      const { webhook_id, delivery_id } = req.params
      return { data: presentDelivery(await actions.redeliver(req.ctx, webhook_id, delivery_id)) }
    },
  )
}
