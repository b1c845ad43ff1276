import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction, sendLater, sendTogether } from '../../kernel/database/index.ts'
import { recordEvents } from '../../kernel/events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { addContext, lockLinks } from '../links/index.ts'
import { returnNumbers, takeNumbers } from '../projects/index.ts'
import { COUNTER, loadWorkOrder } from './actions.ts'
import { workOrderEvents } from './events.ts'
import { authorizeWrite } from './policy.ts'
import { findReferences, type Resolved } from './references.ts'
import { type Outcome, refused, UNTITLED, type WorkOrder, type WorkOrderValues } from './work-order.ts'
import * as writes from './writes.ts'

export async function createWorkOrder(ctx: Ctx, values: WorkOrderValues): Promise<WorkOrder> {
  const [outcome] = await createWorkOrders(ctx, [values])
  if (!outcome?.workOrder) throw refused(outcome!.fault!)
  return loadWorkOrder(ctx, outcome.workOrder.id)
}

/**
 * Creates each work order separately: one that refers to something unknown fails, the others are created. Numbers
 * follow the given order.
 */
export function createWorkOrders(ctx: Ctx, all: WorkOrderValues[]): Promise<Outcome[]> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const [, resolve, first] = await sendTogether([
      all.some((values) => values.context?.length) ? lockLinks(ctx.db, projectId) : undefined,
      findReferences(ctx.db, projectId, all),
      takeNumbers(ctx.db, projectId, COUNTER, all.length),
    ])
    const resolved = all.map((values) => resolve(values))
    const drafts = resolved.flatMap((one, index) => ('fault' in one ? [] : [{ values: all[index]!, resolved: one }]))
    const unused = all.length - drafts.length
    if (unused > 0) sendLater(ctx.db, [returnNumbers(ctx.db, projectId, COUNTER, unused)])
    const created = (await insertDrafts(ctx, drafts, first)).values()
    return resolved.map((one) =>
      'fault' in one
        ? { workOrder: null, fault: one.fault }
        : { workOrder: created.next().value ?? null, fault: undefined },
    )
  })
}

interface Draft {
  values: WorkOrderValues
  resolved: Resolved
}

/** Uses a fixed number of statements, whatever the number of drafts. Numbers them from `first`. */
async function insertDrafts(
  ctx: TxCtx,
  drafts: Draft[],
  first: number,
): Promise<{ id: string; workOrderNumber: number; title: string }[]> {
  if (drafts.length === 0) return []
  const { projectId } = ctx.actor
  const rows = drafts.map((draft) => writes.toRow(uuidv7(), columnsOf(draft)))
  const created = rows.map(({ id, title }, index) => ({ id, title, workOrderNumber: first + index }))
  const linked = drafts.flatMap(({ resolved: { links } }, index) =>
    links?.length ? [{ id: rows[index]!.id, type: 'work_order' as const, links }] : [],
  )
  // All with the commit, because other writers wait for the counter.
  sendLater(ctx.db, [writes.insertWorkOrders(ctx.db, projectId, first, rows), ...addContext(ctx.db, projectId, linked)])
  await recordEvents(
    ctx,
    created.map(({ id, workOrderNumber, title }) =>
      workOrderEvents.created(id, { work_order_number: workOrderNumber, title }),
    ),
  )
  return created
}

const columnsOf = ({ values, resolved }: Draft): writes.WorkOrderColumns => ({
  title: values.title ?? UNTITLED,
  status: values.status ?? 'backlog',
  priority: values.priority ?? 'no_priority',
  type: values.type ?? 'none',
  phaseId: resolved.phase?.id ?? null,
  assigneeId: resolved.assignee?.id ?? null,
  labelIds: resolved.labels?.map((label) => label.id) ?? [],
  markdownContent: values.description?.markdownContent ?? '',
  descriptionSnippet: values.description?.snippet ?? '',
  implementationPlan: values.implementationPlan ?? null,
})
