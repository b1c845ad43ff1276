import { invalid } from '../../../kernel/errors.ts'
import type { UploadedFile } from '../../../kernel/http/bodies/multipart.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { addFeedback } from '../items/submissions.ts'
import { fileOf, presentUpload } from '../items/upload.ts'
import { refuseWithoutAllowance } from '../items/upload-allowance.ts'
import { keepUpload, UPLOADS } from '../items/uploads.ts'
import { UploadAnswer, UploadBody } from '../schema.ts'
import type { NewTheme } from '../themes/theme.ts'
import { presentInboxItem, presentMark } from './inbox-item.ts'
import { readInbox } from './inbox-page.ts'
import { countSourceReports, listSources } from './inbox-queries.ts'
import { loadReport, presentReport } from './report.ts'
import * as schema from './schema.ts'
import { linkItems, sortItems, takeBackLinks } from './sorting.ts'
import { suggestSoon } from './suggestions.ts'

const tags = ['Feedback']

/** The inbox of people who sort reports: lists with everything they show, and decisions about many at once. */
export function registerInboxRoutes(face: Face) {
  registerReadRoutes(face)
  registerSourceRoute(face)
  registerSortRoutes(face)
  registerHandRoutes(face)
}

function registerReadRoutes(face: Face) {
  face.get(
    '/feedback/inbox',
    operation({
      id: 'listInbox',
      summary: 'List reports with what an inbox shows of them',
      description:
        'Reading the first page, or reports by `id`, has their missing suggestions computed. A list that is open reads by `id` what has changed.',
      tags,
      query: schema.InboxQuery,
      answer: schema.InboxPage,
    }),
    async (req) => {
      const { id: ids, sort, after, limit, theme_number, end_user_email, words, ...rest } = req.query
      const filter = {
        ...rest,
        themeNumber: theme_number,
        endUserEmail: end_user_email,
        words: words?.trim().split(/\s+/),
      }
      const page = { ids, after, oldestFirst: sort === 'number', limit: limit + 1 }
      const { rows, total } = await readInbox(req.ctx, filter, page)
      const shown = rows.slice(0, limit)
      // Whoever scrolls through thousands asks by id for those that stay in view.
      const due = after === undefined ? shown.filter((one) => one.isSuggestionDue) : []
      await suggestSoon(
        req.ctx,
        due.map((one) => one.id),
      )
      return {
        items: shown.map(presentInboxItem),
        total,
        next: rows.length > limit ? shown.at(-1)!.feedbackNumber : null,
      }
    },
  )

  face.get(
    '/feedback/inbox/:number',
    operation({
      id: 'getInboxReport',
      summary: 'Read a report with all that helps to sort it',
      description: 'Its words, its quotes, where it may belong and why, what is like it, and who sent it.',
      tags,
      params: schema.NumberParams,
      answer: schema.InboxReportData,
    }),
    async (req) => {
      const report = await loadReport(req.ctx, req.params.number)
      if (report.isSuggestionDue) await suggestSoon(req.ctx, [report.id])
      return { data: presentReport(report, req.ctx) }
    },
  )

  face.get(
    '/feedback/sources',
    operation({
      id: 'listFeedbackSources',
      summary: 'List what reports came through',
      tags,
      answer: schema.SourceItems,
    }),
    async (req) => {
      const sources = await listSources(req.ctx.db, req.ctx.actor.projectId)
      return {
        items: sources.map(({ name, isByHand, toProcess }) => ({
          name,
          is_by_hand: isByHand,
          to_process_count: toProcess,
        })),
      }
    },
  )
}

function registerSourceRoute(face: Face) {
  face.get(
    '/feedback/sources/reports',
    operation({
      id: 'countSourceReports',
      summary: 'Count the reports of the last 30 days by what they came through',
      description: 'A reporting key is named by its name, which stays when it is rotated.',
      tags,
      query: schema.SourceReportsQuery,
      answer: schema.SourceReportsItems,
    }),
    async (req) => {
      const rows = await countSourceReports(req.ctx.db, req.ctx.actor.projectId, req.query.name)
      return { items: rows.map(({ name, recent, lastAt }) => ({ name, recent_count: recent, last_report_at: lastAt })) }
    },
  )
}

