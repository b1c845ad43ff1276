import type { Db } from '../../../kernel/database/index.ts'

/** Reads tables of `work-orders`. */
export async function hasLabel(db: Db, projectId: string, workOrderId: string, title: string): Promise<boolean> {
  const [row] =
    await db`select 1 from work_orders w join labels l on l.project_id = w.project_id and l.id = any(w.label_ids)
    where w.project_id = ${projectId} and w.id = ${workOrderId} and lower(l.title) = lower(${title})`
  return row !== undefined
}

/** Reads tables of `documents`. */
export async function isInCategory(db: Db, projectId: string, documentId: string, name: string): Promise<boolean> {
  const [row] =
    await db`select 1 from documents d join document_trees t on t.project_id = d.project_id and t.id = d.tree_id
    where d.project_id = ${projectId} and d.id = ${documentId} and lower(t.name) = lower(${name})`
  return row !== undefined
}

/** Reads a table of `projects`. */
export async function isKey(db: Db, projectId: string, keyId: string, named: string): Promise<boolean> {
  const [row] = await db`select 1 from api_keys
    where project_id = ${projectId} and id = ${keyId} and (id::text = lower(${named}) or lower(name) = lower(${named}))`
  return row !== undefined
}
