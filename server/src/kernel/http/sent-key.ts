import type { IncomingHttpHeaders } from 'node:http'

/** The key that a request carries, in either of the two headers that may. */
export function sentKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['x-api-key']
  if (typeof key === 'string' && key !== '') return key
  const bearer = headers.authorization
  return bearer && /^bearer /i.test(bearer) ? bearer.slice(7).trim() : undefined
}
