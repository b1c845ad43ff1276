import { type Db, likeSubstring } from '../kernel/database.ts'
import type { Link, ResourceType } from '../links/index.ts'
import type { ChildReference, Document, DocumentSummary } from './document.ts'

const summaryColumns = (db: Db) => db`
  d.id, d.kind, d.tree_id as "treeId", t.name as "treeName", d.parent_id as "parentId", d.paired_with as "pairedWith", d.title, d.updated_at as "updatedAt",
  (select json_agg(json_build_object('id', c.id, 'document_id', c.id, 'title', c.title) order by c.position, c.id)
    from documents c where c.project_id = d.project_id and c.parent_id = d.id) as children`

const detailColumns = (db: Db) => db`${summaryColumns(db)},
  d.version_id as "versionId", d.version_number as "versionNumber", d.markdown_content as "markdownContent",
  (select json_agg(json_build_object('resourceType', l.to_type, 'resourceId', l.to_id) order by l.position)
    from context_links l where l.project_id = d.project_id and l.from_id = d.id) as context`

const treeJoin = (db: Db) => db`join document_trees t on t.project_id = d.project_id and t.id = d.tree_id`

type SummaryRow = Omit<DocumentSummary, 'children'> & { children: ChildReference[] | null }
type DetailRow = Omit<Document, 'children' | 'context'> & { children: ChildReference[] | null; context: Link[] | null }

const toSummary = (row: SummaryRow): DocumentSummary => ({ ...row, children: row.children ?? [] })
const toDocument = (row: DetailRow): Document => ({ ...row, children: row.children ?? [], context: row.context ?? [] })

export async function findDocument(
  db: Db,
  projectId: string,
  kind: ResourceType,
  id: string,
): Promise<Document | undefined> {
  const [row] = await db<DetailRow[]>`
    select ${detailColumns(db)} from documents d ${treeJoin(db)} where d.project_id = ${projectId} and d.id = ${id} and d.kind = ${kind}`
  return row && toDocument(row)
}

/** Read after the lock: a statement that waited for a row sees that row as it is, but what it joins as it was. */
export async function lockDocument(
  db: Db,
  projectId: string,
  kind: ResourceType,
  id: string,
): Promise<Document | undefined> {
  const [found] = await db`
    select 1 from documents where project_id = ${projectId} and id = ${id} and kind = ${kind} for update`
  return found && findDocument(db, projectId, kind, id)
}

export async function findPair(db: Db, projectId: string, pairedWith: string): Promise<Document | undefined> {
  const [row] = await db<DetailRow[]>`
    select ${detailColumns(db)} from documents d ${treeJoin(db)} where d.project_id = ${projectId} and d.paired_with = ${pairedWith}`
  return row && toDocument(row)
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
  const conditions = db`d.project_id = ${projectId} and d.kind = ${kind} ${some.length > 0 ? some : db``}`
  const total =
    some.length > 0
      ? db`(select count(*)::int from documents d ${treeJoin(db)} where ${conditions})`
      : db`(select coalesce(max(live), 0) from counters where project_id = ${projectId} and name = ${kind})`
  const rows = await db<(SummaryRow & { total: number })[]>`
    select ${summaryColumns(db)}, ${total} as total from documents d ${treeJoin(db)} where ${conditions}
    order by d.id limit ${limit} offset ${offset}`
  if (rows.length > 0 || offset === 0)
    return { rows: rows.map(({ total: _total, ...row }) => toSummary(row)), total: rows[0]?.total ?? 0 }
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
