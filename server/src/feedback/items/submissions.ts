import type { Ctx } from '../../kernel/context.ts'
import { gather } from '../../kernel/database/gather.ts'
import { inTransaction, isTransaction, type Tx } from '../../kernel/database/index.ts'
import { recordEvents } from '../../kernel/events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { registerResources } from '../../links/index.ts'
import { authorizeWrite, takeNumbers } from '../../projects/index.ts'
import { titleOf } from './feedback-item.ts'
import { ITEMS } from './item-queries.ts'
import {
  insertAllAtOnce,
  insertAttachments,
  insertItems,
  type NewItem,
  type Report,
  SUBMITTED,
} from './submission-queries.ts'

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
  return isTransaction(ctx.db) ? submitAll([submission]).then(([first]) => first!) : gatherByKey(submission)
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
  const first = (await insertAllAtOnce(ctx, items)) ?? (await inTransaction(ctx, (ctx) => insertInSteps(ctx, items)))
  return items.map((_, index) => first + index)
}

/** For when something else must happen in the same transaction. */
async function insertInSteps(ctx: Ctx & { db: Tx }, items: NewItem[]): Promise<number> {
  const { projectId } = ctx.actor
  const ids = items.map((one) => one.id)
  await registerResources(ctx.db, projectId, ITEMS, ids)
  // Late, because everyone else who submits to this project waits from here on.
  const first = await takeNumbers(ctx.db, projectId, ITEMS, items.length)
  await insertItems(ctx.db, projectId, first, items)
  await insertAttachments(ctx.db, projectId, items)
  await recordEvents(
    ctx,
    items.map(({ id, title, report, requestId }, index) => ({
      kind: SUBMITTED,
      subjectType: ITEMS,
      subjectId: id,
      payload: { feedback_number: first + index, title, end_user_email: report.endUserEmail },
      requestId,
    })),
  )
  return first
}
