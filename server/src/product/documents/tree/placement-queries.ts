import { createHash } from 'node:crypto'
import type { Db } from '../../../kernel/database/index.ts'

/** Locates a document: its tree, its parent (null for a root) and its position among its siblings. */
export interface Place {
  treeId: string
  parentId: string | null
  position: number | undefined
}

/** Serializes all changes to the shape of a project's trees, so that positions and parents stay consistent. */
export async function lockTrees(db: Db, projectId: string): Promise<void> {
  const number = createHash('sha256').update(`documents ${projectId}`).digest().readBigInt64BE(0).toString()
  await db`select pg_advisory_xact_lock(${number}::bigint)`
}

export async function countSiblings(db: Db, projectId: string, { treeId, parentId }: Place): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::int as count from documents
    where project_id = ${projectId} and tree_id = ${treeId} and parent_id is not distinct from ${parentId}`
  return row!.count
}

/** Makes room for `howMany` documents at position `from`, or closes a gap if `howMany` is negative. */
export async function shiftSiblings(
  db: Db,
  projectId: string,
  { treeId, parentId }: Place,
  from: number,
  howMany: number,
): Promise<void> {
  if (howMany === 0) return
  await db`update documents set position = position + ${howMany}
    where project_id = ${projectId} and tree_id = ${treeId} and parent_id is not distinct from ${parentId}
      and position >= ${from}`
}

export async function findPlace(
  db: Db,
  projectId: string,
  id: string,
): Promise<{ treeId: string; parentId: string | null; position: number }> {
  const [row] = await db<{ treeId: string; parentId: string | null; position: number }[]>`
    select tree_id as "treeId", parent_id as "parentId", position from documents where project_id = ${projectId} and id = ${id}`
  return row!
}

/** True if `id` is `ancestorId` or one of its descendants. */
export async function isWithin(db: Db, projectId: string, id: string, ancestorId: string): Promise<boolean> {
  const rows = await db`
    with recursive up as (
      select id, parent_id from documents where project_id = ${projectId} and id = ${id}
      union all
      select d.id, d.parent_id from documents d join up on d.project_id = ${projectId} and d.id = up.parent_id
    )
    select 1 from up where id = ${ancestorId}`
  return rows.length > 0
}

export async function place(
  db: Db,
  projectId: string,
  id: string,
  to: { treeId: string; parentId: string | null; position: number },
): Promise<void> {
  await db`update documents set tree_id = ${to.treeId}, parent_id = ${to.parentId}, position = ${to.position}
    where project_id = ${projectId} and id = ${id}`
}

/** Moves all descendants of `rootId` to its new tree. */
export async function moveSubtreeTo(db: Db, projectId: string, rootId: string, treeId: string): Promise<void> {
  await db`
    with recursive below as (
      select id from documents where project_id = ${projectId} and parent_id = ${rootId}
      union all
      select d.id from documents d join below on d.project_id = ${projectId} and d.parent_id = below.id
    )
    update documents d set tree_id = ${treeId} from below
    where d.project_id = ${projectId} and d.id = below.id and d.tree_id <> ${treeId}`
}

/** Puts the children of a document in its place, in the same order. */
export async function promoteChildren(
  db: Db,
  projectId: string,
  id: string,
  to: { parentId: string | null; position: number },
): Promise<number> {
  const changed = await db`
    update documents d set parent_id = ${to.parentId}, position = ${to.position} + c.place - 1
    from (select id, row_number() over (order by position, id) as place from documents
      where project_id = ${projectId} and parent_id = ${id}) c
    where d.project_id = ${projectId} and d.id = c.id returning 1`
  return changed.length
}
