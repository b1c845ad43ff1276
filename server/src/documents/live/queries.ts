import type { Db, Tx } from '../../kernel/database/index.ts'
import type { LockedDocument } from '../document.ts'
import type { DocumentRef } from './document-name.ts'

export interface LiveState {
  versionId: string
  /** Increases with every write of the state, on any node. */
  revision: string
  /** Packed. */
  state: Uint8Array
}

export async function findState(db: Db, projectId: string, documentId: string): Promise<LiveState | undefined> {
  const [row] = await db<LiveState[]>`
    select version_id as "versionId", revision, state from live_documents
    where project_id = ${projectId} and document_id = ${documentId}`
  return row
}

/** Returns the state if it is that of the newest version. */
export async function findCurrentState(
  db: Db,
  projectId: string,
  { kind, id }: DocumentRef,
): Promise<LiveState | undefined> {
  const [row] = await db<LiveState[]>`
    select l.version_id as "versionId", l.revision, l.state
    from documents d join live_documents l using (project_id, version_id)
    where project_id = ${projectId} and d.id = ${id} and d.kind = ${kind} and l.document_id = d.id`
  return row
}

/** Does not load the state, which may be large. */
export async function findRevision(db: Db, projectId: string, documentId: string) {
  const [row] = await db<Omit<LiveState, 'state'>[]>`
    select version_id as "versionId", revision from live_documents
    where project_id = ${projectId} and document_id = ${documentId}`
  return row
}

export async function saveState(
  db: Db,
  projectId: string,
  documentId: string,
  versionId: string,
  state: Uint8Array,
): Promise<LiveState> {
  const [row] = await db<{ revision: string }[]>`
    insert into live_documents (project_id, document_id, version_id, revision, state)
    values (${projectId}, ${documentId}, ${versionId}, 1, ${Buffer.from(state)})
    on conflict (project_id, document_id) do update
      set version_id = excluded.version_id, revision = live_documents.revision + 1, state = excluded.state
    returning revision`
  return { versionId, revision: row!.revision, state }
}

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

/**
 * Lists the stored versions of open documents. A different version means that a session is behind; a missing row means
 * that the document was deleted.
 */
export const listStored = (db: Db, projectIds: string[], documentIds: string[]) => db<
  { documentId: string; versionId: string; revision: string | null }[]
>`
  select d.id as "documentId", d.version_id as "versionId", l.revision
  from unnest(${projectIds}::uuid[], ${documentIds}::uuid[]) as o (project_id, document_id)
  join documents d on d.project_id = o.project_id and d.id = o.document_id
  left join live_documents l on l.project_id = d.project_id and l.document_id = d.id`

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
