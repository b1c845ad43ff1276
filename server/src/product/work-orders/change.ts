import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { notFound } from '../../kernel/errors.ts'
import { type NewEvent, recordEvents } from '../../kernel/events.ts'
import { refuseStale } from '../../kernel/http/answers/etag.ts'
import { type Link, lockLinks, replaceContext } from '../links/index.ts'
import { columnsOf, deleteLockedWorkOrders, loadWorkOrder, lockWorkOrder } from './actions.ts'
import { differenceFrom, type ExpectedValues } from './batches/expected-values.ts'
import { workOrderEvents } from './events.ts'
import { authorizeWrite } from './policy.ts'
import { lockWorkOrders } from './queries.ts'
import { findReferences, type Resolved } from './references.ts'
import { representWorkOrder } from './representation.ts'
import {
  type Outcome,
  presentChanges,
  presentFields,
  refused,
  type Target,
  type WorkOrder,
  type WorkOrderValues,
} from './work-order.ts'
import * as writes from './writes.ts'

/** Sets values of a work order, or deletes it. */
export interface Change {
  target: Target
  values: WorkOrderValues
  deletes: boolean
  /** If the work order has other values, it is left alone. */
  expected?: ExpectedValues | undefined
}

/** A work order while changes are applied: its original state, its current state, and what must be written. */
interface Draft {
  before: WorkOrder
  now: WorkOrder
  changed: Set<keyof WorkOrder>
  deleted: boolean
}

export function changeWorkOrder(ctx: Ctx, id: string, values: WorkOrderValues): Promise<WorkOrder> {
  return inTransaction(ctx, async (ctx) => {
    if (ctx.ifMatch !== undefined) {
      const workOrder = await lockWorkOrder(ctx, id)
      refuseStale(ctx.ifMatch, () => representWorkOrder(workOrder).etag)
    }
    const [outcome] = await changeWorkOrders(ctx, [{ target: { id: id.toLowerCase() }, values, deletes: false }])
    if (outcome!.workOrder === null) throw notFound('work order', id)
    if (outcome!.fault !== undefined) throw refused(outcome!.fault)
    return loadWorkOrder(ctx, id)
  })
}

/**
 * Applies each change separately, in order: one that cannot be made fails, the others are made. It locks everything
 * that the changes name, applies them in memory, and writes the result in a fixed number of statements.
 */
export function changeWorkOrders(ctx: Ctx, changes: Change[]): Promise<Outcome[]> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    if (changes.some(({ deletes, values }) => deletes || values.context)) await lockLinks(ctx.db, projectId)
    const drafts = await loadDrafts(ctx, changes)
    const all = changes.map((change) => change.values)
    const resolve = await findReferences(ctx.db, projectId, all)

    const events: NewEvent[] = []
    const outcomes = changes.map(({ target, values, deletes, expected }): Outcome => {
      const draft = drafts.find(target)
      if (!draft || draft.deleted) return { workOrder: null, fault: noWorkOrder(target) }
      const workOrder = { id: draft.now.id, workOrderNumber: draft.now.workOrderNumber }
      const difference = expected && differenceFrom(expected, draft.now)
      if (difference) return { workOrder, fault: `${difference} Somebody changed it since.` }
      const resolved = resolve(values, draft.now.id)
      if ('fault' in resolved) return { workOrder, fault: resolved.fault }
      const gone = resolved.links?.find((link) => drafts.find({ id: link.resourceId })?.deleted)
      if (gone) return { workOrder, fault: `There is no ${gone.resourceType} "${gone.resourceId}" in this project.` }
      if (resolved.links) connectOtherEnds(drafts.all, draft.now.id, resolved.links)
      if (deletes) {
        draft.deleted = true
        connectOtherEnds(drafts.all, draft.now.id, [])
      } else events.push(...applyValues(draft, values, resolved))
      return { workOrder, fault: undefined }
    })
    await writeDrafts(ctx, drafts.all)
    const deleted = new Set(drafts.all.filter((draft) => draft.deleted).map((draft) => draft.now.id))
    await recordEvents(
      ctx,
      events.filter((event) => !deleted.has(event.subjectId)),
    )
    return outcomes
  })
}

const noWorkOrder = (target: Target) =>
  `There is no work order "${'id' in target ? target.id : target.number}" in this project.`

async function loadDrafts(ctx: TxCtx, changes: Change[]) {
  const ids = changes.flatMap(({ target }) => ('id' in target ? [target.id] : []))
  const numbers = changes.flatMap(({ target }) => ('number' in target ? [target.number] : []))
  const locked = await lockWorkOrders(ctx.db, ctx.actor.projectId, ids, numbers)
  const all = locked.map(
    (workOrder): Draft => ({ before: workOrder, now: { ...workOrder }, changed: new Set(), deleted: false }),
  )
  const byId = new Map(all.map((draft) => [draft.now.id, draft]))
  const byNumber = new Map(all.map((draft) => [draft.now.workOrderNumber, draft]))
  const find = (target: Target) => ('id' in target ? byId.get(target.id) : byNumber.get(target.number))
  return { all, find }
}

function applyValues(
  draft: Draft,
  { title, status, priority, type, description, implementationPlan }: WorkOrderValues,
  { assignee, phase, labels, links }: Resolved,
): NewEvent[] {
  const statusBefore = draft.now.status
  const wanted: { [Field in keyof WorkOrder]?: WorkOrder[Field] | undefined } = {
    title,
    status,
    priority,
    type,
    markdownContent: description?.markdownContent,
    implementationPlan,
    assignee,
    phase,
    labels,
    context: links,
  }
  const fields = (Object.keys(wanted) as (keyof WorkOrder)[]).filter(
    (name) => wanted[name] !== undefined && !isSame(draft.now[name], wanted[name]),
  )
  if (fields.length === 0) return []
  const changes = presentChanges(draft.now, wanted, fields)
  for (const name of fields) {
    Object.assign(draft.now, { [name]: wanted[name] })
    draft.changed.add(name)
  }
  if (description) draft.now.descriptionSnippet = description.snippet
  const { id } = draft.now
  const updated = workOrderEvents.updated(id, { fields: presentFields(fields), ...changes })
  if (!fields.includes('status')) return [updated]
  return [updated, workOrderEvents.status_changed(id, { from: statusBefore, to: draft.now.status })]
}

/** A link has two ends: what one change sets at one end, a later change sees at the other. */
function connectOtherEnds(all: Draft[], id: string, links: Link[]): void {
  const connected = new Set(links.map((link) => link.resourceId))
  for (const { now } of all) {
    const at = now.context.findIndex((link) => link.resourceId === id)
    if (connected.has(now.id) && at === -1)
      now.context = [...now.context, { resourceType: 'work_order', resourceId: id }]
    else if (!connected.has(now.id) && at !== -1) now.context = now.context.toSpliced(at, 1)
  }
}

const isSame = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b)

async function writeDrafts(ctx: TxCtx, all: Draft[]): Promise<void> {
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
