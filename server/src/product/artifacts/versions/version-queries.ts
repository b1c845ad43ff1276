import type { Origin } from '../../../kernel/context.ts'
import { type Db, json, type Tx } from '../../../kernel/database/index.ts'
import type { Via } from '../../../kernel/http/created-via.ts'
import { listLineCounts } from '../../../kernel/versions/line-counts.ts'

interface VersionAuthor {
  originType: Origin
  userId: string | null
  userName: string | null
  via: Via | null
}

/** A version with its first author. */
export interface ArtifactVersion extends VersionAuthor {
  id: string
  versionNumber: number
  versionName: null
  createdAt: string
  /** Who else typed into it. */
  otherAuthors: VersionAuthor[]
}

/** The first version of a document while it is not stored: its text was never written again. */
const firstVersion = (db: Db, projectId: string, id: string) => db`
  select a.project_id, a.id as artifact_id, a.id, 1 as version_number, a.markdown_content, 'user' as origin_type,
    a.created_by_id as user_id, null::jsonb as via, a.created_at
  from artifacts a where a.project_id = ${projectId} and a.id = ${id} and a.type = 'document' and not exists (
    select from artifact_versions v where v.project_id = ${projectId} and v.artifact_id = ${id})`

const allVersions = (db: Db, projectId: string, id: string) => db`
  select project_id, artifact_id, id, version_number, markdown_content, origin_type, user_id, via, created_at
  from artifact_versions where project_id = ${projectId} and artifact_id = ${id}
  union all ${firstVersion(db, projectId, id)}`

/** Returns all versions, newest first. */
export const listVersions = (db: Db, projectId: string, id: string) => db<ArtifactVersion[]>`
  select v.id, v.version_number as "versionNumber", null as "versionName", v.created_at as "createdAt",
    v.origin_type as "originType", v.user_id as "userId", u.name as "userName", v.via, array(
      select jsonb_build_object('originType', 'user', 'userId', a.user_id, 'userName', w.name, 'via', null)
      from artifact_version_authors a join users w on w.id = a.user_id
      where a.project_id = v.project_id and a.version_id = v.id order by a.added_at, w.name
    ) as "otherAuthors"
  from (${allVersions(db, projectId, id)}) v left join users u on u.id = v.user_id order by v.version_number desc`

export const countLines = (db: Db, projectId: string, id: string) =>
  listLineCounts(db, { table: 'artifact_versions', owner: 'artifact_id' }, projectId, id)

export async function findVersion(db: Db, projectId: string, id: string, versionId: string) {
  const [version] = await db<{ versionId: string; versionNumber: number; markdownContent: string }[]>`
    select id as "versionId", version_number as "versionNumber", markdown_content as "markdownContent"
    from (${allVersions(db, projectId, id)}) v where id = ${versionId}`
  return version
}

export async function storeFirstVersion(db: Tx, projectId: string, id: string): Promise<void> {
  await db`insert into artifact_versions (project_id, artifact_id, id, version_number, markdown_content, origin_type,
    user_id, via, created_at) ${firstVersion(db, projectId, id)}`
}

export interface NewestVersion {
  versionId: string
  versionNumber: number
  userId: string | null
  /** It was typed, and people may still add to it. */
  isOpen: boolean
}

/** Call `storeFirstVersion` before. */
export async function findNewestVersion(db: Tx, projectId: string, id: string): Promise<NewestVersion> {
  const [newest] = await db<NewestVersion[]>`
    select id as "versionId", version_number as "versionNumber", user_id as "userId",
      coalesce(open_until > now(), false) as "isOpen"
    from artifact_versions where project_id = ${projectId} and artifact_id = ${id} order by version_number desc limit 1`
  return newest!
}

interface NewVersion {
  id: string
  versionNumber: number
  markdownContent: string
  origin: Origin
  userId: string | null
  via: Via | null
  /** How long people may add to it. */
  window: string | null
}

export async function insertVersion(db: Tx, projectId: string, artifactId: string, one: NewVersion): Promise<void> {
  await db`
    insert into artifact_versions (project_id, artifact_id, id, version_number, markdown_content, origin_type, user_id,
      via, open_until, created_at)
    values (${projectId}, ${artifactId}, ${one.id}, ${one.versionNumber}, ${one.markdownContent}, ${one.origin},
      ${one.userId}, ${one.via && json(one.via)}, now() + ${one.window}::interval, now())`
}

export async function rewriteVersion(db: Tx, projectId: string, versionId: string, content: string): Promise<void> {
  await db`update artifact_versions set markdown_content = ${content}
    where project_id = ${projectId} and id = ${versionId}`
}

export async function insertAuthors(db: Tx, projectId: string, versionId: string, userIds: string[]): Promise<void> {
  await db`
    insert into artifact_version_authors (project_id, version_id, user_id, added_at)
    select ${projectId}, ${versionId}, id, now() from unnest(${userIds}::uuid[]) as id on conflict do nothing`
}

export async function deleteVersions(db: Tx, projectId: string, ids: string[]): Promise<void> {
  await db`delete from artifact_versions where project_id = ${projectId} and artifact_id = any(${ids}::uuid[])`
}

/** Deletes the versions of documents that cannot come back. */
export async function deleteLostVersions(db: Tx): Promise<void> {
  await db`delete from artifact_versions v
    where not exists (select from artifacts a where a.project_id = v.project_id and a.id = v.artifact_id)
      and not exists (select from artifact_trash t where t.project_id = v.project_id and v.artifact_id = any(t.ids))
      and not exists (select from kept_rows k where k.project_id = v.project_id and v.artifact_id = any(k.ids))`
}
