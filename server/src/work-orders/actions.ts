import type { Ctx } from '../kernel/context.ts'
import { inTransaction, sendLater, type Tx } from '../kernel/database/index.ts'
import { notFound } from '../kernel/errors.ts'
import { recordEvent, recordEvents } from '../kernel/events.ts'
import { refuseStale } from '../kernel/http/answers/etag.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { addContext, lockLinks, registerResources, removeResources } from '../links/index.ts'
import { authorizeWrite, releaseNumbers, takeNumbers } from '../projects/index.ts'
import * as queries from './queries.ts'
import type { Resolved, Values } from './references.ts'
import { representWorkOrder } from './representation.ts'
import { UNTITLED, type WorkOrder, workOrderSnippet } from './work-order.ts'
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

async function lockWorkOrder(ctx: Ctx & { db: Tx }, id: string): Promise<WorkOrder> {
  const [workOrder] = await queries.lockWorkOrders(ctx.db, ctx.actor.projectId, [id], [])
  if (!workOrder) throw notFound('work order', id)
  return workOrder
}

export interface NewWorkOrder {
  values: Values
  snippet: string | undefined
  resolved: Resolved
}

/** Creates many at once: a fixed number of statements, whatever their count. Numbers follow the given order. */
export async function createWorkOrders(
  ctx: Ctx & { db: Tx },
  drafts: NewWorkOrder[],
): Promise<{ id: string; workOrderNumber: number }[]> {
  authorizeWrite(ctx.actor)
  if (drafts.length === 0) return []
  const { projectId } = ctx.actor
  const rows = drafts.map((draft) => writes.toRow(uuidv7(), newColumns(draft)))
  const first = await takeNumbers(ctx.db, projectId, COUNTER, drafts.length)
  const created = drafts.map((draft, index) => ({ ...draft, id: rows[index]!.id, workOrderNumber: first + index }))
  const linked = created.flatMap(({ id, resolved }) =>
    resolved.links?.length ? [{ id, type: 'work_order' as const, links: resolved.links }] : [],
  )
  const ids = created.map((one) => one.id)
  // All with the commit, because others wait for the counter.
  sendLater(ctx.db, [
    registerResources(ctx.db, projectId, 'work_order', ids),
    writes.insertWorkOrders(ctx.db, projectId, first, rows),
    ...addContext(ctx.db, projectId, linked),
  ])
  await recordEvents(
    ctx,
    created.map((one) => ({
      kind: 'work_order.created',
      subjectType: 'work_order',
      subjectId: one.id,
      payload: { work_order_number: one.workOrderNumber, title: one.values.title ?? UNTITLED },
    })),
  )
  return created
}

function newColumns({ values, snippet, resolved }: NewWorkOrder): writes.WorkOrderColumns {
  return {
    title: values.title ?? UNTITLED,
    status: values.status ?? 'backlog',
    priority: values.priority ?? 'no_priority',
    type: values.type ?? 'none',
    phaseId: resolved.phase?.id ?? null,
    assigneeId: resolved.assignee?.id ?? null,
    labelIds: resolved.labels?.map((label) => label.id) ?? [],
    markdownContent: values.markdown_content ?? '',
    descriptionSnippet: snippet ?? '',
    implementationPlan: values.implementation_plan ?? null,
  }
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
  const descriptionSnippet = workOrderSnippet(markdownContent)
  return inTransaction(ctx, async (ctx) => {
    const workOrder = await lockWorkOrder(ctx, id)
    authorizeWrite(ctx.actor)
    refuseStale(ctx.ifMatch, () => representWorkOrder(workOrder).etag)
    if (workOrder.markdownContent === markdownContent) return workOrder
    await writes.updateWorkOrders(ctx.db, ctx.actor.projectId, [
      { id, columns: { ...columnsOf(workOrder), markdownContent, descriptionSnippet } },
    ])
    await recordEvent(ctx, {
      kind: 'work_order.updated',
      subjectType: 'work_order',
      subjectId: id,
      payload: { fields: ['markdown_content'] },
    })
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

export async function deleteLockedWorkOrders(ctx: Ctx & { db: Tx }, workOrders: WorkOrder[]): Promise<void> {
  if (workOrders.length === 0) return
  const { projectId } = ctx.actor
  const ids = workOrders.map((one) => one.id)
  await writes.deleteWorkOrders(ctx.db, projectId, ids)
  await removeResources(ctx.db, projectId, ids)
  await releaseNumbers(ctx.db, projectId, COUNTER, ids.length)
  await recordEvents(
    ctx,
    workOrders.map((one) => ({
      kind: 'work_order.deleted',
      subjectType: 'work_order',
      subjectId: one.id,
      payload: { work_order_number: one.workOrderNumber, title: one.title },
    })),
  )
}
