import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'
import { shownList } from '../../lib/shown-list.ts'
import {
  type CodeHost,
  codeHostsQuery,
  deliveriesQuery,
  type Webhook,
  type WebhookDelivery,
  webhooksQuery,
} from './api.ts'

/*
 * Where events go, and what comes in, is access: it changes now or not at all.
 */

const webhooks = shownList<Webhook>(
  (projectId) => webhooksQuery(projectId).queryKey,
  ({ id }) => id,
)
const codeHosts = shownList<CodeHost>(
  (projectId) => codeHostsQuery(projectId).queryKey,
  ({ id }) => id,
)

type WebhookValues = Parameters<ReturnType<typeof api.webhooks>['add']>[0]
type HostValues = Parameters<ReturnType<typeof api.codeHosts>['add']>[0]

export const addWebhook = defineWrite<WebhookValues, { webhook: Webhook; secret: string }>({
  name: 'hooks.add-webhook',
  waits: false,
  about: () => ({ subjects: [] }),
  send: async (values, { projectId, key }) =>
    (await api.webhooks(callOf(projectId)).add(values, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => webhooks.reload(projectId),
})

export const changeWebhook = defineWrite<{ webhook: Webhook; values: WebhookValues }, undefined>({
  name: 'hooks.change-webhook',
  waits: false,
  about: ({ webhook }) => ({ subjects: [webhook.id] }),
  send: async ({ webhook, values }, { projectId }) =>
    void (await api.webhooks(callOf(projectId)).update(webhook.id, values)),
  saved: (_, __, { projectId }) => webhooks.reload(projectId),
})

export const switchWebhook = defineWrite<Webhook, unknown>({
  name: 'hooks.switch-webhook',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id, enabled }, { projectId }) => api.webhooks(callOf(projectId)).update(id, { enabled: !enabled }),
  ...webhooks.change<Webhook>(
    (one) => one,
    (one) => ({ ...one, enabled: !one.enabled, disabled_reason: null }),
  ),
  failure: ({ name, enabled }) => `“${name}” is still ${enabled ? 'enabled' : 'disabled'}.`,
})

export const deleteWebhook = defineWrite<Webhook, unknown>({
  name: 'hooks.delete-webhook',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.webhooks(callOf(projectId)).delete(id),
  ...webhooks.change<Webhook>(
    (one) => one,
    () => null,
  ),
  failure: ({ name }) => `The webhook “${name}” is still there.`,
})

export const testWebhook = defineWrite<Webhook, unknown>({
  name: 'hooks.test-webhook',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId, key }) => api.webhooks(callOf(projectId)).test(id, { idempotencyKey: key }),
})

export const rotateWebhookSecret = defineWrite<Webhook, { secret: string }>({
  name: 'hooks.rotate-webhook',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id }, { projectId, key }) =>
    (await api.webhooks(callOf(projectId)).rotateSecret(id, { idempotencyKey: key })).data,
})

export const redeliver = defineWrite<{ webhook: Webhook; delivery: WebhookDelivery }, unknown>({
  name: 'hooks.redeliver',
  waits: false,
  about: ({ delivery }) => ({ subjects: [delivery.id] }),
  send: ({ webhook, delivery }, { projectId, key }) =>
    api.webhooks(callOf(projectId)).redeliver(webhook.id, delivery.id, { idempotencyKey: key }),
  saved: (_, { webhook }, { projectId }) =>
    void queryClient.invalidateQueries({ queryKey: deliveriesQuery(projectId, webhook.id).queryKey }),
  failure: () => 'It was not sent again.',
})

export const addCodeHost = defineWrite<HostValues, { code_host: CodeHost; secret: string }>({
  name: 'hooks.add-code-host',
  waits: false,
  about: () => ({ subjects: [] }),
  send: async (values, { projectId, key }) =>
    (await api.codeHosts(callOf(projectId)).add(values, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => codeHosts.reload(projectId),
})

export const changeCodeHost = defineWrite<{ host: CodeHost; values: Omit<HostValues, 'kind'> }, undefined>({
  name: 'hooks.change-code-host',
  waits: false,
  about: ({ host }) => ({ subjects: [host.id] }),
  send: async ({ host, values }, { projectId }) =>
    void (await api.codeHosts(callOf(projectId)).update(host.id, values)),
  saved: (_, __, { projectId }) => codeHosts.reload(projectId),
})

export const deleteCodeHost = defineWrite<CodeHost, unknown>({
  name: 'hooks.delete-code-host',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.codeHosts(callOf(projectId)).delete(id),
  ...codeHosts.change<CodeHost>(
    (one) => one,
    () => null,
  ),
  failure: ({ name }) => `“${name}” is still listened to.`,
})

export const rotateHostSecret = defineWrite<CodeHost, { code_host: CodeHost; secret: string }>({
  name: 'hooks.rotate-code-host',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id }, { projectId, key }) =>
    (await api.codeHosts(callOf(projectId)).rotateSecret(id, { idempotencyKey: key })).data,
})
