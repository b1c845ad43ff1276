import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { forProject, type Sql } from '../../kernel/database/index.ts'
import { AppError, forbidden, invalid, notFound } from '../../kernel/errors.ts'
import { apiKeyOf } from '../../kernel/http/api-key.ts'
import { isUuid } from '../../kernel/uuid.ts'
import '../../kernel/http/request.ts'
import { isWrite } from '../../kernel/http/writes.ts'
import { type RateLimiter, rateHeaders } from '../../kernel/rate-limit.ts'
import type { Wiring } from '../../kernel/slice.ts'
import type { Store } from '../../kernel/storage/index.ts'
import { authorizeWrite, findMemberActor } from '../../product/projects/index.ts'
import type { Sessions, SignedIn } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    signedIn: SignedIn | undefined
  }
}

interface FaceOptions {
  sessions: Sessions
  limiter: RateLimiter | undefined
  sql: Sql
  wiring: Wiring
  store: Store
  baseUrl: string
}

export const signInNeeded = () => new AppError(401, 'not_signed_in', 'Sign in first, with POST /v2/app-api/session.')

/**
 * Authenticates requests of people: the session cookie and `X-Project-Id` become `req.ctx.actor`. Refuses requests from
 * pages of other sites first. Then takes one request from the user's minute (429) and refuses writes by viewers (403).
 */
export function authenticateSession(
  scope: FastifyInstance,
  { sessions, limiter, sql, wiring, store, baseUrl }: FaceOptions,
): void {
  scope.decorateRequest('signedIn', undefined)
  scope.addHook('onRequest', async (req, reply) => {
    refuseOtherSites(req, baseUrl)
    if (req.is404 || req.routeOptions.config.withoutProject) return
    const person = await sessions.find(req.headers.cookie)
    // Texts of earlier versions name pictures and files with this path, and keys read those texts too.
    if (!person && req.routeOptions.config.opensInBrowser && apiKeyOf(req.headers) !== undefined)
      return reply.redirect(req.url.replace('/app-api/', '/external-api/'), 307)
    if (!person) throw signInNeeded()
    req.signedIn = person
    const rate = await limiter?.take({ projectId: NO_PROJECT, keyId: person.userId })
    if (rate) reply.headers(rateHeaders(rate))
    if (req.routeOptions.config.ofPerson) return
    const projectId = projectOf(req)
    const actor = await findMemberActor(sql, projectId.toLowerCase(), person.userId, 'user')
    if (!actor) throw notFound('project', projectId)
    req.ctx = {
      db: forProject(sql, actor.projectId),
      actor,
      requestId: req.id,
      log: req.log,
      wiring,
      store,
      baseUrl,
      linkTo: (path) => `${baseUrl}/v2/app-api${path}?project_id=${actor.projectId}`,
      ifMatch: req.headers['if-match'],
    }
    if (isWrite(req)) authorizeWrite(actor)
  })
}

/** Addresses that a browser opens by itself, such as those of pictures and streams, name the project in the query. */
function projectOf(req: FastifyRequest): string {
  const reads = req.method === 'GET' || req.method === 'HEAD'
  const named = req.headers['x-project-id'] ?? (reads ? (req.query as Record<string, unknown>).project_id : undefined)
  if (typeof named === 'string' && isUuid(named)) return named
  throw invalid([{ pointer: '/X-Project-Id', detail: 'The header "X-Project-Id" must name a project by its id.' }])
}

/** A user has one allowance for all their projects. */
const NO_PROJECT = '00000000-0000-0000-0000-000000000000'

/** Complements the cookie's `SameSite`: browsers say where a request comes from, and pages cannot change that. */
function refuseOtherSites(req: FastifyRequest, baseUrl: string): void {
  if (req.method === 'GET' || req.method === 'HEAD') return
  const { origin, 'sec-fetch-site': site } = req.headers
  const isOwn =
    origin === undefined
      ? site === undefined || site === 'same-origin' || site === 'none'
      : isOwnOrigin(req.headers, baseUrl)
  if (!isOwn)
    throw forbidden('other_site', 'This request comes from a page of another site. Send it from Slipway itself.')
}

/** True if the page that sends a request was served by us. False without an origin. */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders, baseUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false
  return origin === new URL(baseUrl).origin || new URL(origin).host === host
}
