import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { preconditionFailed } from '../../errors.ts'
import { encoded } from './encoded.ts'
import type { Representation } from './representation.ts'

/** Returns a strong entity tag of the response body. */
export function etagOf(shown: unknown): string {
  return `"${hash('sha1', JSON.stringify(shown), 'base64url')}"`
}

/**
 * Returns the tag of another view of the same resource (expanded, or a range of lines). It also works in `If-Match`:
 * the part before the dot is the tag of the resource.
 */
export function viewEtagOf(etag: string, view: unknown): string {
  return `${etag.slice(0, -1)}.${etagOf(view).slice(1)}`
}

/** Sets the tag. Returns true, after setting status 304, if the caller already has this response. */
export function notModified(req: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.header('etag', etag)
  const header = req.headers['if-none-match']
  if (header === undefined || (req.method !== 'GET' && req.method !== 'HEAD')) return false
  if (header.trim() !== '*' && !tagsIn(header).some((tag) => tag.replace(/^W\//, '') === etag)) return false
  reply.code(304)
  return true
}

/** Responds with a resource and its tag, or with 304 if the caller already has it. */
export function answerData(req: FastifyRequest, reply: FastifyReply, { body, etag }: Representation) {
  if (notModified(req, reply, etag)) return reply.send()
  reply.header('content-type', 'application/json; charset=utf-8')
  return encoded(body)
}

/** Refuses a write whose `If-Match` names an older state. Calls `current` only if the header was sent. */
export function refuseStale(ifMatch: string | undefined, current: () => string, extra?: Record<string, unknown>): void {
  if (ifMatch === undefined || ifMatch.trim() === '*') return
  const etag = current()
  const matches = tagsIn(ifMatch).some(
    (tag) => (tag.includes('.') ? `${tag.slice(0, tag.indexOf('.'))}"` : tag) === etag,
  )
  if (!matches) throw preconditionFailed(etag, extra)
}

function tagsIn(header: string): string[] {
  return header.match(/(?:W\/)?"[^"]*"/g) ?? []
}
