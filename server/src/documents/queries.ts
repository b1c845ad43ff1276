import { type Db, likeSubstring, literalLimit } from '../kernel/database.ts'
import { readTogether } from '../kernel/read-together.ts'
import type { Link, ResourceType } from '../links/index.ts'
import type { ChildReference, Document, DocumentSummary } from './document.ts'

interface SummaryRow {
  id: string
  kind: ResourceType
  tree_id: string
  tree_name: string
  parent_id: string | null
  paired_with: string | null
  title: string
  updated_at: string
  children: ChildReference[] | null
}

interface DetailRow extends SummaryRow {
  version_id: string
  version_number: number
  markdown_content: string
  context: Link[] | null
}

// Each field by name: spreading objects costs ten times as much on the path of every read.
const toSummary = (row: SummaryRow): DocumentSummary => ({
  id: row.id,
  kind: row.kind,
  treeId: row.tree_id,
  treeName: row.tree_name,
  parentId: row.parent_id,
  pairedWith: row.paired_with,
  title: row.title,
  children: row.children ?? [],
  updatedAt: row.updated_at,
})

const toDocument = (row: DetailRow): Document => ({
  id: row.id,
  kind: row.kind,
  treeId: row.tree_id,
  treeName: row.tree_name,
  parentId: row.parent_id,
  pairedWith: row.paired_with,
  title: row.title,
  children: row.children ?? [],
  updatedAt: row.updated_at,
  versionId: row.version_id,
  versionNumber: row.version_number,
  markdownContent: row.markdown_content,
  context: row.context ?? [],
})

const readTogetherById = readTogether(async (db, projectId, ids) => {
  // Written as a sub-select, the list of ids does not make PostgreSQL plan anew for every list.
  const rows = await db<DetailRow[]>`
    select d.id, d.kind, d.tree_id, t.name as tree_name, d.parent_id, d.paired_with, d.title, d.updated_at,
      d.version_id, d.version_number, d.markdown_content,
      (select json_agg(json_build_object('id', c.id, 'document_id', c.id, 'title', c.title) order by c.position, c.id)
        from documents c where c.project_id = d.project_id and c.parent_id = d.id) as children,
      (select json_agg(json_build_object('resourceType', l.to_type, 'resourceId', l.to_id) order by l.position)
        from context_links l where l.project_id = d.project_id and l.from_id = d.id) as context
    from documents d join document_trees t on t.project_id = d.project_id and t.id = d.tree_id
    where d.project_id = ${projectId} and d.id = any(array(select unnest(${ids}::uuid[])))`
  return new Map(rows.map((row) => [row.id, toDocument(row)]))
})

export async function findDocument(
  db: Db,
  projectId: string,
  kind: ResourceType,
  id: string,
): Promise<Document | undefined> {
  const document = await readTogetherById(db, projectId, id)
  return document?.kind === kind ? document : undefined
}

/** Read after the lock: a statement that waited for a row sees that row as it is, but what it joins as it was. */
export async function lockDocument(
  db: Db,
  projectId: string,
  kind: ResourceType,
  id: string,
): Promise<Document | undefined> {
  // Sent at once, so that what reads waits in PostgreSQL behind what locks, and not here for its answer.
  const locking = db`
    select 1 from documents where project_id = ${projectId} and id = ${id} and kind = ${kind} for update`.execute()
  const [document] = await Promise.all([findDocument(db, projectId, kind, id), locking])
  return document
}

const treeJoin = (db: Db) => db`join document_trees t on t.project_id = d.project_id and t.id = d.tree_id`

export async function findPair(db: Db, projectId: string, pairedWith: string): Promise<Document | undefined> {
  const [row] = await db<{ id: string }[]>`
    select id from documents where project_id = ${projectId} and paired_with = ${pairedWith}`
  return row && readTogetherById(db, projectId, row.id)
}

export interface DocumentFilters {
  treeName?: string
  title?: string
  pairedWith?: string
}

export async function listDocuments(
  db: Db,
  projectId: string,
  kind: ResourceType,
  { treeName, title, pairedWith }: DocumentFilters,
  limit: number,
  offset: number,
): Promise<{ rows: DocumentSummary[]; total: number }> {
  const some = [
    treeName && db`and lower(t.name) = lower(${treeName})`,
    title && db`and d.title ilike ${likeSubstring(title)}`,
    pairedWith && db`and d.paired_with = ${pairedWith}`,
  ].filter((one) => one !== undefined && one !== '')
  const joinIf = (needed: unknown) => (needed ? treeJoin(db) : db``)
  const conditions = db`d.project_id = ${projectId} and d.kind = ${kind} ${some.length > 0 ? some : db``}`
  const total =
    some.length > 0
      ? db`(select count(*)::int from documents d ${treeJoin(db)} where ${conditions})`
      : db`(select coalesce(max(live), 0) from counters where project_id = ${projectId} and name = ${kind})`
  const rows = await db<(SummaryRow & { total: number })[]>`
    select d.id, d.kind, d.tree_id, t.name as tree_name, d.parent_id, d.paired_with, d.title, d.updated_at,
      (select json_agg(json_build_object('id', c.id, 'document_id', c.id, 'title', c.title) order by c.position, c.id)
        from documents c where c.project_id = d.project_id and c.parent_id = d.id) as children,
      ${total} as total
    from documents d ${treeJoin(db)}
    where d.project_id = ${projectId} and d.id = any(array(
      select d.id from documents d ${joinIf(treeName)} where ${conditions}
      order by d.id limit ${literalLimit(db, limit)} offset (select ${offset}::bigint)))
    order by d.id`
  if (rows.length > 0 || offset === 0) return { rows: rows.map(toSummary), total: rows[0]?.total ?? 0 }
  const [counted] = await db<{ total: number }[]>`select ${total} as total`
  return { rows: [], total: counted!.total }
}

export const readDocumentTexts = (db: Db, projectId: string, ids: string[]) => db<
  { id: string; title: string; markdownContent: string }[]
>`select id, title, markdown_content as "markdownContent" from documents
  where project_id = ${projectId} and id = any(${ids}::uuid[])`

/** Names of the trees that documents stand in, by document. */
export async function treeNamesOf(db: Db, projectId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; name: string }[]>`
    select d.id, t.name from documents d ${treeJoin(db)} where d.project_id = ${projectId} and d.id = any(${ids}::uuid[])`
  return new Map(rows.map((row) => [row.id, row.name]))
}
