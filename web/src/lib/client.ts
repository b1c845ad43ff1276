import { createClient, type SessionClient, SlipwayError } from '@slipway/sdk'

export { SlipwayError }

const clients = new Map<string | undefined, SessionClient>()

/** The client of a project, or of none. The browser sends the cookie of the session. */
export function clientOf(projectId?: string): SessionClient {
  const found = clients.get(projectId) ?? createClient({ baseUrl: location.origin, projectId })
  clients.set(projectId, found)
  return found
}
