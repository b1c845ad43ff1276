import type { FastifyReply, FastifyRequest } from 'fastify'
import { linkTo } from './links.ts'
import './request.ts'

/** 1 August 2026, in RFC 9745 format. */
const SINCE = '@1785542400'

/**
 * Marks the response as deprecated and links to the replacement. Call it after setting the `Link` header of the
 * response.
 */
export function markDeprecated(req: FastifyRequest, reply: FastifyReply): void {
  const link = `<${linkTo(req.ctx, '/openapi.json')}>; rel="deprecation"; type="application/json"`
  const own = reply.getHeader('link')
  reply.header('deprecation', SINCE).header('link', own ? `${own}, ${link}` : link)
}
