import { type Db, likeSubstring, query, raw, type Tx } from '../../kernel/database/index.ts'
import type { WordSource } from '../../kernel/searches/word-search.ts'
import { contextOf, linksIn } from '../links/index.ts'
import { type Artifact, type ArtifactSummary, nameKey, type Type } from './artifact.ts'

/**
 * Paths contain the names of parent folders. Adding something takes this lock in shared mode; renaming, moving and
 * deleting take it exclusively and then see everything that was added before.
 */
export async function lockFolders(db: Tx, projectId: string, mode: 'shared' | 'alone'): Promise<void> {
  const name = `artifacts ${projectId}`
  if (mode === 'shared') await db`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`
  else await db`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`
}

/** For an address that names only the artifact. The caller checks that the person is in the project. */
export async function findProjectOfArtifact(db: Db, id: string): Promise<string | undefined> {
  const [row] = await db<{ projectId: string }[]>`select project_id as "projectId" from artifacts where id = ${id}`
  return row?.projectId
}

interface DetailRow extends Omit<Artifact, 'context'> {
  context: string[]
}

export async function findArtifact(db: Db, projectId: string, id: string): Promise<Artifact | undefined> {
  const [row] = await db<DetailRow[]>`
    select a.id, a.name, a.type, a.content_type as "contentType", a.size_bytes::float8 as "sizeBytes",
      a.content_key as "contentKey", a.folder_path as "folderPath", a.created_at as "createdAt",
      a.updated_at as "updatedAt", a.created_by as "createdBy", a.parent_id as "parentId", a.sha256,
      a.markdown_content as "markdownContent",
      ${raw(contextOf('a'))} as context
    from artifacts a where a.project_id = ${projectId} and a.id = ${id}`
  if (!row) return undefined
  return { ...row, context: linksIn(row.context) }
}

/** Reads after locking, because a statement that waited for a row lock sees joined rows as they were before. */
export async function lockArtifact(db: Tx, projectId: string, id: string): Promise<Artifact | undefined> {
  const [found] = await db`select 1 from artifacts where project_id = ${projectId} and id = ${id} for update`
  return found && findArtifact(db, projectId, id)
}

export interface PathStep {
  id: string
  type: Type
  name: string
}

/** Returns what exists on a path, starting at the root. */
export function walkPath(db: Db, projectId: string, segments: string[]): Promise<PathStep[]> {
  return db<PathStep[]>`
    with recursive walk (depth, id, type, name) as (
      select 1, a.id, a.type, a.name from artifacts a
      where a.project_id = ${projectId} and coalesce(a.parent_id, a.project_id) = ${projectId}
        and a.name_key = (${segments.map(nameKey)}::text[])[1]
      union all
      select w.depth + 1, a.id, a.type, a.name from walk w join artifacts a
        on a.project_id = ${projectId} and coalesce(a.parent_id, a.project_id) = w.id
        and a.name_key = (${segments.map(nameKey)}::text[])[w.depth + 1])
    select id, type, name from walk order by depth`
}

export interface ListFilters {
  /** Null for the root, undefined for anywhere. */
  folderId: string | null | undefined
  recursive: boolean
  name: string | undefined
  type: Type | undefined
}

export async function listArtifacts(
  db: Db,
  projectId: string,
  filters: ListFilters,
  limit: number,
  offset: number,
): Promise<{ rows: ArtifactSummary[]; total: number }> {
  const conditions = filterConditions(db, projectId, filters)
  const rows =
    conditions.length > 0
      ? await db<ListedRow[]>`
        select a.id, a.name, a.type, a.content_type as "contentType", a.size_bytes::float8 as "sizeBytes",
          a.content_key as "contentKey", a.folder_path as "folderPath", a.created_at as "createdAt",
          a.updated_at as "updatedAt", a.created_by as "createdBy",
          (select count(*)::int from artifacts a where a.project_id = ${projectId} ${conditions}) as total
        from artifacts a where a.project_id = ${projectId} ${conditions}
        order by a.name_key, a.id limit ${limit} offset ${offset}`
      : await query<ListedRow>(db, listOfAll(limit), [projectId, offset])
  if (rows.length > 0 || offset === 0) return { rows, total: rows[0]?.total ?? 0 }
  const [counted] = await db<{ total: number }[]>`
    select count(*)::int as total from artifacts a where a.project_id = ${projectId} ${conditions.length > 0 ? conditions : db``}`
  return { rows: [], total: counted!.total }
}

