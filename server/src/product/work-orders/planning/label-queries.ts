import { type Db, listOf } from '../../../kernel/database/index.ts'
import type { Label } from '../work-order.ts'

const columns = (db: Db) => db`id, title, color, archived`

/** Sorted by title. */
export const listLabels = (db: Db, projectId: string, includeArchived: boolean) => db<Label[]>`
  select ${columns(db)} from labels where project_id = ${projectId} and (${includeArchived} or not archived)
  order by lower(title), id`

/** Keeps them from being deleted until the transaction ends. */
export const findLabels = (db: Db, projectId: string, ids: string[]) => db<Label[]>`
  select ${columns(db)} from labels where project_id = ${projectId} and id = any(${listOf(ids, 'uuid')})
  order by id for key share`

export async function lockLabel(db: Db, projectId: string, id: string): Promise<Label | undefined> {
  const [label] = await db<Label[]>`
    select ${columns(db)} from labels where project_id = ${projectId} and id = ${id} for update`
  return label
}

/** True if another label has this title, ignoring case. */
export async function isTitleTaken(db: Db, projectId: string, { id, title }: Label): Promise<boolean> {
  const [taken] = await db`
    select 1 from labels where project_id = ${projectId} and lower(title) = lower(${title}) and id <> ${id}`
  return taken !== undefined
}

/** Returns undefined if the title is taken. */
export async function insertLabel(db: Db, projectId: string, { id, title, color }: Omit<Label, 'archived'>) {
  const [label] = await db<Label[]>`
    insert into labels (project_id, id, title, color) values (${projectId}, ${id}, ${title}, ${color})
    on conflict do nothing returning ${columns(db)}`
  return label
}

export async function updateLabel(db: Db, projectId: string, { id, title, color, archived }: Label): Promise<void> {
  await db`update labels set title = ${title}, color = ${color}, archived = ${archived}
    where project_id = ${projectId} and id = ${id}`
}

/** Locks in the order of ids, like every writer of work orders. */
export const lockWorkOrdersWith = (db: Db, projectId: string, labelId: string) => db`
  select id from work_orders where project_id = ${projectId} and label_ids @> array[${labelId}::uuid]
  order by id for update`

/** Returns the ids of those that had it. */
export const takeLabelOff = (db: Db, projectId: string, labelId: string) => db<{ id: string }[]>`
  update work_orders set label_ids = array_remove(label_ids, ${labelId}::uuid),
    updated_at = greatest(now(), updated_at + interval '1 millisecond')
  where project_id = ${projectId} and label_ids @> array[${labelId}::uuid] returning id`

export async function deleteLabel(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from labels where project_id = ${projectId} and id = ${id}`
}
