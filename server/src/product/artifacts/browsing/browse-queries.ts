import { type Db, likeSubstring, raw, type SqlPart } from '../../../kernel/database/index.ts'
import { nameKey, type Type } from '../artifact.ts'
import { foldersWithin, WORDS_SQL } from '../queries.ts'
import { KIND_SQL, type Kind } from './kind.ts'

/** Folders come first in every order. */
export const SORTS = ['name', '-name', 'updated', '-updated', 'size', '-size'] as const
export type Sort = (typeof SORTS)[number]

const ORDERS: Record<Sort, string> = {
  name: 'a.name_key, a.id',
  '-name': 'a.name_key desc, a.id desc',
  updated: 'a.updated_at, a.id',
  '-updated': 'a.updated_at desc, a.id desc',
  size: 'a.size_bytes nulls first, a.name_key, a.id',
  '-size': 'a.size_bytes desc nulls last, a.name_key, a.id',
}

const SNIPPET_BEFORE = 40
const SNIPPET_LENGTH = 160

export interface BrowsedRow {
  id: string
  name: string
  type: Type
  kind: Kind
  contentType: string | null
  sizeBytes: number | null
  parentId: string | null
  folderPath: string
  itemCount: number | null
  usedCount: number
  createdById: string | null
  createdBy: string
  createdAt: string
  updatedAt: string
  snippet: string | null
}

export interface Browsing {
  /** Null for the root. */
  folderId: string | null
  /** Also looks into folders below. Each word is in the name or in the text of a document or a file. */
  words: string[]
  kinds: Kind[]
  sort: Sort
}

/** One page of a folder, with everything that a list shows. */
export async function browseFolder(
  db: Db,
  projectId: string,
  browsing: Browsing,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: BrowsedRow[]; total: number }> {
  const { words, sort } = browsing
  const where = conditionsOf(db, projectId, browsing)
  const [rows, [counted]] = await Promise.all([
    db<BrowsedRow[]>`
      select ${shownOf(db, projectId, words[0])}
      from (select * from artifacts a where a.project_id = ${projectId} ${where}
        order by a.type <> 'folder', ${raw(ORDERS[sort])} limit ${limit} offset ${offset}) a
      order by a.type <> 'folder', ${raw(ORDERS[sort])}`,
    db<{ total: number }[]>`select count(*)::int as total from artifacts a where a.project_id = ${projectId} ${where}`,
  ])
  return { rows, total: counted!.total }
}

/** The columns of a row `a`. Reads tables of `links` and `work-orders` to count uses. */
const shownOf = (
  db: Db,
  projectId: string,
  word: string | undefined,
): SqlPart => db`a.id, a.name, a.type, ${raw(KIND_SQL)} as kind, a.content_type as "contentType",
  a.size_bytes::float8 as "sizeBytes", a.parent_id as "parentId", a.folder_path as "folderPath",
  case when a.type = 'folder' then (select count(*)::int from artifacts c
    where c.project_id = ${projectId} and c.parent_id = a.id) end as "itemCount",
  (select count(*)::int from context_links l where l.project_id = ${projectId} and l.from_id = a.id)
  + (select count(*)::int from work_order_comment_artifacts w
    where w.project_id = ${projectId} and w.artifact_id = a.id) as "usedCount",
  a.created_by_id as "createdById", a.created_by as "createdBy", a.created_at as "createdAt",
  a.updated_at as "updatedAt", ${snippetOf(db, word)} as snippet`

/** What lists show of one artifact. */
export async function findBrowsed(db: Db, projectId: string, id: string): Promise<BrowsedRow | undefined> {
  const [row] = await db<BrowsedRow[]>`select ${shownOf(db, projectId, undefined)}
    from artifacts a where a.project_id = ${projectId} and a.id = ${id}`
  return row
}

function conditionsOf(db: Db, projectId: string, { folderId, words, kinds }: Browsing): SqlPart[] {
  const place = folderId === null ? db`and a.parent_id is null` : db`and a.parent_id = ${folderId}`
  const below = folderId === null ? db`` : db`and a.parent_id in (${foldersWithin(db, projectId, folderId)})`
  return [
    words.length === 0 ? place : below,
    kinds.length > 0 ? db`and (${raw(KIND_SQL)}) = any(${kinds})` : db``,
    ...words.map(
      (word) =>
        db`and (a.name_key like ${likeSubstring(nameKey(word))} or ${raw(WORDS_SQL)} ilike ${likeSubstring(word)})`,
    ),
  ]
}

/** The first word in its surroundings, if the name does not have it. */
const snippetOf = (db: Db, word: string | undefined): SqlPart =>
  word === undefined
    ? db`null::text`
    : db`case when a.name_key not like ${likeSubstring(nameKey(word))} then substring(${raw(WORDS_SQL)}
        from greatest(1, position(lower(${word}) in lower(${raw(WORDS_SQL)})) - ${SNIPPET_BEFORE}::int)
        for ${SNIPPET_LENGTH}::int) end`

export interface FolderNode {
  id: string
  name: string
  parentId: string | null
  /** Of the files and documents that lie in the folder itself. */
  fileCount: number
}

/** All folders of a project by name, and the number of files in the root. */
export async function listFolders(db: Db, projectId: string): Promise<{ folders: FolderNode[]; rootCount: number }> {
  const [folders, counts] = await Promise.all([
    db<Omit<FolderNode, 'fileCount'>[]>`select id, name, parent_id as "parentId" from artifacts
      where project_id = ${projectId} and type = 'folder' order by name_key, id`,
    db<{ parentId: string | null; count: number }[]>`select parent_id as "parentId", count(*)::int as count
      from artifacts where project_id = ${projectId} and type <> 'folder' group by parent_id`,
  ])
  const byFolder = new Map(counts.map(({ parentId, count }) => [parentId, count]))
  return {
    folders: folders.map((one) => ({ ...one, fileCount: byFolder.get(one.id) ?? 0 })),
    rootCount: byFolder.get(null) ?? 0,
  }
}
