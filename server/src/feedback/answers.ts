import type { FastifyReply, FastifyRequest } from 'fastify'
import { notModified, sendData } from '../kernel/http/etag.ts'
import type { FeedbackItem } from './feedback-item.ts'
import { representItem, representTheme } from './representation.ts'
import type { Theme } from './theme.ts'

/** Answers with the detail and its ETag, or with 304 when the caller has it already. */
export function answerItem(req: FastifyRequest, reply: FastifyReply, item: FeedbackItem) {
  const { json, etag } = representItem(item, req.ctx.baseUrl)
  return notModified(req, reply, etag) ? reply.send() : sendData(reply, json)
}

export function answerTheme(req: FastifyRequest, reply: FastifyReply, theme: Theme) {
  const { json, etag } = representTheme(theme)
  return notModified(req, reply, etag) ? reply.send() : sendData(reply, json)
}
