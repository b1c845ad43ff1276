import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../kernel/context.ts'
import { forProject, type Sql } from '../../kernel/database/index.ts'
import { type AppError, unauthorized } from '../../kernel/errors.ts'
import '../../kernel/http/request.ts'
import { apiKeyOf } from '../../kernel/http/api-key.ts'
import { isWrite } from '../../kernel/http/writes.ts'
import { type RateLimiter, type RateState, rateHeaders } from '../../kernel/rate-limit.ts'
import type { Wiring } from '../../kernel/slice.ts'
import type { Store } from '../../kernel/storage/index.ts'
import { authorizeWrite, type KeyKind, type Keyring } from '../../product/projects/index.ts'

export interface FaceOptions {
  /** The kind of key that this API accepts. */
  kind: KeyKind
  keyring: Pick<Keyring, 'authenticate'>
  limiter: RateLimiter | undefined
  /** Limits what one address may take from a key's minute. Throws 429. */
  limitAddress?: ((keyId: string, ip: string) => void) | undefined
  sql: Sql
  wiring: Wiring
  store: Store
  baseUrl: string
  /** Checks whatever else the API requires of a request. Throws if it refuses. */
  alsoAdmit?: (req: FastifyRequest, reply: FastifyReply, actor: Actor) => void
  /** What a request without a valid key gets. */
  refusal?: (req: FastifyRequest) => AppError
  /** Finds who is signed in, for the routes that a browser opens by itself. */
  findPerson?: (req: FastifyRequest) => Promise<Actor | undefined>
}

/**
 * Authenticates requests with a key: sets `req.ctx.actor` (or throws 401), takes one request from the key's minute
 * (429), and refuses writes by viewers before the body is read (403). Creates no promise while the key and its
 * allowance are in memory.
 */
export function authenticateKeys(
  scope: FastifyInstance,
  { kind, keyring, limiter, limitAddress, sql, wiring, store, baseUrl, ...more }: FaceOptions,
): void {
  const { alsoAdmit, refusal = unauthorized, findPerson } = more

  function charge(req: FastifyRequest, { projectId, keyId }: Actor) {
    if (keyId === null) return undefined
    limitAddress?.(keyId, req.ip)
    return limiter?.take({ projectId, keyId })
  }

  function authenticate(req: FastifyRequest) {
    const key = apiKeyOf(req.headers)
    if (key !== undefined) return keyring.authenticate(key, kind)
    return req.routeOptions.config.opensInBrowser ? findPerson?.(req) : undefined
  }

  function admit(req: FastifyRequest, reply: FastifyReply, actor: Actor, rate: RateState | undefined) {
    if (rate) reply.headers(rateHeaders(rate))
    const ifMatch = req.headers['if-match']
    const db = forProject(sql, actor.projectId)
    req.ctx = { db, actor, requestId: req.id, log: req.log, wiring, store, baseUrl, ifMatch }
    alsoAdmit?.(req, reply, actor)
    if (isWrite(req)) authorizeWrite(actor)
  }

  async function admitSlowly(
    req: FastifyRequest,
    reply: FastifyReply,
    found: Actor | undefined | Promise<Actor | undefined>,
  ) {
    const actor = await found
    if (!actor) throw refusal(req)
    admit(req, reply, actor, await charge(req, actor))
  }

  scope.addHook('onRequest', (req, reply, done) => {
    try {
      const actor = authenticate(req)
      if (actor === undefined) throw refusal(req)
      const rate = actor instanceof Promise ? undefined : charge(req, actor)
      if (actor instanceof Promise) admitSlowly(req, reply, actor).then(() => done(), done)
      else if (rate instanceof Promise) rate.then((state) => admit(req, reply, actor, state)).then(() => done(), done)
      else {
        admit(req, reply, actor, rate)
        done()
      }
    } catch (err) {
      done(err as Error)
    }
  })
}
