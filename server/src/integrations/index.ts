import type { Slice } from '../kernel/slice.ts'

/**
 * Servers of tools (MCP) that members connect for their agents: where they are, what they are reached with, and the tools
 * they offer. Who grants which of them to what belongs to those who run agents.
 */
export const integrations: Slice = {
  name: 'integrations',
}

export { checkGrants, describeGrants, type Grant, listIntegrations } from './actions.ts'
export type { Integration } from './integration.ts'
