import { type Call, openSession, SlipwayError } from '@slipway/sdk'
import { newRequestId } from './ids.ts'

export { SlipwayError }

const calls = new Map<string | undefined, Call>()

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

/**
 * Sends requests about a project, or about none, with the cookie of the session: `workOrders(callOf(projectId)).list()`. Each
 * module names the resources that it uses, so only those are loaded with it.
 */
export function callOf(projectId?: string): Call {
  const found = calls.get(projectId) ?? openSession({ ...common, baseUrl: location.origin, projectId })
  calls.set(projectId, found)
  return found
}
