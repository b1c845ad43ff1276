import type { Ctx } from '../context.ts'
import type { BodyMemory } from './bodies/budget.ts'
import type { Deadlines } from './bodies/deadlines.ts'

export type { Face } from './face.ts'

declare module 'fastify' {
  interface FastifyRequest {
    ctx: Ctx
    /** A key in the store that no row references yet. */
    storedKey: string | undefined
    /** The result of processing the body before an `Idempotency-Key` opens a transaction. */
    prepared: unknown
    /** What the body occupies. Undefined before it is read. */
    bodyMemory: BodyMemory | undefined
    /** Whose share of the memory for bodies this one takes, if not that of the project. */
    bodyHolder: string | undefined
  }
  interface FastifyInstance {
    bodyDeadlines: Deadlines
    /** The largest file that the installation takes. */
    uploadLimitBytes: number
  }
  interface FastifyContextConfig {
    /**
     * A POST that only reads, such as a search. Viewers may call it, and its response is not stored under an
     * `Idempotency-Key`.
     */
    reads?: boolean
    /** The response holds a secret that is shown once, so it is not stored under an `Idempotency-Key` either. */
    showsSecret?: boolean
    /** It waits for other servers, so it runs in no transaction, and a repetition is done again. */
    callsOthers?: boolean
    /** A GET whose response depends only on the project and the URL. */
    sharedRead?: boolean
    /** Takes a form (`application/x-www-form-urlencoded`) besides JSON. */
    form?: boolean
    /** An absent body counts as `{}`. */
    optionalBody?: boolean
    /** Nobody needs a key, so requests count towards what their address may ask for without one. */
    anonymous?: boolean
    /** In the API for people: concerns no project, and nobody needs to be signed in. */
    withoutProject?: boolean
    /** In the API for people: concerns the person who is signed in, not a project. */
    ofPerson?: boolean
    /** In the API for keys: a GET that also serves people who are signed in, because texts refer to it. */
    opensInBrowser?: boolean
    /** The response carries an ETag, and a write accepts `If-Match`. */
    etag?: boolean
    /** Accepts `multipart/form-data` with a `file`. The value is the prefix of its storage key. */
    upload?: string
    /** The maximum file size of this route, if lower than that of the server. */
    uploadLimitBytes?: number
    /** The schemas of the events that a stream sends, by their names. */
    streams?: Record<string, object>
    /** Error statuses beyond the common ones, for the OpenAPI document. */
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
