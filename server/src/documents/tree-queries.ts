import { type Db, json, type Tx } from '../kernel/database/index.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import type { ResourceType } from '../links/index.ts'

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
