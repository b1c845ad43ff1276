import { access } from './access.ts'
import { account } from './account.ts'
import { artifacts } from './artifacts.ts'
import { automations, ownAutomations } from './automations.ts'
import { blueprints, ownBlueprints } from './blueprints.ts'
import { changes } from './changes.ts'
import { codeHosts } from './code-hosts.ts'
import { connections } from './connections.ts'
import { conversations, talks } from './conversations.ts'
import { feedback } from './feedback.ts'
import { integrations, ownIntegrations } from './integrations.ts'
import type { Call } from './operation.ts'
import { projects } from './projects.ts'
import { ownRequirements, requirements } from './requirements.ts'
import { search } from './search.ts'
import { service } from './service.ts'
import { session } from './session.ts'
import { transfers } from './transfers.ts'
import { createTransport, type TransportOptions } from './transport.ts'
import { users } from './users.ts'
import { webhooks } from './webhooks.ts'
import { ownWorkOrders, workOrders } from './work-orders.ts'

export interface ClientOptions extends Pick<TransportOptions, 'baseUrl' | 'timeoutMs' | 'retries' | 'fetch'> {
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
