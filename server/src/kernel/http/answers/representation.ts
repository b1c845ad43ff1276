import { hash } from 'node:crypto'
import serializers from '@fastify/fast-json-stringify-compiler'
import type { Static, TObject, TSchema } from 'typebox'

/** A response with a single resource. */
export interface Representation {
  body: string
  etag: string
}

const compile = serializers()({}, {})

/**
 * Returns a function that serializes a resource by its schema and tags the result. The response sends exactly these bytes.
 * Reads and the `If-Match` check use this function, so their tags are equal exactly if the responses are.
 */
export function representing<T extends TSchema>(schema: TObject<{ data: T }>) {
  let serialize: ((answer: { data: Static<T> }) => string) | undefined
  return (data: Static<T>): Representation => {
    serialize ??= compile({ schema } as Parameters<typeof compile>[0])
    const body = serialize({ data })
    return { body, etag: `"${hash('sha1', body, 'base64url')}"` }
  }
}
