import type { Call } from './operation.ts'
import { access } from './resources/access.ts'
import { account } from './resources/account.ts'
import { artifacts, ownArtifacts } from './resources/artifacts.ts'
import { automations, ownAutomations } from './resources/automations.ts'
import { blueprints, ownBlueprints } from './resources/blueprints.ts'
import { changes } from './resources/changes.ts'
import { codeHosts } from './resources/code-hosts.ts'
import { connections } from './resources/connections.ts'
import { conversations, ownConversations } from './resources/conversations.ts'
import { feedback } from './resources/feedback.ts'
import { integrations, ownIntegrations } from './resources/integrations.ts'
import { projects } from './resources/projects.ts'
import { ownRequirements, requirements } from './resources/requirements.ts'
import { search } from './resources/search.ts'
import { service } from './resources/service.ts'
import { session } from './resources/session.ts'
import { transfers } from './resources/transfers.ts'
import { users } from './resources/users.ts'
import { webhooks } from './resources/webhooks.ts'
import { ownWorkOrders, workOrders } from './resources/work-orders.ts'
import { type ClientOptions, openSession, type SessionOptions } from './session.ts'
import { createTransport } from './transport.ts'

/** For scripts and agents: a key belongs to one project. */
export interface KeyOptions extends ClientOptions {
  apiKey: string
}

const resources = (call: Call) => ({
  requirements: requirements(call),
  blueprints: blueprints(call),
  workOrders: workOrders(call),
  feedback: feedback(call),
  artifacts: artifacts(call),
  automations: automations(call),
  conversations: conversations(call),
  integrations: integrations(call),
  transfers: transfers(call),
  webhooks: webhooks(call),
  codeHosts: codeHosts(call),
  users: users(call),
  service: service(call),
})

const ownResources = (call: Call) => ({
  ...resources(call),
  conversations: ownConversations(call),
  automations: ownAutomations(call),
  integrations: ownIntegrations(call),
  requirements: ownRequirements(call),
  blueprints: ownBlueprints(call),
  workOrders: ownWorkOrders(call),
  artifacts: ownArtifacts(call),
  session: session(call),
  projects: projects(call),
  account: account(call),
  access: access(call),
  changes: changes(call),
  search: search(call),
  connections: connections(call),
})

export type KeyClient = ReturnType<typeof resources>
export type SessionClient = ReturnType<typeof ownResources>

export function createClient(options: KeyOptions): KeyClient
export function createClient(options: SessionOptions): SessionClient
export function createClient(options: KeyOptions | SessionOptions): KeyClient | SessionClient {
  if (options.apiKey === undefined) return ownResources(openSession(options as SessionOptions))
  const { apiKey, headers, ...rest } = options
  const sent = { ...headers, 'x-api-key': apiKey }
  return resources(createTransport({ ...rest, prefix: '/v2/external-api', headers: sent }))
}

/** `createClient` for those who prefer `new Slipway({ baseUrl, apiKey })`. */
export const Slipway = createClient as unknown as {
  new (options: KeyOptions): KeyClient
  new (options: SessionOptions): SessionClient
}