function registerSortRoutes(face: Face) {
  face.post(
    '/feedback/inbox/link',
    operation({
      id: 'linkFeedbackItems',
      summary: 'Put reports into a theme, or into a new one',
      description: 'All or none. Those that are in the theme already keep their quote and are not in `changed_ids`.',
      tags,
      body: schema.LinkBody,
      answer: schema.LinkAnswer,
      refuses: [404],
    }),
    async (req) => {
      const { feedback_item_ids, text_excerpt } = req.body
      const { theme, changedIds } = await linkItems(req.ctx, targetOf(req.body), feedback_item_ids, text_excerpt)
      return { data: { theme: presentMark({ ...theme, number: theme.themeNumber }), changed_ids: changedIds } }
    },
  )

  face.post(
    '/feedback/inbox/take_back',
    operation({
      id: 'takeBackFeedbackLinks',
      summary: 'Undo putting reports into a theme',
      description: 'Unlike taking a report out of a theme, it teaches triage nothing.',
      tags,
      body: schema.TakeBackBody,
      answer: schema.ChangedAnswer,
      refuses: [404],
    }),
    async (req) => {
      const { feedback_item_ids, theme_id, ends_theme = false } = req.body
      const { changedIds } = await takeBackLinks(req.ctx, theme_id, feedback_item_ids, ends_theme)
      return { data: { changed_ids: changedIds } }
    },
  )

  face.post(
    '/feedback/inbox/sort',
    operation({
      id: 'sortFeedbackItems',
      summary: 'Set reports aside without a theme, or take that back',
      description:
        '`dismiss`: nothing is to be done. `not_feedback`: the same, and triage leaves out what is like it. `reopen`: they are to be processed again.',
      tags,
      body: schema.SortBody,
      answer: schema.ChangedAnswer,
      refuses: [404],
    }),
    async (req) => {
      const { action, feedback_item_ids: itemIds, unless_linked: unlessLinked = false } = req.body
      const { changedIds } = await sortItems(req.ctx, action, itemIds, { unlessLinked })
      return { data: { changed_ids: changedIds } }
    },
  )
}

function registerHandRoutes(face: Face) {
  face.post(
    '/feedback/inbox/uploads',
    {
      preParsing: (req) => refuseWithoutAllowance(req.ctx),
      ...operation({
        id: 'uploadInboxFile',
        summary: 'Upload a file for a report that is added by hand',
        description:
          'Name the returned key among the attachments of the report. The limits are those of reporting keys.',
        tags,
        body: UploadBody,
        answers: { 201: UploadAnswer },
        upload: UPLOADS,
      }),
    },
    async (req, reply) => {
      const upload = await keepUpload(req.ctx, (req.body as { file: UploadedFile }).file)
      reply.code(201)
      return presentUpload(upload)
    },
  )

  face.post(
    '/feedback/inbox',
    operation({
      id: 'addFeedbackItem',
      summary: 'Add what somebody said in a call, a mail or a meeting',
      tags,
      body: schema.HandBody,
      answers: { 201: schema.HandAnswer },
    }),
    async (req, reply) => {
      const { end_user_email: endUserEmail, content, source, attachments = [] } = req.body
      const report = { endUserEmail, content, source, attachments: attachments.map(fileOf) }
      const number = await addFeedback(req.ctx, report)
      reply.code(201)
      return { data: { number } }
    },
  )
}

function targetOf({ theme_id, new_theme }: { theme_id?: string; new_theme?: NewTheme }) {
  if (theme_id !== undefined && new_theme === undefined) return { themeId: theme_id }
  if (new_theme !== undefined && theme_id === undefined) return { newTheme: new_theme }
  throw invalid([
    {
      pointer: theme_id === undefined ? '/theme_id' : '/new_theme',
      detail: 'Send exactly one of "theme_id" and "new_theme".',
    },
  ])
}
