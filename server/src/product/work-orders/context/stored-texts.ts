import type { Ctx } from '../../../kernel/context.ts'
import { type StoredText, unlessStale } from '../../../kernel/stored-text.ts'
import { changeWorkOrder } from '../change.ts'
import { listCommentTexts } from '../comments/comment-queries.ts'
import { rewriteComment } from '../comments/comments.ts'
import { findWorkOrder, listTextsWith } from '../queries.ts'
import { representWorkOrder } from '../representation.ts'
import { toDescription, type WorkOrder, type WorkOrderValues } from '../work-order.ts'

/** Goes over all descriptions, implementation plans and comments that contain `part`. */
export async function* storedWorkOrderTexts(ctx: Ctx, part: string): AsyncGenerator<StoredText> {
  const { projectId } = ctx.actor
  for (const { id } of await listTextsWith(ctx.db, projectId, part)) {
    const described = await findWorkOrder(ctx.db, projectId, id)
    if (described) yield descriptionOf(ctx, described)
    // Read again, because the description may have been replaced.
    const planned = described && (await findWorkOrder(ctx.db, projectId, id))
    const plan = planned && planOf(ctx, planned)
    if (plan) yield plan
  }
  for (const { id, workOrderId, title, text } of await listCommentTexts(ctx.db, projectId, part))
    yield {
      kind: 'work_order_comment',
      id,
      title,
      text,
      replace: (next) => rewriteComment(ctx, { workOrderId, id }, text, next),
    }
}

const changing = (ctx: Ctx, workOrder: WorkOrder, values: WorkOrderValues) =>
  unlessStale(() => changeWorkOrder({ ...ctx, ifMatch: representWorkOrder(workOrder).etag }, workOrder.id, values))

const descriptionOf = (ctx: Ctx, workOrder: WorkOrder): StoredText => ({
  kind: 'work_order',
  id: workOrder.id,
  title: workOrder.title,
  text: workOrder.markdownContent,
  replace: (next) => changing(ctx, workOrder, { description: toDescription(next) }),
})

function planOf(ctx: Ctx, workOrder: WorkOrder): StoredText | undefined {
  const { id, title, implementationPlan: plan } = workOrder
  if (!plan) return undefined
  return {
    kind: 'implementation_plan',
    id,
    title,
    text: plan.markdownContent,
    replace: (next) => changing(ctx, workOrder, { implementationPlan: { ...plan, markdownContent: next } }),
  }
}
