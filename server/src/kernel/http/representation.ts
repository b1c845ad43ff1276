import { hash } from 'node:crypto'
import fastJson from 'fast-json-stringify'
import type { TSchema } from 'typebox'

export interface Representation {
  /** The JSON of the thing itself, without an envelope. */
  json: string
  etag: string
}

/**
 * Serialises by a schema and tags what comes out, in one pass over the thing: the answer is sent as it was tagged. Reading
 * and the check of `If-Match` use the same function, so their tags are equal exactly if the answers are.
 */
export function representationOf<T>(shape: TSchema): (thing: T) => Representation {
  const serialize = fastJson(shape as object)
  return (thing) => {
    const json = serialize(thing)
    return { json, etag: `"${hash('sha1', json, 'base64url')}"` }
  }
}
