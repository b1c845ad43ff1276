import { hash } from 'node:crypto'

export interface Representation {
  /** The JSON of the thing itself, without an envelope. */
  json: string
  etag: string
}

/**
 * Serialises what a caller sees and tags what comes out: the answer is sent as it was tagged. Reading and the check of
 * `If-Match` use the same function, so their tags are equal exactly if the answers are.
 */
export function represent(shown: object): Representation {
  const json = JSON.stringify(shown)
  return { json, etag: `"${hash('sha1', json, 'base64url')}"` }
}
