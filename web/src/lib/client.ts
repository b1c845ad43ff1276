import { createClient, type SessionClient, SlipwayError } from '@slipway/sdk'
import { newRequestId } from './ids.ts'

export { SlipwayError }

const clients = new Map<string | undefined, SessionClient>()

const fetchNamed: typeof fetch = (url, init) =>
  fetch(url, { ...init, headers: { ...(init?.headers as Record<string, string>), 'x-request-id': newRequestId() } })

/** The client of a project, or of none. The browser sends the cookie of the session. */
export function clientOf(projectId?: string): SessionClient {
  const found = clients.get(projectId) ?? createClient({ baseUrl: location.origin, projectId, fetch: fetchNamed })
  clients.set(projectId, found)
  return found
}
