import type { FastifyReply, FastifyRequest } from 'fastify'
import './request.ts'

/** 1 August 2026, in the form of RFC 9745. */
const SINCE = '@1785542400'

/** Says that what was asked works, but has a better way by now. Call after the answer's own `Link` was set. */
export function markDeprecated(req: FastifyRequest, reply: FastifyReply): void {
  const link = `<${req.ctx.baseUrl}/v2/external-api/openapi.json>; rel="deprecation"; type="application/json"`
  const own = reply.getHeader('link')
  reply.header('deprecation', SINCE).header('link', own ? `${own}, ${link}` : link)
}
