import type { Ctx } from '../context.ts'

export type { Face } from './face.ts'

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Ctx
    /** Bytes in the store that no row names yet. */
    storedKey: string | undefined
    /** What a route made of its body before an `Idempotency-Key` opened a transaction. */
    prepared: unknown
  }
  interface FastifyContextConfig {
    /** A POST that only reads, such as a search: viewers may call it, and its answer is not stored under an `Idempotency-Key`. */
    reads?: boolean
    /** A GET whose answer depends on nothing but the project and the URL. */
    sharedRead?: boolean
    /** No body counts as `{}`. */
    optionalBody?: boolean
    /** In the face for people: about who is signed in, not about a project. */
    withoutProject?: boolean
    /** The answer carries an ETag; a write takes `If-Match`. */
    etag?: boolean
    /** Takes `multipart/form-data` with a `file`; the value is the first part of the keys that its bytes get. */
    upload?: string
    /** The largest file that this route takes, where it is less than the server's. */
    uploadLimitBytes?: number
    /** What a stream of events sends: the shape of each event's data, by its name. */
    streams?: Record<string, object>
    /** Refusals beyond those that every such operation can give, for the OpenAPI document. */
    refuses?: number[]
  }
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
    deprecated?: boolean
  }
}
