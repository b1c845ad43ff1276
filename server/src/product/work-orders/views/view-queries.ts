import type { Db } from '../../../kernel/database/index.ts'

/** A saved list of work orders. */
export interface View {
  id: string
  ownerId: string
  shared: boolean
  name: string
  /** The query of the address that shows it: `status=ready&view=board`. */
  query: string
}

const columns = (db: Db) => db`id, owner_id as "ownerId", shared, name, query`

/** What a person sees, in the order of names. */
export const listViews = (db: Db, projectId: string, userId: string) => db<View[]>`
  select ${columns(db)} from work_order_views
  where project_id = ${projectId} and (shared or owner_id = ${userId}) order by lower(name), id`

/** Returns undefined for the private view of someone else too. */
export async function lockView(db: Db, projectId: string, userId: string, id: string): Promise<View | undefined> {
  const [view] = await db<View[]>`
    select ${columns(db)} from work_order_views
    where project_id = ${projectId} and id = ${id} and (shared or owner_id = ${userId}) for update`
  return view
}

export async function countViews(db: Db, projectId: string, userId: string): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::int from work_order_views where project_id = ${projectId} and owner_id = ${userId}`
  return row!.count
}

export async function insertView(db: Db, projectId: string, view: View): Promise<void> {
  await db`insert into work_order_views (project_id, id, owner_id, shared, name, query)
    values (${projectId}, ${view.id}, ${view.ownerId}, ${view.shared}, ${view.name}, ${view.query})`
}

export async function updateView(db: Db, projectId: string, { id, shared, name, query }: View): Promise<void> {
  await db`update work_order_views set shared = ${shared}, name = ${name}, query = ${query}
    where project_id = ${projectId} and id = ${id}`
}

export async function deleteView(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from work_order_views where project_id = ${projectId} and id = ${id}`
}
