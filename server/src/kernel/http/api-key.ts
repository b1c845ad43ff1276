import type { IncomingHttpHeaders } from 'node:http'

/** Returns the API key of a request, from either of the two headers that may carry it. */
export function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key']
  if (typeof key === 'string' && key !== '') return key
  const bearer = headers.authorization
  return bearer && /^bearer /i.test(bearer) ? bearer.slice(7).trim() : undefined
}
