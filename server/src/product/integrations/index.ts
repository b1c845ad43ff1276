import type { Slice } from '../../kernel/slice.ts'
import { registerOwnIntegrationRoutes } from './app-api.ts'
import { integrationEvents } from './events.ts'
import { registerIntegrationRoutes } from './external-api.ts'
import { integrationSettings } from './settings.ts'

/**
 * MCP servers that members connect for their agents: their addresses, credentials and tools. The slices that run agents
 * decide which are granted to what.
 */
export const integrations: Slice = {
  name: 'integrations',
  events: [integrationEvents],
  settings: integrationSettings,
  externalApi: registerIntegrationRoutes,
  appApi: registerOwnIntegrationRoutes,
}

export {
  addIntegration,
  checkGrants,
  describeGrants,
  type Grant,
  listIntegrations,
  type NewIntegration,
  removeIntegration,
} from './actions.ts'
export type { OpenIntegration } from './client.ts'
export { recordCall } from './connecting.ts'
export { openGranted } from './granted.ts'
export { type Integration, IntegrationFailure, presentIntegration } from './integration.ts'
export { movedIntegrations } from './moved.ts'
export { listAll as listAllIntegrations } from './queries.ts'
