import type { Db } from '../../kernel/database/index.ts'
import { nameKey, type StoredContent, type Type } from './artifact.ts'
import { foldersWithin } from './queries.ts'

export interface ArtifactColumns {
  id: string
  type: Type
  parentId: string | null
  folderPath: string
  name: string
  content: StoredContent | null
  markdownContent: string | null
  userId: string | null
  userName: string
}

/** Returns false if the name is taken. Waits for a concurrent transaction that is taking it. */
export async function insertArtifact(db: Db, projectId: string, columns: ArtifactColumns): Promise<boolean> {
  const { content } = columns
  const changed = await db`
    insert into artifacts (project_id, id, type, parent_id, name, name_key, folder_path, content_type, size_bytes,
      content_key, sha256, markdown_content, created_by_id, created_by, created_at, updated_at)
    values (${projectId}, ${columns.id}, ${columns.type}, ${columns.parentId}, ${columns.name}, ${nameKey(columns.name)},
      ${columns.folderPath}, ${content?.contentType ?? null}, ${content?.size ?? null}, ${content?.key ?? null},
      ${content?.sha256 ?? null}, ${columns.markdownContent}, ${columns.userId}, ${columns.userName}, now(), now())
    on conflict do nothing returning 1`
  return changed.length === 1
}

/** `updated_at` always increases, even within one millisecond, so "changed since" never misses a change. */
export async function placeArtifact(
  db: Db,
  projectId: string,
  id: string,
  { parentId, folderPath, name }: Pick<ArtifactColumns, 'parentId' | 'folderPath' | 'name'>,
): Promise<void> {
  await db`
    update artifacts set parent_id = ${parentId}, folder_path = ${folderPath}, name = ${name}, name_key = ${nameKey(name)},
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where project_id = ${projectId} and id = ${id}`
}

/** Updates the paths of everything in a folder. */
export async function rewritePaths(db: Db, projectId: string, folderId: string, path: string): Promise<void> {
  await db`
    with recursive within (id, path) as (
      select ${folderId}::uuid, ${path}::text
      union all
      select f.id, w.path || '/' || f.name from within w join artifacts f
        on f.project_id = ${projectId} and f.parent_id = w.id and f.type = 'folder')
    update artifacts a set folder_path = w.path from within w
    where a.project_id = ${projectId} and a.parent_id = w.id`
}

export async function replaceMarkdown(
  db: Db,
  projectId: string,
  id: string,
  markdownContent: string,
  { key, size, sha256 }: StoredContent,
): Promise<void> {
  await db`
    update artifacts set markdown_content = ${markdownContent}, content_key = ${key}, size_bytes = ${size},
      sha256 = ${sha256}, updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where project_id = ${projectId} and id = ${id}`
}

export async function replaceBytes(
  db: Db,
  projectId: string,
  id: string,
  { key, contentType, size, sha256 }: StoredContent,
): Promise<void> {
  await db`
    update artifacts set content_type = ${contentType}, content_key = ${key}, size_bytes = ${size}, sha256 = ${sha256},
      file_text = null, text_read_at = null,
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where project_id = ${projectId} and id = ${id}`
}

/** Deletes an artifact with everything in it. Returns what the rows were at the end. */
export function deleteWithin(db: Db, projectId: string, id: string) {
  return db<{ id: string; type: Type; name: string; folderPath: string; contentKey: string | null }[]>`
    delete from artifacts a
    where a.project_id = ${projectId} and (a.id = ${id} or a.parent_id in (${foldersWithin(db, projectId, id)}))
    returning a.id, a.type, a.name, a.folder_path as "folderPath", a.content_key as "contentKey"`
}
