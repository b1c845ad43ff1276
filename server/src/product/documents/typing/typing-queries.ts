import type { Db, Tx } from '../../../kernel/database/index.ts'
import type { LockedDocument } from '../document.ts'

export async function findVersionContent(
  db: Db,
  projectId: string,
  documentId: string,
  versionId: string,
): Promise<string | undefined> {
  const [row] = await db<{ content: string }[]>`
    select markdown_content as content from document_versions
    where project_id = ${projectId} and document_id = ${documentId} and id = ${versionId}`
  return row?.content
}

type VersionRef = Pick<LockedDocument, 'id' | 'versionId'>

/** Returns the first author of this version if it was typed and people may still add to it. */
export async function findOpenVersion(db: Db, projectId: string, { id, versionId }: VersionRef) {
  const [open] = await db<{ userId: string | null }[]>`
    select user_id as "userId" from document_versions
    where project_id = ${projectId} and document_id = ${id} and id = ${versionId} and open_until > now()`
  return open
}

export async function keepVersionOpen(db: Tx, projectId: string, { id, versionId }: VersionRef, window: string) {
  await db`
    update document_versions set open_until = now() + ${window}::interval
    where project_id = ${projectId} and document_id = ${id} and id = ${versionId}`
}

/** Replaces the content of the newest version and of its document. Returns the time of the update. */
export async function rewriteVersion(db: Tx, projectId: string, { id, versionId }: VersionRef, content: string) {
  const [row] = await db<{ updatedAt: string }[]>`
    with typed as (
      select ${content}::text as content
    ), folded as (
      update document_versions set markdown_content = content from typed
      where project_id = ${projectId} and document_id = ${id} and id = ${versionId}
    )
    update documents set markdown_content = content,
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    from typed
    where project_id = ${projectId} and id = ${id}
    returning updated_at as "updatedAt"`
  return row!.updatedAt
}
