import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { notFound } from '../../kernel/errors.ts'
import { recordEvent, recordEvents } from '../../kernel/events.ts'
import { refuseStale } from '../../kernel/http/answers/etag.ts'
import { lockLinks, removeResources } from '../links/index.ts'
import { releaseNumbers } from '../projects/index.ts'
import { workOrderEvents } from './events.ts'
import { authorizeWrite } from './policy.ts'
import * as queries from './queries.ts'
import { representWorkOrder } from './representation.ts'
import { presentFields, toDescription, type WorkOrder } from './work-order.ts'
import * as writes from './writes.ts'

export const COUNTER = 'work_order'

export async function loadWorkOrder(ctx: Ctx, id: string): Promise<WorkOrder> {
  const workOrder = await queries.findWorkOrder(ctx.db, ctx.actor.projectId, id)
  if (!workOrder) throw notFound('work order', id)
  return workOrder
}

export async function searchByNumber(ctx: Ctx, number: number): Promise<WorkOrder[]> {
  const workOrder = await queries.findWorkOrderByNumber(ctx.db, ctx.actor.projectId, number)
  return workOrder ? [workOrder] : []
}

export async function loadWorkOrderByNumber(ctx: Ctx, number: number): Promise<WorkOrder> {
  const workOrder = await queries.findWorkOrderByNumber(ctx.db, ctx.actor.projectId, number)
  if (!workOrder) throw notFound('work order', number)
  return workOrder
}

export async function lockWorkOrder(ctx: TxCtx, id: string): Promise<WorkOrder> {
  const [workOrder] = await queries.lockWorkOrders(ctx.db, ctx.actor.projectId, [id], [])
  if (!workOrder) throw notFound('work order', id)
  return workOrder
}

export const columnsOf = (workOrder: WorkOrder): writes.WorkOrderColumns => ({
  title: workOrder.title,
  status: workOrder.status,
  priority: workOrder.priority,
  type: workOrder.type,
  phaseId: workOrder.phase?.id ?? null,
  assigneeId: workOrder.assignee?.id ?? null,
  labelIds: workOrder.labels.map((label) => label.id),
  markdownContent: workOrder.markdownContent,
  descriptionSnippet: workOrder.descriptionSnippet,
  implementationPlan: workOrder.implementationPlan,
})

export function describeWorkOrder(ctx: Ctx, id: string, markdownContent: string): Promise<WorkOrder> {
  const { snippet } = toDescription(markdownContent)
  return inTransaction(ctx, async (ctx) => {
    const workOrder = await lockWorkOrder(ctx, id)
    authorizeWrite(ctx.actor)
    refuseStale(ctx.ifMatch, () => representWorkOrder(workOrder).etag)
    if (workOrder.markdownContent === markdownContent) return workOrder
    await writes.updateWorkOrders(ctx.db, ctx.actor.projectId, [
      { id, columns: { ...columnsOf(workOrder), markdownContent, descriptionSnippet: snippet } },
    ])
    await recordEvent(ctx, workOrderEvents.updated(id, { fields: presentFields(['markdownContent']) }))
    return loadWorkOrder(ctx, id)
  })
}

export function deleteWorkOrder(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    const workOrder = await lockWorkOrder(ctx, id)
    authorizeWrite(ctx.actor)
    refuseStale(ctx.ifMatch, () => representWorkOrder(workOrder).etag)
    await deleteLockedWorkOrders(ctx, [workOrder])
  })
}

export async function deleteLockedWorkOrders(ctx: TxCtx, workOrders: WorkOrder[]): Promise<void> {
  if (workOrders.length === 0) return
  const { projectId } = ctx.actor
  const ids = workOrders.map((one) => one.id)
  await writes.deleteWorkOrders(ctx.db, projectId, ids)
  await removeResources(ctx.db, projectId, ids)
  await releaseNumbers(ctx.db, projectId, COUNTER, ids.length)
  await recordEvents(
    ctx,
    workOrders.map(({ id, workOrderNumber, title }) =>
      workOrderEvents.deleted(id, { work_order_number: workOrderNumber, title }),
    ),
  )
}
