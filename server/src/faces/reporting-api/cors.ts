import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor } from '../../kernel/context.ts'
import { forbidden, quoted } from '../../kernel/errors.ts'

const ALLOWED_HEADERS = 'X-API-Key, Authorization, Content-Type, Idempotency-Key, X-Request-Id, X-Sofa-Active-Org-Id'
const EXPOSED_HEADERS =
  'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Idempotency-Replayed, X-Ignored-Fields'
const REMEMBER_SECONDS = 7_200

/**
 * Lets pages of other origins call this API. A browser sends a preflight before it sends the key, so preflights need no
 * key. Whether the page may use the key is decided once the key is there.
 */
export function allowOtherOrigins(scope: FastifyInstance): void {
  scope.addHook('onRequest', (req, reply, done) => {
    reply.header('vary', 'Origin').header('cross-origin-resource-policy', 'cross-origin')
    const { origin } = req.headers
    if (origin !== undefined)
      reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS })
    if (!isPreflight(req)) return done()
    reply
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': REMEMBER_SECONDS,
      })
      .code(204)
      .send()
  })
}

const isPreflight = (req: FastifyRequest) =>
  req.method === 'OPTIONS' &&
  req.headers.origin !== undefined &&
  req.headers['access-control-request-method'] !== undefined

/** Refuses pages that the key does not allow. A request without `Origin` does not come from a page. */
export function refuseOtherPages(req: FastifyRequest, reply: FastifyReply, { allowedOrigins }: Actor): void {
  const { origin } = req.headers
  if (origin === undefined || allowedOrigins === undefined || allowedOrigins.includes(origin)) return
  reply.removeHeader('access-control-allow-origin')
  throw forbidden(
    'origin_not_allowed',
    `This key may not be used by pages of ${quoted(origin)}. Use it on one of its allowed origins, or make a key for this one.`,
  )
}
