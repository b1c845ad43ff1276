import type { Ctx } from '../../../kernel/context.ts'
import { gather } from '../../../kernel/database/gather.ts'
import { inTransaction, isShared } from '../../../kernel/database/index.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { titleOf } from './feedback-item.ts'
import { insertReports, type Report } from './submission-queries.ts'

interface Submission {
  ctx: Ctx
  title: string
  report: Report
}

const gatherByKey = gather<Submission, number>(({ ctx }) => `${ctx.actor.projectId} ${ctx.actor.keyId}`, submitAll)

/** Stores what a customer said and returns its number. The report is committed when the promise resolves. */
export function submitFeedback(ctx: Ctx, report: Report): Promise<number> {
  authorizeWrite(ctx.actor)
  const submission = { ctx, title: titleOf(report.content), report }
  if (isShared(ctx.db)) return gatherByKey(submission)
  return inTransaction(ctx, async (ctx) => (await submitAll([{ ...submission, ctx }]))[0]!)
}

/** Stores what a member was told, outside of the product. It is committed by itself, because the event names the member. */
export function addFeedback(ctx: Ctx, report: Report & { source: string }): Promise<number> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => (await submitAll([{ ctx, title: titleOf(report.content), report }]))[0]!)
}

/** Writes all reports that arrived during the previous write. They share one commit. */
async function submitAll(submissions: Submission[]): Promise<number[]> {
  const { ctx } = submissions[0]!
  const items = submissions.map(({ ctx, title, report }) => ({
    id: uuidv7(),
    title,
    report,
    requestId: ctx.requestId,
  }))
  const first = await insertReports(ctx, items)
  return items.map((_, index) => first + index)
}
