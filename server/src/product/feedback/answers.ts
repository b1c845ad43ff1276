import type { FastifyReply, FastifyRequest } from 'fastify'
import { answerData } from '../../kernel/http/answers/etag.ts'
import type { FeedbackItem } from './items/feedback-item.ts'
import { representItem, representTheme } from './representation.ts'
import type { Theme } from './themes/theme.ts'

export function answerItem(req: FastifyRequest, reply: FastifyReply, item: FeedbackItem) {
  return answerData(req, reply, representItem(item, req.ctx))
}

export function answerTheme(req: FastifyRequest, reply: FastifyReply, theme: Theme) {
  return answerData(req, reply, representTheme(theme))
}
