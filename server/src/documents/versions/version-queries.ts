import type { Origin } from '../../kernel/context.ts'
import type { Db } from '../../kernel/database/index.ts'
import { ORIGIN_NAMES, type Version } from '../document.ts'

interface NewVersion {
  id: string
  versionNumber: number
  markdownContent: string
  origin: Origin
  userId: string | null
}

export async function insertFirstVersion(
  db: Db,
  projectId: string,
  documentId: string,
  one: Omit<NewVersion, 'versionNumber'>,
): Promise<void> {
  await db`
    insert into document_versions (project_id, document_id, id, version_number, markdown_content, origin_type, origin_name,
      user_id, created_at)
    values (${projectId}, ${documentId}, ${one.id}, 1, ${one.markdownContent}, ${one.origin}, ${ORIGIN_NAMES[one.origin]},
      ${one.userId}, now())`
}

/** Builds one statement that writes the content of a document and its next version. */
export const writingVersion = (db: Db, projectId: string, documentId: string, one: NewVersion, updatedAt: string) => db`
  with updated as (
    update documents set markdown_content = ${one.markdownContent}, version_id = ${one.id},
      version_number = ${one.versionNumber}, updated_at = ${updatedAt}
    where project_id = ${projectId} and id = ${documentId}
    returning markdown_content
  )
  insert into document_versions (project_id, document_id, id, version_number, markdown_content, origin_type,
    origin_name, user_id, created_at)
  select ${projectId}, ${documentId}, ${one.id}, ${one.versionNumber}, markdown_content, ${one.origin},
    ${ORIGIN_NAMES[one.origin]}, ${one.userId}, now() from updated`

/** Returns all versions, newest first. */
export const listVersions = (db: Db, projectId: string, documentId: string) => db<Version[]>`
  select v.id, v.version_number as "versionNumber", v.version_name as "versionName", v.created_at as "createdAt",
    v.origin_type as "originType", v.origin_name as "originName", v.user_id as "userId", u.email as "userEmail",
    u.name as "userName"
  from document_versions v left join users u on u.id = v.user_id
  where v.project_id = ${projectId} and v.document_id = ${documentId} order by v.version_number desc`

export async function findVersion(db: Db, projectId: string, documentId: string, id: string) {
  const [version] = await db<{ versionNumber: number; markdownContent: string }[]>`
    select version_number as "versionNumber", markdown_content as "markdownContent" from document_versions
    where project_id = ${projectId} and document_id = ${documentId} and id = ${id}`
  return version
}

/** Further typing makes a new version, so that this one stays as someone has named or confirmed it. */
export async function closeVersion(db: Db, projectId: string, documentId: string, versionId: string): Promise<void> {
  await db`update document_versions set open_until = null
    where project_id = ${projectId} and document_id = ${documentId} and id = ${versionId} and open_until is not null`
}

export async function renameVersion(db: Db, projectId: string, documentId: string, id: string, name: string | null) {
  await db`update document_versions set version_name = ${name}, open_until = null
    where project_id = ${projectId} and document_id = ${documentId} and id = ${id}`
}

export async function findVersionEntry(db: Db, projectId: string, documentId: string, id: string) {
  return (await listVersions(db, projectId, documentId)).find((version) => version.id === id.toLowerCase())
}
