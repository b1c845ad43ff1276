import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { shownList } from '../../lib/shown-list.ts'
import { agentsQuery, type ConnectedAgent } from './api.ts'

const agents = shownList<ConnectedAgent>(
  (projectId) => agentsQuery(projectId).queryKey,
  ({ id }) => id,
)

export const revokeAgent = defineWrite<ConnectedAgent, unknown>({
  name: 'access.revoke-agent',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.access(callOf(projectId)).revokeAgent(id),
  ...agents.change<ConnectedAgent>(
    (agent) => agent,
    (agent) => ({ ...agent, claims: [], ended_at: new Date().toISOString() }),
  ),
  failure: ({ name }) => `“${name}” is still connected.`,
})
