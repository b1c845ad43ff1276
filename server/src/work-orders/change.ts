import type { Ctx } from '../kernel/context.ts'
import { inTransaction, type Tx } from '../kernel/database/index.ts'
import { type NewEvent, recordEvents } from '../kernel/events.ts'
import { type Link, lockLinks, replaceContext } from '../links/index.ts'
import { authorizeWrite } from '../projects/index.ts'
import { columnsOf, deleteLockedWorkOrders } from './actions.ts'
import { type BatchResult, failed, ignoredMessage, type Outcome, succeeded, summarize } from './create.ts'
import type { Batch, ParsedUpdate } from './operations.ts'
import { lockWorkOrders } from './queries.ts'
import { findReferences, type Resolved } from './references.ts'
import type { WorkOrder } from './work-order.ts'
import * as writes from './writes.ts'

/** A work order in the course of a batch: as it was, as it is now, and which parts must be written. */
interface Draft {
  before: WorkOrder
  now: WorkOrder
  changed: Set<keyof WorkOrder>
  deleted: boolean
}

/**
 * Locks everything that the batch names, applies its operations in order to what is in memory, and then writes what
 * came out: a fixed number of statements, whatever the number of operations.
 */
export function updateWorkOrderBatch(ctx: Ctx, { requestId, operations }: Batch<ParsedUpdate>): Promise<BatchResult> {
  authorizeWrite(ctx.actor)
  const good = operations.flatMap(({ parsed }) => ('fault' in parsed ? [] : [parsed]))
  return inTransaction(ctx, async (ctx) => {
    if (good.some((one) => one.type === 'DeleteWorkOrder' || one.values.connectedContext))
      await lockLinks(ctx.db, ctx.actor.projectId)
    const drafts = await loadDrafts(ctx, good)
    const resolve = await findReferences(
      ctx.db,
      ctx.actor.projectId,
      good.map((one) => one.values),
    )

    const events: NewEvent[] = []
    const outcomes = operations.map(({ operation, parsed: one }): Outcome => {
      if ('fault' in one) return failed(operation, one.fault)
      const draft = drafts(one.target)
      if (!draft || draft.deleted)
        return failed(operation, `There is no work order "${wordFor(one.target)}" in this project.`)
      const resolved = resolve(one.values, draft.now.id)
      if ('fault' in resolved) return { ...failed(operation, resolved.fault), ...namesOf(draft) }
      const gone = resolved.links?.find((link) => drafts({ id: link.resourceId })?.deleted)
      if (gone)
        return {
          ...failed(operation, `There is no ${gone.resourceType} "${gone.resourceId}" in this project.`),
          ...namesOf(draft),
        }
      if (resolved.links) seeFromOtherEnds(drafts.all, draft.now.id, resolved.links)
      if (one.type === 'DeleteWorkOrder') {
        draft.deleted = true
        seeFromOtherEnds(drafts.all, draft.now.id, [])
      } else events.push(...applyValues(draft, one, resolved))
      return { ...succeeded(operation, ignoredMessage(one.ignored)), ...namesOf(draft) }
    })
    await writeDrafts(ctx, drafts.all)
    const gone = new Set(drafts.all.filter((draft) => draft.deleted).map((draft) => draft.now.id))
    await recordEvents(
      ctx,
      events.filter((event) => !gone.has(event.subjectId)),
    )
    return summarize(requestId, outcomes)
  })
}

const wordFor = (target: ParsedUpdate['target']) => ('id' in target ? target.id : target.number)

const namesOf = ({ now }: Draft) => ({ work_order_id: now.id, work_order_number: now.workOrderNumber })

async function loadDrafts(ctx: Ctx & { db: Tx }, operations: ParsedUpdate[]) {
  const ids = operations.flatMap(({ target }) => ('id' in target ? [target.id] : []))
  const numbers = operations.flatMap(({ target }) => ('number' in target ? [target.number] : []))
  const locked = await lockWorkOrders(ctx.db, ctx.actor.projectId, ids, numbers)
  const all = locked.map(
    (workOrder): Draft => ({ before: workOrder, now: { ...workOrder }, changed: new Set(), deleted: false }),
  )
  const byId = new Map(all.map((draft) => [draft.now.id, draft]))
  const byNumber = new Map(all.map((draft) => [draft.now.workOrderNumber, draft]))
  const find = (target: ParsedUpdate['target']) => ('id' in target ? byId.get(target.id) : byNumber.get(target.number))
  return Object.assign(find, { all })
}

function applyValues(
  draft: Draft,
  { values, snippet }: ParsedUpdate,
  { assignee, phase, labels, links }: Resolved,
): NewEvent[] {
  const statusBefore = draft.now.status
  const wanted: Partial<WorkOrder> = {
    ...(values.title !== undefined && { title: values.title }),
    ...(values.status !== undefined && { status: values.status }),
    ...(values.priority !== undefined && { priority: values.priority }),
    ...(values.type !== undefined && { type: values.type }),
    ...(values.markdown_content !== undefined && { markdownContent: values.markdown_content }),
    ...(values.implementation_plan !== undefined && { implementationPlan: values.implementation_plan }),
    ...(assignee !== undefined && { assignee }),
    ...(phase !== undefined && { phase }),
    ...(labels !== undefined && { labels }),
    ...(links !== undefined && { context: links }),
  }
  const fields = (Object.keys(wanted) as (keyof WorkOrder)[]).filter(
    (name) => !sameValue(draft.now[name], wanted[name]),
  )
  if (fields.length === 0) return []
  Object.assign(draft.now, wanted, snippet !== undefined && { descriptionSnippet: snippet })
  for (const name of fields) draft.changed.add(name)
  const subject = { subjectType: 'work_order', subjectId: draft.now.id }
  const events: NewEvent[] = [{ kind: 'work_order.updated', ...subject, payload: { fields } }]
  if (fields.includes('status'))
    events.push({
      kind: 'work_order.status_changed',
      ...subject,
      payload: { from: statusBefore, to: draft.now.status },
    })
  return events
}

/** A connection has two ends: what one operation gives to one of them, the next one finds at the other. */
function seeFromOtherEnds(all: Draft[], id: string, links: Link[]): void {
  const connected = new Set(links.map((link) => link.resourceId))
  for (const { now } of all) {
    const at = now.context.findIndex((link) => link.resourceId === id)
    if (connected.has(now.id) && at === -1)
      now.context = [...now.context, { resourceType: 'work_order', resourceId: id }]
    else if (!connected.has(now.id) && at !== -1) now.context = now.context.toSpliced(at, 1)
  }
}

const sameValue = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)

async function writeDrafts(ctx: Ctx & { db: Tx }, all: Draft[]): Promise<void> {
  const { projectId } = ctx.actor
  const changed = all.filter((draft) => !draft.deleted && draft.changed.size > 0)
  await writes.updateWorkOrders(
    ctx.db,
    projectId,
    changed.map(({ now }) => ({ id: now.id, columns: columnsOf(now) })),
  )
  await replaceContext(
    ctx.db,
    projectId,
    changed
      .filter((draft) => draft.changed.has('context'))
      .map(({ now }) => ({ type: 'work_order', id: now.id, links: now.context })),
  )
  await deleteLockedWorkOrders(
    ctx,
    all.filter((draft) => draft.deleted).map((draft) => draft.before),
  )
}
