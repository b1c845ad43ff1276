import { type Db, json, type Tx } from '../../../kernel/database/index.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import type { ResourceType } from '../../links/index.ts'

/** A document type of the requirements or a category of the blueprints. */
export interface DocumentTree {
  id: string
  name: string
  locked: boolean
}

export async function insertTrees(
  db: Tx,
  projectId: string,
  kind: ResourceType,
  trees: Omit<DocumentTree, 'id'>[],
): Promise<DocumentTree[]> {
  const rows = trees.map((tree, position) => ({ ...tree, id: uuidv7(), position }))
  await db`insert into document_trees (project_id, id, kind, name, locked, position)
    select ${projectId}, r.id, ${kind}, r.name, r.locked, r.position
    from jsonb_to_recordset(${json(rows)}) as r (id uuid, name text, locked boolean, position int)`
  return rows
}

export const listTrees = (db: Db, projectId: string, kind: ResourceType) => db<(DocumentTree & { count: number })[]>`
  select t.id, t.name, t.locked,
    (select count(*)::int from documents d where d.project_id = t.project_id and d.tree_id = t.id) as count
  from document_trees t where t.project_id = ${projectId} and t.kind = ${kind} order by t.position, t.id`

export async function findTree(
  db: Db,
  projectId: string,
  kind: ResourceType,
  by: { id: string } | { name: string },
): Promise<DocumentTree | undefined> {
  const which = 'id' in by ? db`id = ${by.id}` : db`lower(name) = lower(${by.name})`
  const [row] = await db<DocumentTree[]>`
    select id, name, locked from document_trees where project_id = ${projectId} and kind = ${kind} and ${which}`
  return row
}

export interface TreeNode {
  id: string
  title: string
  treeId: string
  parentId: string | null
  featureId: string | null
  suggestions: number
  openThreads: number
  updatedAt: string
}

/**
 * Returns all documents of a kind in the order of their trees. A replacement is recorded as a deletion and the insertion
 * after it, and counts as one suggestion.
 */
export const listTreeNodes = (db: Db, projectId: string, kind: ResourceType) => db<TreeNode[]>`
  select d.id, d.title, d.tree_id as "treeId", d.parent_id as "parentId", d.paired_with as "featureId",
    coalesce(c.count, 0) as suggestions, coalesce(t.count, 0) as "openThreads", d.updated_at as "updatedAt"
  from documents d
  left join (
    select document_id, count(*) filter (where not replaces)::int as count from (
      select document_id, kind = 'insertion' and coalesce(lag(kind) over same = 'deletion', false) as replaces from document_changes
      where project_id = ${projectId} and settled_at is null
      window same as (partition by document_id, created_at, created_by_name order by position)
    ) changes group by document_id
  ) c on c.document_id = d.id
  left join (
    select document_id, count(*)::int as count from document_threads
    where project_id = ${projectId} and not is_resolved and deleted_at is null group by document_id
  ) t on t.document_id = d.id
  where d.project_id = ${projectId} and d.kind = ${kind}
  order by d.tree_id, d.parent_id nulls first, d.position, d.id`

/** The ids of the documents of a tree, or of a document and everything below it. Empty if there is neither. */
export async function listIdsWithin(db: Db, projectId: string, kind: ResourceType, id: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    with recursive below as (
      select id from documents where project_id = ${projectId} and kind = ${kind} and (tree_id = ${id} or id = ${id})
      union
      select d.id from documents d join below b on d.parent_id = b.id where d.project_id = ${projectId}
    )
    select id from below`
  return rows.map((row) => row.id)
}
