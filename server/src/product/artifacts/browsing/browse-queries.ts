import { type Db, likeSubstring, raw, type SqlPart } from '../../../kernel/database/index.ts'
import { nameKey, type Type } from '../artifact.ts'
import { foldersWithin, WORDS_SQL } from '../queries.ts'
import type { Kind } from './kind.ts'

/** Folders come first in every order. */
export const SORTS = ['name', '-name', 'updated', '-updated', 'size', '-size'] as const
export type Sort = (typeof SORTS)[number]

/** Each is one index, read forward or backward. */
const ORDERS: Record<Sort, string> = {
  name: 'a.name_key, a.id',
  '-name': 'a.name_key desc, a.id desc',
  updated: 'a.updated_at, a.id',
  '-updated': 'a.updated_at desc, a.id desc',
  size: 'a.size_bytes, a.name_key, a.id',
  '-size': 'a.size_bytes desc, a.name_key desc, a.id desc',
}
/** Folders have no size. */
const FOLDER_ORDERS = { ...ORDERS, size: ORDERS.name, '-size': ORDERS.name }

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

interface Page {
  limit: number
  offset: number
}

interface Browsed {
  rows: BrowsedRow[]
  total: number
}

/** One page of a folder or of a search, with everything that a list shows. */
export async function browseFolder(db: Db, projectId: string, browsing: Browsing, page: Page): Promise<Browsed> {
  const { words } = browsing
  const { ids, total } = await (words.length === 0 ? listIds : searchIds)(db, projectId, browsing, page)
  const rows = await db<BrowsedRow[]>`select ${shownOf(db, projectId, words[0])} from artifacts a
    where a.project_id = ${projectId} and a.id = any(${ids}::uuid[]) order by array_position(${ids}::uuid[], a.id)`
  return { rows, total }
}

interface FoundIds {
  ids: string[]
  total: number
}

/** The folders in a folder come first. Its files are counted and read apart from them, each from one index. */
async function listIds(
  db: Db,
  projectId: string,
  { folderId, kinds, sort }: Browsing,
  { limit, offset }: Page,
): Promise<FoundIds> {
  const place = folderId === null ? db`and a.parent_id is null` : db`and a.parent_id = ${folderId}`
  const folders = db`a.project_id = ${projectId} ${place} and a.type = 'folder' ${ofKinds(db, kinds, 'folder')}`
  const files = db`a.project_id = ${projectId} ${place} and a.type <> 'folder' ${ofKinds(db, kinds)}`
  const [counted] = await db<{ folders: number; files: number }[]>`
    select (select count(*)::int from artifacts a where ${folders}) as folders,
      (select count(*)::int from artifacts a where ${files}) as files`
  const total = counted!.folders + counted!.files
  const ofFolders = Math.max(0, Math.min(limit, counted!.folders - offset))
  const [found] = await db<{ ids: string[] }[]>`
    select array(select a.id from artifacts a where ${folders}
        order by ${raw(FOLDER_ORDERS[sort])} limit ${ofFolders} offset ${offset})
      || array(select a.id from artifacts a where ${files} order by ${raw(ORDERS[sort])}
        limit ${limit - ofFolders} offset ${Math.max(0, offset - counted!.folders)}) as ids`
  return { ids: found!.ids, total }
}

/** In the folder and everywhere below it. Counts what it finds in the same scan, which can be long. */
async function searchIds(
  db: Db,
  projectId: string,
  { folderId, words, kinds, sort }: Browsing,
  { limit, offset }: Page,
): Promise<FoundIds> {
  const [found] = await db<{ ids: string[]; total: number }[]>`
    with found as materialized (
      select a.id, a.type, a.name_key, a.updated_at, a.size_bytes from artifacts a
      where a.project_id = ${projectId}
        ${folderId === null ? db`` : db`and a.parent_id in (${foldersWithin(db, projectId, folderId)})`}
        ${ofKinds(db, kinds)} ${words.map((word) => hasWord(db, word))})
    select (select count(*)::int from found) as total, array(select a.id from found a
      order by a.type <> 'folder', ${raw(ORDERS[sort])} limit ${limit} offset ${offset}) as ids`
  return found!
}

/** The columns of a row `a`. Reads tables of `links` and `work-orders` to count uses. */
const shownOf = (
  db: Db,
  projectId: string,
  word: string | undefined,
): SqlPart => db`a.id, a.name, a.type, a.kind, a.content_type as "contentType",
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

/** All rows have one of `all`, if that is known. */
function ofKinds(db: Db, kinds: Kind[], all?: Kind): SqlPart {
  if (kinds.length === 0 || (all && kinds.includes(all))) return db``
  return all ? db`and false` : db`and a.kind = any(${kinds})`
}

const hasWord = (db: Db, word: string): SqlPart =>
  db`and (a.name_key like ${likeSubstring(nameKey(word))} or ${raw(WORDS_SQL)} ilike ${likeSubstring(word)})`

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
