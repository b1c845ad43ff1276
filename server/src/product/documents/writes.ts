import type { Db } from '../../kernel/database/index.ts'
import type { ResourceType } from '../links/index.ts'

interface NewDocumentColumns {
  id: string
  kind: ResourceType
  treeId: string
  parentId: string | null
  position: number
  pairedWith: string | null
  title: string
  markdownContent: string
  versionId: string
}

export async function insertDocument(db: Db, projectId: string, one: NewDocumentColumns): Promise<void> {
  await db`
    insert into documents (project_id, id, kind, tree_id, parent_id, position, paired_with, title, markdown_content,
      version_id, version_number, created_at, updated_at)
    values (${projectId}, ${one.id}, ${one.kind}, ${one.treeId}, ${one.parentId}, ${one.position}, ${one.pairedWith},
      ${one.title}, ${one.markdownContent}, ${one.versionId}, 1, now(), now())`
}

export async function updateTitle(db: Db, projectId: string, id: string, title: string): Promise<void> {
  await db`update documents set title = ${title}, updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where project_id = ${projectId} and id = ${id}`
}

/** Increases `updated_at` by at least one millisecond, so that a "changed since" filter never misses a change. */
export async function touchDocument(db: Db, projectId: string, id: string): Promise<void> {
  await db`update documents set updated_at = greatest(now(), updated_at + interval '1 millisecond')
    where project_id = ${projectId} and id = ${id}`
}

export async function deleteDocument(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from documents where project_id = ${projectId} and id = ${id}`
}
