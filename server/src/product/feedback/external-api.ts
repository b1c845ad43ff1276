import { notFound } from '../../kernel/errors.ts'
import { sendStored } from '../../kernel/http/answers/stored-content.ts'
import { answerPage, offsetOf } from '../../kernel/http/paging.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Bytes, Empty } from '../../kernel/http/schema.ts'
import { answerItem, answerTheme } from './answers.ts'
import { presentItemSummary } from './items/feedback-item.ts'
import { listItems } from './items/item-queries.ts'
import { loadItem, setFeedbackItemStatus } from './items/items.ts'
import { findAttachedFile } from './items/upload-queries.ts'
import { registerThemeLinkRoutes } from './links-external-api.ts'
import * as schema from './schema.ts'
import { loadTheme } from './themes/open-theme.ts'
import { presentThemeSummary } from './themes/theme.ts'
import { listThemes } from './themes/theme-queries.ts'
import { changeTheme, createTheme, deleteTheme } from './themes/themes.ts'
import { registerTriageRoutes } from './triage/external-api.ts'

const tags = ['Feedback']

export function registerFeedbackRoutes(face: Face) {
  registerItemRoutes(face)
  registerAttachmentRoute(face)
  registerThemeRoutes(face)
  registerThemeLinkRoutes(face)
  registerTriageRoutes(face)
}

function registerItemRoutes(face: Face) {
  face.get(
    '/feedback/items',
    {
      config: { sharedRead: true },
      schema: {
        operationId: 'listFeedbackItems',
        summary: 'List feedback items, newest first',
        tags,
        querystring: schema.ItemQuery,
        response: { 200: schema.ItemPage },
      },
    },
    async (req, reply) => {
      const { status, page_size } = req.query
      const { db, actor } = req.ctx
      const { rows, total } = await listItems(db, actor.projectId, status ?? undefined, page_size, offsetOf(req.query))
      return answerPage(req, reply, { rows: rows.map(presentItemSummary), total })
    },
  )

  face.get(
    '/feedback/items/:feedback_item_id',
    {
      config: { etag: true },
      schema: {
        operationId: 'getFeedbackItem',
        summary: 'Read a feedback item',
        tags,
        params: schema.ItemParams,
        response: { 200: schema.ItemData },
      },
    },
    async (req, reply) => answerItem(req, reply, await loadItem(req.ctx, req.params.feedback_item_id)),
  )

  face.patch(
    '/feedback/items/:feedback_item_id',
    {
      config: { etag: true },
      schema: {
        operationId: 'updateFeedbackItem',
        summary: 'Set the status of a feedback item',
        description: 'For an item that is processed without a theme. The next link or unlink sets the status again.',
        tags,
        params: schema.ItemParams,
        body: schema.ItemBody,
        response: { 200: schema.ItemData },
      },
    },
    async (req, reply) =>
      answerItem(req, reply, await setFeedbackItemStatus(req.ctx, req.params.feedback_item_id, req.body.status)),
  )
}

function registerAttachmentRoute(face: Face) {
  face.get(
    '/feedback/items/:feedback_item_id/attachments/:attachment_id/content',
    {
      config: { etag: true, refuses: [416] },
      schema: {
        operationId: 'getFeedbackAttachment',
        summary: 'Download an attachment',
        description: 'Where `file_url` leads: 404 until the file was uploaded.',
        tags,
        params: schema.AttachmentParams,
        response: { 200: Bytes, 206: Bytes },
      },
    },
    async (req, reply) => {
      const { feedback_item_id: itemId, attachment_id: id } = req.params
      const file = await findAttachedFile(req.ctx.db, req.ctx.actor.projectId, itemId, id)
      if (file && (await sendStored(req, reply, file))) return reply as never
      throw notFound('file for the attachment', id)
    },
  )
}

function registerThemeRoutes(face: Face) {
  face.get(
    '/feedback/themes',
    {
      config: { sharedRead: true },
      schema: {
        operationId: 'listThemes',
        summary: 'List all themes, newest first',
        tags,
        querystring: schema.ThemeQuery,
        response: { 200: schema.ThemeItems },
      },
    },
    async (req) => {
      const themes = await listThemes(req.ctx.db, req.ctx.actor.projectId, req.query.status ?? undefined)
      return { items: themes.map(presentThemeSummary) }
    },
  )

  face.post(
    '/feedback/themes',
    {
      config: { etag: true, refuses: [404] },
      schema: {
        operationId: 'createTheme',
        summary: 'Create a theme',
        tags,
        body: schema.NewThemeBody,
        response: { 201: schema.ThemeData },
      },
    },
    async (req, reply) => {
      const { status = 'unresolved', markdown_content = '', feature_requirements_document_id, ...given } = req.body
      const values = { ...given, status, markdownContent: markdown_content }
      const theme = await createTheme(req.ctx, values, feature_requirements_document_id)
      return answerTheme(req, reply.code(201), theme)
    },
  )

  face.get(
    '/feedback/themes/:theme_id',
    {
      config: { etag: true },
      schema: {
        operationId: 'getTheme',
        summary: 'Read a theme',
        tags,
        params: schema.ThemeParams,
        response: { 200: schema.ThemeData },
      },
    },
    async (req, reply) => answerTheme(req, reply, await loadTheme(req.ctx, req.params.theme_id)),
  )

  face.patch(
    '/feedback/themes/:theme_id',
    {
      config: { etag: true },
      schema: {
        operationId: 'updateTheme',
        summary: 'Change a theme',
        tags,
        params: schema.ThemeParams,
        body: schema.ThemeBody,
        response: { 200: schema.ThemeData },
      },
    },
    async (req, reply) => {
      const { markdown_content: markdownContent, expected_title, expected_description, ...given } = req.body
      const change = markdownContent === undefined ? given : { ...given, markdownContent }
      const seen = { title: expected_title, description: expected_description }
      return answerTheme(req, reply, await changeTheme(req.ctx, req.params.theme_id, change, seen))
    },
  )

  face.delete(
    '/feedback/themes/:theme_id',
    {
      config: { etag: true },
      schema: {
        operationId: 'deleteTheme',
        summary: 'Delete a theme and its quotes',
        tags,
        params: schema.ThemeParams,
        response: { 204: Empty },
      },
    },
    async (req, reply) => {
      await deleteTheme(req.ctx, req.params.theme_id)
      return reply.code(204).send(null)
    },
  )
}
