import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { shownList } from '../lib/shown-list.ts'
import { type ApiKey, keysQuery } from './api.ts'

/*
 * Who may call or report never waits for a connection: access that changes hours later would surprise everyone.
 */

const keys = shownList<ApiKey>(
  (projectId) => keysQuery(projectId).queryKey,
  ({ id }) => id,
)

type NewKey = Parameters<ReturnType<typeof api.access>['addKey']>[0]

export const addKey = defineWrite<NewKey, { id: string; key: string }>({
  name: 'access.add-key',
  waits: false,
  about: () => ({ subjects: [] }),
  send: async (body, { projectId, key }) =>
    (await api.access(callOf(projectId)).addKey(body, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => keys.reload(projectId),
})

export const rotateKey = defineWrite<ApiKey, { id: string; key: string }>({
  name: 'access.rotate-key',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id }, { projectId, key }) =>
    (await api.access(callOf(projectId)).rotateKey(id, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => keys.reload(projectId),
})

export const revokeKey = defineWrite<ApiKey, unknown>({
  name: 'access.revoke-key',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.access(callOf(projectId)).revokeKey(id),
  ...keys.change<ApiKey>(
    (key) => key,
    (key) => ({ ...key, revoked_at: new Date().toISOString() }),
  ),
  failure: ({ name }) => `The key “${name}” still works.`,
})

interface Origins {
  key: ApiKey
  origins: string[] | null
}

export const setOrigins = defineWrite<Origins, unknown>({
  name: 'access.key-origins',
  waits: false,
  about: ({ key }) => ({ subjects: [key.id] }),
  send: ({ key, origins }, { projectId }) =>
    api.access(callOf(projectId)).setKeyOrigins(key.id, { allowed_origins: origins }),
  ...keys.change<Origins>(
    ({ key }) => key,
    ({ key, origins }) => ({ ...key, allowed_origins: origins }),
  ),
})
