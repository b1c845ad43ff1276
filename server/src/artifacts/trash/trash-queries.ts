import type { Db, Tx } from '../../kernel/database/index.ts'
import type { Type } from '../artifact.ts'

/** What was deleted longer ago than this cannot be restored. */
export const KEPT_DAYS = 30

export interface Trashed {
  id: string
  type: Type
  name: string
  folderPath: string
  sizeBytes: number | null
  itemCount: number
  deletedById: string | null
  deletedBy: string
  deletedAt: string
}

export interface NewTrashed extends Pick<Trashed, 'id' | 'type' | 'name' | 'folderPath' | 'sizeBytes'> {
  ids: string[]
  rows: string
  storeKeys: string[]
  userId: string | null
  userName: string
}

export async function insertTrashed(db: Tx, projectId: string, one: NewTrashed): Promise<void> {
  await db`
    insert into artifact_trash (project_id, id, type, name, folder_path, size_bytes, ids, rows, store_keys,
      deleted_by_id, deleted_by)
    values (${projectId}, ${one.id}, ${one.type}, ${one.name}, ${one.folderPath}, ${one.sizeBytes},
      ${one.ids}::uuid[], ${one.rows}, ${one.storeKeys}::text[], ${one.userId}, ${one.userName})`
}

/** The newest first. */
export async function listTrashed(
  db: Db,
  projectId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Trashed[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    db<Trashed[]>`
      select id, type, name, folder_path as "folderPath", size_bytes::float8 as "sizeBytes",
        cardinality(ids) - 1 as "itemCount", deleted_by_id as "deletedById", deleted_by as "deletedBy",
        deleted_at as "deletedAt"
      from artifact_trash where project_id = ${projectId} order by deleted_at desc, id limit ${limit} offset ${offset}`,
    db<{ total: number }[]>`select count(*)::int as total from artifact_trash where project_id = ${projectId}`,
  ])
  return { rows, total: counted!.total }
}

export interface KeptArtifact extends Pick<Trashed, 'name' | 'folderPath'> {
  ids: string[]
  rows: string
}

export async function lockTrashed(db: Tx, projectId: string, id: string): Promise<KeptArtifact | undefined> {
  const [row] = await db<KeptArtifact[]>`select name, folder_path as "folderPath", ids, rows from artifact_trash
    where project_id = ${projectId} and id = ${id} for update`
  return row
}

/** Returns the keys of its bytes. Undefined if it is not in the trash. */
export async function deleteTrashed(db: Db, projectId: string, id: string): Promise<string[] | undefined> {
  const [row] = await db<{ storeKeys: string[] }[]>`delete from artifact_trash
    where project_id = ${projectId} and id = ${id} returning store_keys as "storeKeys"`
  return row?.storeKeys
}

/** Returns the keys of the bytes of everything that is too old. */
export async function deleteExpired(db: Db): Promise<string[]> {
  const rows = await db<{ storeKeys: string[] }[]>`delete from artifact_trash
    where deleted_at < now() - make_interval(days => ${KEPT_DAYS}) returning store_keys as "storeKeys"`
  return rows.flatMap(({ storeKeys }) => storeKeys)
}
