import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { recordEvent, recordEvents } from '../../../kernel/events.ts'
import { checkExpected } from '../../../kernel/expected.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { labelEvents, workOrderEvents } from '../events.ts'
import { authorizeWrite } from '../policy.ts'
import type { Label, LabelColor } from '../work-order.ts'
import * as queries from './label-queries.ts'

export function addLabel(ctx: Ctx, { title, color }: { title: string; color: LabelColor }): Promise<Label> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const label = await queries.insertLabel(ctx.db, ctx.actor.projectId, { id: uuidv7(), title, color })
    if (!label) throw labelExists(title)
    await recordEvent(ctx, labelEvents.created(label.id, { title, color }))
    return label
  })
}

/** Renames, recolours or archives. An archived label stays on the work orders that have it. */
export function changeLabel(
  ctx: Ctx,
  id: string,
  change: Partial<Pick<Label, 'title' | 'color' | 'archived'>>,
  expectedTitle?: string,
): Promise<Label> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await queries.lockLabel(ctx.db, projectId, id)
    if (!before) throw notFound('label', id)
    authorizeWrite(ctx.actor)
    const label = { ...before, ...change }
    checkExpected('title', before.title, change.title, expectedTitle)
    if (await queries.isTitleTaken(ctx.db, projectId, label)) throw labelExists(label.title)
    await queries.updateLabel(ctx.db, projectId, label)
    await recordEvent(ctx, labelEvents.updated(id, change))
    return label
  })
}

/** Deletes a label and takes it off every work order. */
export function deleteLabel(ctx: Ctx, id: string): Promise<void> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    // Work orders first, then the label: in the order of those who put it on a work order.
    await queries.lockWorkOrdersWith(ctx.db, projectId, id)
    const label = await queries.lockLabel(ctx.db, projectId, id)
    if (!label) throw notFound('label', id)
    const had = await queries.takeLabelOff(ctx.db, projectId, id)
    await queries.deleteLabel(ctx.db, projectId, id)
    const changes = { labels: { from: [label.title], to: [] } }
    await recordEvents(ctx, [
      ...had.map((one) => workOrderEvents.updated(one.id, { fields: ['labels'], changes })),
      labelEvents.deleted(id, { title: label.title }),
    ])
  })
}

const labelExists = (title: string) =>
  conflict('already_exists', `There is a label "${title}" already. Choose another title.`)
