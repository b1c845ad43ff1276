import { notFound } from '../../kernel/errors.ts'
import { sendStored } from '../../kernel/http/answers/stored-content.ts'
import { operation } from '../../kernel/http/operation.ts'
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
    operation({
      id: 'listFeedbackItems',
      summary: 'List feedback items, newest first',
      tags,
      query: schema.ItemQuery,
      answer: schema.ItemPage,
      sharedRead: true,
    }),
    async (req, reply) => {
      const { status, page_size } = req.query
      const { db, actor } = req.ctx
      const { rows, total } = await listItems(db, actor.projectId, status ?? undefined, page_size, offsetOf(req.query))
      return answerPage(req, reply, { rows: rows.map(presentItemSummary), total })
    },
  )

  face.get(
    '/feedback/items/:feedback_item_id',
    operation({
      id: 'getFeedbackItem',
      summary: 'Read a feedback item',
      tags,
      params: schema.ItemParams,
      answer: schema.ItemData,
      etag: true,
    }),
    async (req, reply) => answerItem(req, reply, await loadItem(req.ctx, req.params.feedback_item_id)),
  )

  face.patch(
    '/feedback/items/:feedback_item_id',
    operation({
      id: 'updateFeedbackItem',
      summary: 'Set the status of a feedback item',
      description: 'For an item that is processed without a theme. The next link or unlink sets the status again.',
      tags,
      params: schema.ItemParams,
      body: schema.ItemBody,
      answer: schema.ItemData,
      etag: true,
    }),
    async (req, reply) =>
      answerItem(req, reply, await setFeedbackItemStatus(req.ctx, req.params.feedback_item_id, req.body.status)),
  )
}

function registerAttachmentRoute(face: Face) {
  face.get(
    '/feedback/items/:feedback_item_id/attachments/:attachment_id/content',
    operation({
      id: 'getFeedbackAttachment',
      summary: 'Download an attachment',
      description: 'Where `file_url` leads: 404 until the file was uploaded.',
      tags,
      params: schema.AttachmentParams,
      answers: { 200: Bytes, 206: Bytes },
      etag: true,
      refuses: [416],
    }),
    async (req, reply) => {
      const { feedback_item_id: itemId, attachment_id: id } = req.params
      const file = await findAttachedFile(req.ctx.db, req.ctx.actor.projectId, itemId, id)
      if (file && (await sendStored(req, reply, file))) return reply
      throw notFound('file for the attachment', id)
    },
  )
}

function registerThemeRoutes(face: Face) {
  face.get(
    '/feedback/themes',
    operation({
      id: 'listThemes',
      summary: 'List all themes, newest first',
      tags,
      query: schema.ThemeQuery,
      answer: schema.ThemeItems,
      sharedRead: true,
    }),
    async (req) => {
      const themes = await listThemes(req.ctx.db, req.ctx.actor.projectId, req.query.status ?? undefined)
      return { items: themes.map(presentThemeSummary) }
    },
  )

  face.post(
    '/feedback/themes',
    operation({
      id: 'createTheme',
      summary: 'Create a theme',
      tags,
      body: schema.NewThemeBody,
      answers: { 201: schema.ThemeData },
      etag: true,
      refuses: [404],
    }),
    async (req, reply) => {
      const { status = 'unresolved', markdown_content = '', feature_requirements_document_id, ...given } = req.body
      const values = { ...given, status, markdownContent: markdown_content }
      const theme = await createTheme(req.ctx, values, feature_requirements_document_id)
      return answerTheme(req, reply.code(201), theme)
    },
  )

  face.get(
    '/feedback/themes/:theme_id',
    operation({
      id: 'getTheme',
      summary: 'Read a theme',
      tags,
      params: schema.ThemeParams,
      answer: schema.ThemeData,
      etag: true,
    }),
    async (req, reply) => answerTheme(req, reply, await loadTheme(req.ctx, req.params.theme_id)),
  )

  face.patch(
    '/feedback/themes/:theme_id',
    operation({
      id: 'updateTheme',
      summary: 'Change a theme',
      tags,
      params: schema.ThemeParams,
      body: schema.ThemeBody,
      answer: schema.ThemeData,
      etag: true,
    }),
    async (req, reply) => {
      const { markdown_content: markdownContent, expected_title, expected_description, ...given } = req.body
      const change = markdownContent === undefined ? given : { ...given, markdownContent }
      const seen = { title: expected_title, description: expected_description }
      return answerTheme(req, reply, await changeTheme(req.ctx, req.params.theme_id, change, seen))
    },
  )

  face.delete(
    '/feedback/themes/:theme_id',
    operation({
      id: 'deleteTheme',
      summary: 'Delete a theme and its quotes',
      tags,
      params: schema.ThemeParams,
      answers: { 204: Empty },
      etag: true,
    }),
    async (req, reply) => {
      await deleteTheme(req.ctx, req.params.theme_id)
      return reply.code(204).send(null)
    },
  )
}
