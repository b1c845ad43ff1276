import { type Db, likeSubstring, query, selectByIds, sendTogether, Values } from '../../kernel/database/index.ts'
import { contextOf, linksIn, type ResourceType } from '../links/index.ts'
import type { ChildReference, Document, DocumentOutline, DocumentSummary, LockedDocument } from './document.ts'

interface SummaryRow {
  id: string
  kind: ResourceType
  tree_id: string
  tree_name: string
  parent_id: string | null
  paired_with: string | null
  title: string
  updated_at: string
  children: string[]
}

interface OutlineRow extends SummaryRow {
  version_id: string
  version_number: number
  context: string[]
}

interface DetailRow extends OutlineRow {
  markdown_content: string
}

// Lists every field, because object spread is ten times as slow and every read runs this.
const toSummary = (row: SummaryRow): DocumentSummary => ({
  id: row.id,
  kind: row.kind,
  treeId: row.tree_id,
  treeName: row.tree_name,
  parentId: row.parent_id,
  pairedWith: row.paired_with,
  title: row.title,
  children: childrenIn(row.children),
  updatedAt: row.updated_at,
})

const toOutline = (row: OutlineRow): DocumentOutline => ({
  id: row.id,
  kind: row.kind,
  treeId: row.tree_id,
  treeName: row.tree_name,
  parentId: row.parent_id,
  pairedWith: row.paired_with,
  title: row.title,
  children: childrenIn(row.children),
  updatedAt: row.updated_at,
  versionId: row.version_id,
  versionNumber: row.version_number,
  context: linksIn(row.context),
})

function toDocument(row: DetailRow): Document {
  const document = toOutline(row) as Document
  document.markdownContent = row.markdown_content
  return document
}

/** Parses children that PostgreSQL returns as `<position> <id> <title>`, and sorts them. */
function childrenIn(children: string[]): ChildReference[] {
  if (children.length === 0) return []
  const placed = children.map((text) => {
    const idAt = text.indexOf(' ') + 1
    const titleAt = text.indexOf(' ', idAt) + 1
    const id = text.slice(idAt, titleAt - 1)
    return { position: Number(text.slice(0, idAt - 1)), child: { id, document_id: id, title: text.slice(titleAt) } }
  })
  placed.sort((one, other) => one.position - other.position || (one.child.id < other.child.id ? -1 : 1))
  return placed.map(({ child }) => child)
}

const TREE = 'join document_trees t on t.project_id = d.project_id and t.id = d.tree_id'
const CHILDREN = `array(select c.position || ' ' || c.id || ' ' || c.title from documents c
    where c.project_id = d.project_id and c.parent_id = d.id)`
const SUMMARY_COLUMNS = `d.id, d.kind, d.tree_id, t.name as tree_name, d.parent_id, d.paired_with, d.title, d.updated_at,
  ${CHILDREN} as children`

const OUTLINE_COLUMNS = `${SUMMARY_COLUMNS}, d.version_id, d.version_number, ${contextOf('d')} as context`

const BY_IDS = `from documents d ${TREE} where d.project_id = $1 and d.id =`
const selectDetails = selectByIds<DetailRow>(`select ${OUTLINE_COLUMNS}, d.markdown_content ${BY_IDS}`)
const selectOutlines = selectByIds<OutlineRow>(`select ${OUTLINE_COLUMNS} ${BY_IDS}`)

export const readDocuments = (db: Db, projectId: string, kind: ResourceType, ids: string[]) =>
  selectDetails(db, projectId, ids).map((rows) => rows.filter((row) => row.kind === kind).map(toDocument))

export const findDocument = (db: Db, projectId: string, kind: ResourceType, id: string) =>
  readDocuments(db, projectId, kind, [id]).map(([first]) => first)

export const findOutline = (db: Db, projectId: string, kind: ResourceType, id: string) =>
  selectOutlines(db, projectId, [id]).map(([row]) => (row?.kind === kind ? toOutline(row) : undefined))

/** Documents whose text contains `part`. */
export const listTextsWith = (db: Db, projectId: string, part: string) => db<{ id: string; kind: ResourceType }[]>`
  select id, kind from documents where project_id = ${projectId} and position(${part} in markdown_content) > 0
  order by id`

/**
 * Locks the row, then reads the document: a statement that waits for a row lock sees that row as it is now, but joins
 * rows from its older snapshot.
 */
export async function lockDocument(
  db: Db,
  projectId: string,
  kind: ResourceType,
  id: string,
): Promise<LockedDocument | undefined> {
  const locking = db<{ nextUpdatedAt: string }[]>`
    select greatest(now(), updated_at + interval '1 millisecond')::timestamptz(3) as "nextUpdatedAt"
    from documents where project_id = ${projectId} and id = ${id} and kind = ${kind} for update`
  const [[locked], document] = await sendTogether([locking, findDocument(db, projectId, kind, id)])
  return locked && document && { ...document, ...locked }
}

/** Returns false if the document does not exist. Otherwise it cannot be deleted until the transaction ends. */
export async function holdDocument(db: Db, projectId: string, kind: ResourceType, id: string): Promise<boolean> {
  const [found] = await db`
    select 1 from documents where project_id = ${projectId} and id = ${id} and kind = ${kind} for key share`
  return found !== undefined
}

export async function findPair(db: Db, projectId: string, pairedWith: string): Promise<DocumentOutline | undefined> {
  const [row] = await db<{ id: string; kind: ResourceType }[]>`
    select id, kind from documents where project_id = ${projectId} and paired_with = ${pairedWith}`
  return row && findOutline(db, projectId, row.kind, row.id)
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
  const values = new Values()
  const [project, ofKind] = [values.add(projectId), values.add(kind)]
  const filtering = [
    treeName && `lower(t.name) = lower(${values.add(treeName)})`,
    title && `d.title ilike ${values.add(likeSubstring(title))}`,
    pairedWith && `d.paired_with = ${values.add(pairedWith)}`,
  ].filter((one) => one !== undefined && one !== '')
  const conditions = [`d.project_id = ${project}`, `d.kind = ${ofKind}`, ...filtering].join(' and ')
  const total =
    filtering.length > 0
      ? `(select count(*)::int from documents d ${TREE} where ${conditions})`
      : `(select coalesce(max(live), 0) from counters where project_id = ${project} and name = ${ofKind})`
  const counting = { text: `select ${total} as total`, values: values.all.slice() }
  const rows = await query<SummaryRow & { total: number }>(
    db,
    `select ${SUMMARY_COLUMNS}, ${total} as total from documents d ${TREE}
    where d.project_id = ${project} and d.id = any(array(
      select d.id from documents d ${treeName ? TREE : ''} where ${conditions}
      order by d.id limit ${Math.trunc(limit)} offset (select ${values.add(offset)}::bigint)))
    order by d.id`,
    values.all,
  )
  if (rows.length > 0 || offset === 0) return { rows: rows.map(toSummary), total: rows[0]?.total ?? 0 }
  const [counted] = await query<{ total: number }>(db, counting.text, counting.values)
  return { rows: [], total: counted!.total }
}

export const readDocumentTexts = (db: Db, projectId: string, ids: string[]) => db<
  { id: string; title: string; markdownContent: string; versionNumber: number }[]
>`select id, title, markdown_content as "markdownContent", version_number as "versionNumber" from documents
  where project_id = ${projectId} and id = any(${ids}::uuid[])`
