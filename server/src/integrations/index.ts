import type { Slice } from '../kernel/slice.ts'
import { registerOwnIntegrationRoutes } from './app-api.ts'
import { registerIntegrationRoutes } from './external-api.ts'
import { integrationSettings } from './settings.ts'

/**
 * Servers of tools (MCP) that members connect for their agents: where they are, what they are reached with, and the tools
 * they offer. Who grants which of them to what belongs to those who run agents.
 */
export const integrations: Slice = {
  name: 'integrations',
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
export { openGranted } from './granted.ts'
export { type Integration, IntegrationFailure, presentIntegration } from './integration.ts'
export { listAll as listAllIntegrations } from './queries.ts'
