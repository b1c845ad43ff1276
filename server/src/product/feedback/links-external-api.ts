import { Type } from 'typebox'
import { invalid } from '../../kernel/errors.ts'
import { operation } from '../../kernel/http/operation.ts'
import { answerPage, offsetOf, PageQuery } from '../../kernel/http/paging.ts'
import type { Face } from '../../kernel/http/request.ts'
import type { MemberRef } from '../projects/index.ts'
import { answerTheme } from './answers.ts'
import * as schema from './schema.ts'
import * as connections from './themes/connections.ts'
import { loadTheme } from './themes/open-theme.ts'
import { listThemeQuotes } from './themes/quote-queries.ts'
import { linkItem, unlinkItem } from './themes/quotes.ts'
import { presentQuote } from './themes/theme.ts'

const tags = ['Feedback']
const themeAnswer = { tags, answer: schema.ThemeData }

/** Routes that link a theme to feedback items, work orders, a feature document and an assignee. */
export function registerThemeLinkRoutes(face: Face) {
  face.post(
    '/feedback/themes/:theme_id/feedback_links',
    operation({
      id: 'linkFeedbackItem',
      summary: 'Put a feedback item into a theme',
      description: 'Repeated, it answers 200 with the quote that is there.',
      tags,
      params: schema.ThemeParams,
      body: schema.FeedbackLinkBody,
      answers: { 200: schema.QuoteData, 201: schema.QuoteData },
    }),
    async (req, reply) => {
      const { feedback_item_id, text_excerpt } = req.body
      const { quote, isNew } = await linkItem(req.ctx, req.params.theme_id, feedback_item_id, text_excerpt)
      reply.code(isNew ? 201 : 200)
      return { data: presentQuote(quote) }
    },
  )

  face.get(
    '/feedback/themes/:theme_id/quotes',
    operation({
      id: 'listThemeQuotes',
      summary: 'List the quotes of a theme',
      description: 'What customers said that put their feedback into it, oldest first.',
      tags,
      params: schema.ThemeParams,
      query: Type.Object(PageQuery),
      answer: schema.QuotePage,
    }),
    async (req, reply) => {
      const theme = await loadTheme(req.ctx, req.params.theme_id)
      const { db, actor } = req.ctx
      const rows = await listThemeQuotes(db, actor.projectId, theme.id, req.query.page_size, offsetOf(req.query))
      return answerPage(req, reply, { rows: rows.map(presentQuote), total: theme.quoteCount })
    },
  )

  face.delete(
    '/feedback/themes/:theme_id/feedback_links/:feedback_item_id',
    operation({
      id: 'unlinkFeedbackItem',
      summary: 'Take a feedback item out of a theme',
      tags,
      params: schema.LinkParams,
      answer: schema.QuoteData,
      etag: true,
    }),
    async (req) => ({
      data: presentQuote(await unlinkItem(req.ctx, req.params.theme_id, req.params.feedback_item_id)),
    }),
  )

  face.post(
    '/feedback/themes/:theme_id/work_orders',
    operation({
      id: 'linkThemeWorkOrder',
      summary: 'Link a work order to a theme',
      ...themeAnswer,
      params: schema.ThemeParams,
      body: schema.WorkOrderLinkBody,
      etag: true,
    }),
    async (req, reply) =>
      answerTheme(req, reply, await connections.linkWorkOrder(req.ctx, req.params.theme_id, req.body.work_order_id)),
  )

  face.delete(
    '/feedback/themes/:theme_id/work_orders/:work_order_id',
    operation({
      id: 'unlinkThemeWorkOrder',
      summary: 'Unlink a work order from a theme',
      ...themeAnswer,
      params: schema.WorkOrderLinkParams,
      etag: true,
    }),
    async (req, reply) =>
      answerTheme(
        req,
        reply,
        await connections.unlinkWorkOrder(req.ctx, req.params.theme_id, req.params.work_order_id),
      ),
  )

  face.put(
    '/feedback/themes/:theme_id/feature',
    operation({
      id: 'setThemeFeature',
      summary: 'Set the feature document of a theme',
      ...themeAnswer,
      params: schema.ThemeParams,
      body: schema.FeatureBody,
      etag: true,
    }),
    async (req, reply) => {
      const { feature_requirements_document_id: featureId } = req.body
      return answerTheme(req, reply, await connections.setFeature(req.ctx, req.params.theme_id, featureId))
    },
  )

  face.delete(
    '/feedback/themes/:theme_id/feature',
    operation({
      id: 'clearThemeFeature',
      summary: 'Clear the feature document of a theme',
      ...themeAnswer,
      params: schema.ThemeParams,
      etag: true,
    }),
    async (req, reply) => answerTheme(req, reply, await connections.clearFeature(req.ctx, req.params.theme_id)),
  )

  face.put(
    '/feedback/themes/:theme_id/assignee',
    operation({
      id: 'assignTheme',
      summary: 'Assign a theme to a member, by id or e-mail',
      ...themeAnswer,
      params: schema.ThemeParams,
      body: schema.AssigneeBody,
      etag: true,
    }),
    async (req, reply) =>
      answerTheme(req, reply, await connections.assignTheme(req.ctx, req.params.theme_id, memberRef(req.body))),
  )

  face.delete(
    '/feedback/themes/:theme_id/assignee',
    operation({
      id: 'unassignTheme',
      summary: 'Assign a theme to nobody',
      ...themeAnswer,
      params: schema.ThemeParams,
      etag: true,
    }),
    async (req, reply) => answerTheme(req, reply, await connections.unassignTheme(req.ctx, req.params.theme_id)),
  )
}

function memberRef({ user_id, email }: { user_id?: string; email?: string }): MemberRef {
  if (user_id !== undefined && email === undefined) return { id: user_id }
  if (email !== undefined && user_id === undefined) return { email }
  throw invalid([
    { pointer: user_id === undefined ? '/user_id' : '/email', detail: 'Send exactly one of "user_id" and "email".' },
  ])
}
