import { hash } from 'node:crypto'

/** An answer with a single thing, as it is sent. */
export interface Representation {
  body: string
  etag: string
}

/**
 * Serialises what a caller sees and tags what comes out: the answer is sent as it was tagged. Reading and the check of
 * `If-Match` use the same function, so their tags are equal exactly if the answers are.
 */
export function represent(shown: object): Representation {
  const body = JSON.stringify({ data: shown })
  return { body, etag: `"${hash('sha1', body, 'base64url')}"` }
}
