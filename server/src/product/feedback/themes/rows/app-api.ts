import { operation } from '../../../../kernel/http/operation.ts'
import { answerPage, offsetOf } from '../../../../kernel/http/paging.ts'
import type { Face } from '../../../../kernel/http/request.ts'
import { displayFeedbackNumber } from '../../items/feedback-item.ts'
import { ThemeParams } from '../../schema.ts'
import { loadTheme } from '../open-theme.ts'
import { presentThemeSummary } from '../theme.ts'
import * as schema from './schema.ts'
import {
  countThemes,
  type LastQuote,
  listQuotedReports,
  listThemeRows,
  type QuotedReport,
  type ThemeRow,
} from './theme-row-queries.ts'

const tags = ['Feedback']

/** What the lists and the page of a theme show, each with one request. */
export function registerThemeRowRoutes(face: Face) {
  face.get(
    '/feedback/themes/rows',
    operation({
      id: 'listThemeRows',
      summary: 'List themes with their people, trend, last quotes and what they are linked to',
      tags,
      query: schema.RowQuery,
      answer: schema.RowPage,
    }),
    async (req, reply) => {
      const { db, actor } = req.ctx
      const { number, status, type, priority, assignee, feature, search, sort, page_size: limit } = req.query
      const filter = {
        numbers: number,
        statuses: status,
        types: type,
        priorities: priority,
        assignees: assignee?.map((one) => one.toLowerCase()),
        features: feature?.map((one) => one.toLowerCase()),
        words: search?.split(/\s+/).filter((word) => word !== ''),
      }
      const place = { sort, limit, offset: offsetOf(req.query) }
      const { rows, total } = await listThemeRows(db, actor.projectId, filter, place)
      return answerPage(req, reply, { rows: rows.map(presentRow), total })
    },
  )

  face.get(
    '/feedback/themes/counts',
    operation({ id: 'countThemes', summary: 'Count themes by status and feature', tags, answer: schema.Counts }),
    async (req) => {
      const { db, actor } = req.ctx
      const { statuses, assignedToMe, features } = await countThemes(db, actor.projectId, actor.userId)
      return { data: { statuses, assigned_to_me: assignedToMe, features } }
    },
  )

  face.get(
    '/feedback/themes/:theme_id/reports',
    operation({
      id: 'listQuotedReports',
      summary: 'List the quotes of a theme with their reports, newest first',
      tags,
      params: ThemeParams,
      query: schema.ReportQuery,
      answer: schema.ReportPage,
    }),
    async (req) => {
      const { db, actor } = req.ctx
      const { id } = await loadTheme(req.ctx, req.params.theme_id)
      const { limit, before } = req.query
      const [reportedAt, quoteId] = before?.split('_') ?? []
      const rows = await listQuotedReports(db, actor.projectId, id, {
        limit,
        before: reportedAt && quoteId ? { reportedAt, id: quoteId } : undefined,
        contentLength: schema.CONTENT_LENGTH,
      })
      const last = rows.length === limit ? rows.at(-1)! : undefined
      return { items: rows.map(presentReport), next_before: last ? `${last.reportedAt}_${last.id}` : null }
    },
  )
}

const presentRow = (row: ThemeRow) => ({
  ...presentThemeSummary(row),
  description: row.description,
  people_count: row.peopleCount,
  trend: row.trend,
  first_reported_at: row.firstReportedAt,
  last_quotes: row.lastQuotes.map(presentQuoted),
  feature: row.feature,
  work_orders: row.workOrders.map(({ workOrderNumber, status, ...one }) => ({
    ...one,
    display_id: `WO-${workOrderNumber}`,
    status: status as 'ready',
  })),
  updated_at: row.updatedAt,
})

const presentQuoted = (quote: LastQuote) => ({
  id: quote.id,
  feedback_item_id: quote.feedbackItemId,
  display_id: displayFeedbackNumber(quote.feedbackNumber),
  end_user_email: quote.endUserEmail,
  text_excerpt: quote.textExcerpt,
  reported_at: new Date(quote.reportedAt).toISOString(),
})

const presentReport = (report: QuotedReport) => ({
  ...presentQuoted(report),
  content: report.content,
  attachment_count: report.attachmentCount,
  source: report.source,
  is_by_hand: report.isByHand,
  is_by_person: report.isByPerson,
  reason: report.reason,
})
