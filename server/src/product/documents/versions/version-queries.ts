import type { Origin } from '../../../kernel/context.ts'
import { type Db, json } from '../../../kernel/database/index.ts'
import type { Via } from '../../../kernel/http/created-via.ts'
import { listLineCounts } from '../../../kernel/versions/line-counts.ts'
import { ORIGIN_NAMES, type Version, type VersionAuthor } from '../document.ts'

interface NewVersion {
  id: string
  versionNumber: number
  markdownContent: string
  origin: Origin
  userId: string | null
  via: Via | null
}

export async function insertFirstVersion(
  db: Db,
  projectId: string,
  documentId: string,
  one: Omit<NewVersion, 'versionNumber'>,
): Promise<void> {
  await db`
    insert into document_versions (project_id, document_id, id, version_number, markdown_content, origin_type, origin_name,
      user_id, via, created_at)
    values (${projectId}, ${documentId}, ${one.id}, 1, ${one.markdownContent}, ${one.origin}, ${ORIGIN_NAMES[one.origin]},
      ${one.userId}, ${one.via && json(one.via)}, now())`
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
    origin_name, user_id, via, created_at)
  select ${projectId}, ${documentId}, ${one.id}, ${one.versionNumber}, markdown_content, ${one.origin},
    ${ORIGIN_NAMES[one.origin]}, ${one.userId}, ${one.via && json(one.via)}, now() from updated`

/** Returns all versions, newest first. */
export const listVersions = (db: Db, projectId: string, documentId: string) => db<Version[]>`
  select v.id, v.version_number as "versionNumber", v.version_name as "versionName", v.created_at as "createdAt",
    v.origin_type as "originType", v.origin_name as "originName", v.user_id as "userId", u.email as "userEmail",
    u.name as "userName", v.via, array(
      select jsonb_build_object('originType', a.origin_type, 'userId', a.user_id, 'userEmail', w.email,
        'userName', w.name, 'via', a.via)
      from document_version_authors a join users w on w.id = a.user_id
      where a.project_id = v.project_id and a.version_id = v.id order by a.added_at, w.name, a.agent
    ) as "otherAuthors"
  from document_versions v left join users u on u.id = v.user_id
  where v.project_id = ${projectId} and v.document_id = ${documentId} order by v.version_number desc`

type NewAuthor = Pick<VersionAuthor, 'userId' | 'originType' | 'via'> & { agent: string }

export async function insertAuthors(db: Db, projectId: string, versionId: string, authors: NewAuthor[]): Promise<void> {
  await db`
    insert into document_version_authors (project_id, version_id, user_id, agent, origin_type, via, added_at)
    select ${projectId}, ${versionId}, r."userId", r.agent, r."originType", nullif(r.via, 'null'), now()
    from jsonb_to_recordset(${json(authors)}) as r ("userId" uuid, agent text, "originType" text, via jsonb)
    on conflict do nothing`
}

export const countLines = (db: Db, projectId: string, documentId: string) =>
  listLineCounts(db, { table: 'document_versions', owner: 'document_id' }, projectId, documentId)

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
