import { type Db, json, type Tx } from '../database/index.ts'

interface KeptRows {
  type: string
  ids: string[]
  rows: string
  before: Record<string, unknown>
  storeKeys: string[]
}

export async function insertKept(db: Tx, projectId: string, deedId: string, one: KeptRows): Promise<void> {
  await db`insert into kept_rows (project_id, deed_id, resource_type, ids, rows, before, store_keys)
    values (${projectId}, ${deedId}, ${one.type}, ${one.ids}::uuid[], ${one.rows}, ${json(one.before)}, ${one.storeKeys})`
}

export async function findKept(db: Db, projectId: string, deedId: string): Promise<KeptRows | undefined> {
  const [row] = await db<KeptRows[]>`select resource_type as type, ids, rows, before, store_keys as "storeKeys"
    from kept_rows where project_id = ${projectId} and deed_id = ${deedId}`
  return row
}

export async function deleteKept(db: Db, projectId: string, deedId: string): Promise<void> {
  await db`delete from kept_rows where project_id = ${projectId} and deed_id = ${deedId}`
}

/** What was deleted longer ago than this cannot be restored. */
export const KEPT_DAYS = 30

export async function forgetOldRows(db: Db): Promise<void> {
  await db`delete from kept_rows where created_at < now() - make_interval(days => ${KEPT_DAYS})`
}
