import type { Ctx } from '../../../kernel/context.ts'
import { sendTogether } from '../../../kernel/database/index.ts'
import { notFound } from '../../../kernel/errors.ts'
import { type FeedbackItem, presentAttachments } from '../items/feedback-item.ts'
import { findItem } from '../items/item-queries.ts'
import { findSorting } from '../triage/triage-queries.ts'
import { type Candidate, findHandling, readSurroundings } from './detail-queries.ts'
import { type InboxItem, presentInboxItem, presentMark } from './inbox-item.ts'
import { findInboxItem } from './inbox-queries.ts'

type Surroundings = Awaited<ReturnType<typeof readSurroundings>>

/** A report with everything that helps to decide about it. */
export interface InboxReport extends InboxItem, Surroundings {
  item: FeedbackItem
  sorting: Awaited<ReturnType<typeof findSorting>>
  addedBy: { id: string; name: string } | null
  isNotFeedback: boolean
}

export async function loadReport(ctx: Ctx, number: number): Promise<InboxReport> {
  const { db, actor } = ctx
  const found = await findInboxItem(db, actor.projectId, number)
  if (!found) throw notFound('feedback item', `FB-${number}`)
  const [item, handling] = await sendTogether([
    findItem(db, actor.projectId, found.id),
    findHandling(db, actor.projectId, found.id),
  ])
  const surroundings = await readSurroundings(db, actor.projectId, found.id)
  const sorting = await findSorting(db, actor.projectId, found.id)
  return { ...found, ...surroundings, ...handling, item: item!, sorting }
}

export const presentReport = (report: InboxReport, ctx: Ctx) => ({
  ...presentInboxItem(report),
  markdown_content: report.item.markdownContent,
  added_by: report.addedBy,
  attachments: presentAttachments(report.item, ctx),
  verdict: report.sorting.verdict,
  is_not_feedback: report.isNotFeedback,
  quotes: report.sorting.quotes.map((quote) => ({
    theme: presentMark({ id: quote.themeId, number: quote.themeNumber, title: quote.title, status: quote.status }),
    text_excerpt: quote.textExcerpt,
    reason: quote.reason,
    is_by_person: quote.isPinned,
  })),
  candidates: report.candidates.map(presentCandidate),
  similar_items: report.similar.map((one) => ({
    number: one.number,
    title: one.title,
    end_user_email: one.endUserEmail,
    theme_numbers: one.themeNumbers,
    score: one.score,
  })),
  reporter: {
    report_count: report.reporter.total,
    place: report.reporter.place,
    is_first_of_month: report.reporter.isFirstOfMonth,
    member: report.reporter.member,
    other_reports: report.reporter.others.map((one) => ({
      number: one.number,
      title: one.title,
      status: one.status,
      created_at: new Date(one.createdAt).toISOString(),
    })),
  },
})

const presentCandidate = (one: Candidate) => ({
  ...presentMark(one),
  type: one.type,
  priority: one.priority,
  quote_count: one.quoteCount,
  people_count: one.peopleCount,
  work_order_numbers: one.workOrderNumbers,
  score: one.score,
  is_suggested: one.isNear,
  shared_words: one.shared,
  text_excerpt: one.excerpt,
})
