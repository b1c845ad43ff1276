import { type Db, json, raw, type Tx } from '../../../kernel/database/index.ts'
import type { Kept } from '../../../kernel/keeping/rows.ts'
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
  /** The file that had this content before it was replaced. */
  replacedId?: string
  userId: string | null
  userName: string
}

export async function insertTrashed(db: Tx, projectId: string, one: NewTrashed): Promise<void> {
  await db`
    insert into artifact_trash (project_id, id, type, name, folder_path, size_bytes, ids, rows, store_keys,
      replaced_id, deleted_by_id, deleted_by)
    values (${projectId}, ${one.id}, ${one.type}, ${one.name}, ${one.folderPath}, ${one.sizeBytes},
      ${one.ids}::uuid[], ${one.rows}, ${one.storeKeys}::text[], ${one.replacedId ?? null}, ${one.userId}, ${one.userName})`
}

const shown = `id, type, name, folder_path as "folderPath", size_bytes::float8 as "sizeBytes",
  cardinality(ids) - 1 as "itemCount", deleted_by_id as "deletedById", deleted_by as "deletedBy", deleted_at as "deletedAt"`

/** The newest first. */
export async function listTrashed(
  db: Db,
  projectId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: Trashed[]; total: number }> {
  const [rows, [counted]] = await Promise.all([
    db<Trashed[]>`
      select ${raw(shown)} from artifact_trash where project_id = ${projectId} order by deleted_at desc, id limit ${limit} offset ${offset}`,
    db<{ total: number }[]>`select count(*)::int as total from artifact_trash where project_id = ${projectId}`,
  ])
  return { rows, total: counted!.total }
}

const MAX_EARLIER = 100

export const listReplaced = (db: Db, projectId: string, id: string) => db<Trashed[]>`
  select ${raw(shown)} from artifact_trash where project_id = ${projectId} and replaced_id = ${id}
  order by deleted_at desc, id desc limit ${MAX_EARLIER}`

/** The rows of a copy of a file, with other values in some columns. */
export async function rowsOfCopy(
  db: Tx,
  projectId: string,
  id: string,
  changed: Record<string, string>,
): Promise<Kept> {
  const [copy] = await db<{ resource: string; artifact: string }[]>`
    select (to_jsonb(r) || ${json({ id: changed.id })})::text as resource,
      (to_jsonb(a) - 'file_text' - 'text_read_at' || ${json(changed)})::text as artifact
    from artifacts a join resources r on r.project_id = a.project_id and r.id = a.id
    where a.project_id = ${projectId} and a.id = ${id}`
  return [
    { table: 'resources', rows: [copy!.resource] },
    { table: 'artifacts', rows: [copy!.artifact] },
  ]
}

export interface KeptArtifact extends Pick<Trashed, 'name' | 'folderPath'> {
  ids: string[]
  rows: string
  replacedId: string | null
}

export async function lockTrashed(db: Tx, projectId: string, id: string): Promise<KeptArtifact | undefined> {
  const [row] = await db<
    KeptArtifact[]
  >`select name, folder_path as "folderPath", ids, rows, replaced_id as "replacedId"
    from artifact_trash
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
