import { hash } from 'node:crypto'

/** A response with a single resource. */
export interface Representation {
  body: string
  etag: string
}

/**
 * Serializes a resource and tags the result. The response sends exactly these bytes. Reads and the `If-Match` check use
 * this function, so their tags are equal exactly if the responses are.
 */
export function represent(shown: object): Representation {
  const body = JSON.stringify({ data: shown })
  return { body, etag: `"${hash('sha1', body, 'base64url')}"` }
}
