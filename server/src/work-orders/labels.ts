import type { Ctx } from '../kernel/context.ts'
import { type Db, inTransaction } from '../kernel/database/index.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'

import { authorizeWrite } from '../projects/index.ts'
import type { Label, LabelColor } from './work-order.ts'

const columns = (db: Db) => db`id, title, color, archived`

export const listLabels = (db: Db, projectId: string, includeArchived: boolean) => db<Label[]>`
  select ${columns(db)} from labels where project_id = ${projectId} and (${includeArchived} or not archived)
  order by lower(title), id`

export const findLabels = (db: Db, projectId: string, ids: string[]) => db<Label[]>`
  select ${columns(db)} from labels where project_id = ${projectId} and id = any(${ids}::uuid[])`

export function addLabel(ctx: Ctx, { title, color }: { title: string; color: LabelColor }): Promise<Label> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const [label] = await ctx.db<Label[]>`
      insert into labels (project_id, id, title, color) values (${ctx.actor.projectId}, ${uuidv7()}, ${title}, ${color})
      on conflict do nothing returning ${columns(ctx.db)}`
    if (!label) throw labelExists(title)
    await recordEvent(ctx, {
      kind: 'label.created',
      subjectType: 'label',
      subjectId: label.id,
      payload: { title, color },
    })
    return label
  })
}

/** Renames, recolours or archives. An archived label stays on the work orders that have it. */
export function changeLabel(
  ctx: Ctx,
  id: string,
  change: Partial<Pick<Label, 'title' | 'color' | 'archived'>>,
): Promise<Label> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const [before] = await ctx.db<Label[]>`
      select ${columns(ctx.db)} from labels where project_id = ${projectId} and id = ${id} for update`
    if (!before) throw notFound('label', id)
    const label = { ...before, ...change }
    const [taken] = await ctx.db`select 1 from labels
      where project_id = ${projectId} and lower(title) = lower(${label.title}) and id <> ${id}`
    if (taken) throw labelExists(label.title)
    await ctx.db`update labels set title = ${label.title}, color = ${label.color}, archived = ${label.archived}
      where project_id = ${projectId} and id = ${id}`
    await recordEvent(ctx, { kind: 'label.updated', subjectType: 'label', subjectId: id, payload: change })
    return label
  })
}

const labelExists = (title: string) =>
  conflict('already_exists', `There is a label "${title}" already. Choose another title.`)
