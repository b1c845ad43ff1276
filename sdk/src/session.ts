import type { Call } from './operation.ts'
import { createTransport, type TransportOptions } from './transport.ts'

export interface ClientOptions
  extends Pick<TransportOptions, 'baseUrl' | 'timeoutMs' | 'retries' | 'fetch' | 'requestId'> {
  /** Sent with every request. */
  headers?: Record<string, string> | undefined
}

/** For the web: the browser sends the cookie of the session. */
export interface SessionOptions extends ClientOptions {
  /** Needed for everything but `session`. */
  projectId?: string | undefined
  apiKey?: undefined
}

/** For programs that are loaded in parts, each with the resources that it uses: `workOrders(openSession({ projectId }))`. */
export function openSession({ projectId, headers, apiKey: _, ...rest }: SessionOptions): Call {
  const sent = { ...headers, ...(projectId === undefined ? {} : { 'x-project-id': projectId }) }
  return createTransport({ ...rest, prefix: '/v2/app-api', headers: sent, projectId })
}