type ListedRow = ArtifactSummary & { total: number }

/**
 * The most frequent list, without a filter. Each page size has its own text that contains the limit, so the planner
 * knows it. `counters` holds the total.
 */
const listOfAll = (limit: number) => `
  select a.id, a.name, a.type, a.content_type as "contentType", a.size_bytes::float8 as "sizeBytes",
    a.content_key as "contentKey", a.folder_path as "folderPath", a.created_at as "createdAt",
    a.updated_at as "updatedAt", a.created_by as "createdBy",
    (select live from counters where project_id = $1 and name = 'artifact') as total
  from artifacts a where a.project_id = $1 order by a.name_key, a.id limit ${limit} offset $2`

function filterConditions(db: Db, projectId: string, { folderId, recursive, name, type }: ListFilters) {
  return [
    name && db`and a.name_key like ${likeSubstring(nameKey(name))}`,
    type && db`and a.type = ${type}`,
    folderId && recursive && db`and a.parent_id in (${foldersWithin(db, projectId, folderId)})`,
    folderId && !recursive && db`and a.parent_id = ${folderId}`,
    !folderId && !recursive && db`and a.parent_id is null`,
  ].filter((one) => typeof one === 'object' && one !== null)
}

/** A folder and all folders below it. */
export const foldersWithin = (db: Db, projectId: string, folderId: string) => db`
  with recursive within (id) as (
    select ${folderId}::uuid
    union all
    select f.id from within w join artifacts f
      on f.project_id = ${projectId} and f.parent_id = w.id and f.type = 'folder')
  select id from within`

export async function isWithin(db: Db, projectId: string, id: string, folderId: string): Promise<boolean> {
  const [found] = await db`select 1 from (${foldersWithin(db, projectId, folderId)}) f where f.id = ${id}`
  return found !== undefined
}

export async function findByName(
  db: Db,
  projectId: string,
  parentId: string | null,
  name: string,
): Promise<PathStep | undefined> {
  const [row] = await db<PathStep[]>`
    select id, type, name from artifacts where project_id = ${projectId}
      and coalesce(parent_id, project_id) = ${parentId ?? projectId} and name_key = ${nameKey(name)}`
  return row
}

export const readArtifactTexts = (db: Db, projectId: string, ids: string[]) => db<
  { id: string; title: string; markdownContent: string }[]
>`select id, name as title, coalesce(markdown_content, '') as "markdownContent" from artifacts
  where project_id = ${projectId} and id = any(${ids}::uuid[])`

/** Returns the keys that a row refers to, or one that was deleted and may come back. */
export async function keysInUse(db: Db, keys: string[]): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select content_key as key from artifacts where content_key = any(${keys})
    union select content_key from artifact_upload_parts where content_key = any(${keys})
    union select key from artifact_trash, unnest(store_keys) as key where store_keys && ${keys}::text[] and key = any(${keys})
    union select key from kept_rows, unnest(store_keys) as key where store_keys && ${keys}::text[] and key = any(${keys})`
  return rows.map((row) => row.key)
}

/** The ids of an artifact and everything in it. */
export async function listWithin(db: Db, projectId: string, id: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`select a.id from artifacts a
    where a.project_id = ${projectId} and (a.id = ${id} or a.parent_id in (${foldersWithin(db, projectId, id)}))`
  return rows.map((row) => row.id)
}

/** The text of a document or a file `a`, as SQL and as the index has it. */
export const WORDS_SQL = 'coalesce(a.markdown_content, a.file_text)'

/** How the search over everything looks for files and folders. */
export const ARTIFACT_WORDS: WordSource = {
  from: 'artifacts a',
  projectId: 'a.project_id',
  id: 'a.id',
  title: 'a.name',
  indexedTitle: 'a.name_key',
  detail: "concat_ws(' · ', a.type, nullif(a.folder_path, ''))",
  text: WORDS_SQL,
  newest: 'a.updated_at desc, a.id',
}
