import type { Call } from './operation.ts'
import { access } from './resources/access.ts'
import { account } from './resources/account.ts'
import { artifacts, ownArtifacts } from './resources/artifacts.ts'
import { automations, ownAutomations } from './resources/automations.ts'
import { blueprints, ownBlueprints } from './resources/blueprints.ts'
import { changes } from './resources/changes.ts'
import { codeHosts } from './resources/code-hosts.ts'
import { connections } from './resources/connections.ts'
import { conversations, talks } from './resources/conversations.ts'
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
import { createTransport, type TransportOptions } from './transport.ts'

export interface ClientOptions
  extends Pick<TransportOptions, 'baseUrl' | 'timeoutMs' | 'retries' | 'fetch' | 'requestId'> {
  /** Sent with every request. */
  headers?: Record<string, string> | undefined
}

/** For scripts and agents: a key belongs to one project. */
export interface KeyOptions extends ClientOptions {
  apiKey: string
}

/** For the web: the browser sends the cookie of the session. */
export interface SessionOptions extends ClientOptions {
  /** Needed for everything but `session`. */
  projectId?: string | undefined
  apiKey?: undefined
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
  conversations: { ...conversations(call), ...talks(call) },
  automations: { ...automations(call), ...ownAutomations(call) },
  integrations: { ...integrations(call), ...ownIntegrations(call) },
  requirements: { ...requirements(call), ...ownRequirements(call) },
  blueprints: { ...blueprints(call), ...ownBlueprints(call) },
  workOrders: { ...workOrders(call), ...ownWorkOrders(call) },
  artifacts: { ...artifacts(call), ...ownArtifacts(call) },
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
  const { headers = {}, ...rest } = options
  if (options.apiKey !== undefined) {
    const sent = { ...headers, 'x-api-key': options.apiKey }
    return resources(createTransport({ ...rest, prefix: '/v2/external-api', headers: sent }))
  }
  const { projectId } = options as SessionOptions
  const sent = { ...headers, ...(projectId === undefined ? {} : { 'x-project-id': projectId }) }
  return ownResources(createTransport({ ...rest, prefix: '/v2/app-api', headers: sent, projectId }))
}

/** `createClient` for those who prefer `new Slipway({ baseUrl, apiKey })`. */
export const Slipway = createClient as unknown as {
  new (options: KeyOptions): KeyClient
  new (options: SessionOptions): SessionClient
}
