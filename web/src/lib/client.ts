import { createClient, type SessionClient, SlipwayError } from '@slipway/sdk'
import { newRequestId } from './ids.ts'

export { SlipwayError }

const clients = new Map<string | undefined, SessionClient>()

/** A page that goes away can send a request only if the browser carries it on. */
let isLeaving = false
/** Must be called before anything else listens to `pagehide`. */
export function watchLeaving(): void {
  addEventListener('pagehide', () => {
    isLeaving = true
  })
  addEventListener('pageshow', () => {
    isLeaving = false
  })
}

const fetchWhileLeaving: typeof fetch = (url, init) => fetch(url, { ...init, keepalive: isLeaving })

const common = { fetch: fetchWhileLeaving, requestId: newRequestId }

/** The client of a project, or of none. The browser sends the cookie of the session. */
export function clientOf(projectId?: string): SessionClient {
  const found = clients.get(projectId) ?? createClient({ ...common, baseUrl: location.origin, projectId })
  clients.set(projectId, found)
  return found
}
