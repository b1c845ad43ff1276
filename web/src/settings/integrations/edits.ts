import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { shownList } from '../../lib/shown-list.ts'
import { integrationsQuery, type ShownIntegration } from './api.ts'

const integrations = shownList<ShownIntegration>(
  (projectId) => integrationsQuery(projectId).queryKey,
  ({ id }) => id,
)

type Connecting = Parameters<ReturnType<typeof api.integrations>['connect']>[0]
const reload = (_: unknown, __: unknown, { projectId }: { projectId: string }) => integrations.reload(projectId)

export const connectIntegration = defineWrite<Connecting, unknown>({
  name: 'integrations.connect',
  waits: false,
  about: () => ({ subjects: [] }),
  send: (values, { projectId, key }) => api.integrations(callOf(projectId)).connect(values, { idempotencyKey: key }),
  saved: reload,
})

export const testIntegration = defineWrite<ShownIntegration, unknown>({
  name: 'integrations.test',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id }, { projectId, key }) => {
    // How it went is in the list, also if it failed.
    try {
      return await api.integrations(callOf(projectId)).test(id, { idempotencyKey: key })
    } finally {
      integrations.reload(projectId)
    }
  },
})

export const reconnectIntegration = defineWrite<{ integration: ShownIntegration; token: string }, unknown>({
  name: 'integrations.reconnect',
  waits: false,
  about: ({ integration }) => ({ subjects: [integration.id] }),
  send: ({ integration, token }, { projectId }) =>
    api.integrations(callOf(projectId)).reconnect(integration.id, { token: token || null }),
  saved: reload,
})

export const removeIntegration = defineWrite<ShownIntegration, unknown>({
  name: 'integrations.remove',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.integrations(callOf(projectId)).remove(id),
  ...integrations.change<ShownIntegration>(
    (one) => one,
    () => null,
  ),
  failure: ({ display_name }) => `“${display_name}” is still connected.`,
})
