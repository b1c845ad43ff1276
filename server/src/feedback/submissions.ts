import type { Ctx } from '../kernel/context.ts'
import { inTransaction, isTransaction, type Tx } from '../kernel/database.ts'
import { recordEvents } from '../kernel/events.ts'
import { gather } from '../kernel/gather.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { registerResources } from '../links/index.ts'
import { authorizeWrite, takeNumbers } from '../projects/index.ts'
import { titleOf } from './feedback-item.ts'
import { ITEMS } from './item-queries.ts'
import { insertAttachments, insertItems } from './submission-queries.ts'

export interface Report {
  endUserEmail: string
  content: string
  attachments: { fileName: string; fileKey: string; fileSize: number; mimeType: string }[]
}

interface Submission {
  ctx: Ctx
  report: Report
}

const gatherByKey = gather<Submission, number>(({ ctx }) => `${ctx.actor.projectId} ${ctx.actor.keyId}`, submitAll)

/** Takes in what a customer said and returns its number. It is stored when this returns. */
export function submitFeedback(ctx: Ctx, report: Report): Promise<number> {
  authorizeWrite(ctx.actor)
  if (isTransaction(ctx.db)) return storeReports(ctx as Ctx & { db: Tx }, [{ ctx, report }]).then(([first]) => first!)
  return gatherByKey({ ctx, report })
}

/** One transaction for all that came while the one before was being written: they wait for the disk together. */
function submitAll(submissions: Submission[]): Promise<number[]> {
  return inTransaction(submissions[0]!.ctx, (ctx) => storeReports(ctx, submissions))
}

async function storeReports(ctx: Ctx & { db: Tx }, submissions: Submission[]): Promise<number[]> {
  const { projectId } = ctx.actor
  const items = submissions.map(({ ctx, report }) => ({
    id: uuidv7(),
    title: titleOf(report.content),
    report,
    requestId: ctx.requestId,
  }))
  const ids = items.map((one) => one.id)
  await registerResources(ctx.db, projectId, 'feedback_item', ids)
  // Late, because everyone else who submits to this project waits from here on.
  const first = await takeNumbers(ctx.db, projectId, ITEMS, items.length)
  await insertItems(ctx.db, projectId, first, items)
  await insertAttachments(ctx.db, projectId, items)
  await recordEvents(
    ctx,
    items.map(({ id, title, report, requestId }, index) => ({
      kind: 'feedback_item.submitted',
      subjectType: 'feedback_item',
      subjectId: id,
      payload: { feedback_number: first + index, title, end_user_email: report.endUserEmail },
      requestId,
    })),
  )
  return items.map((_, index) => first + index)
}
