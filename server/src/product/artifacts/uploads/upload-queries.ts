import type { Db, Tx } from '../../../kernel/database/index.ts'

/** An upload that nobody finished is forgotten after this time. */
export const KEPT_DAYS = 7

export interface PartialUpload {
  id: string
  sizeBytes: number
  contentType: string
}

export interface UploadPart {
  number: number
  key: string
  size: number
}

export async function insertUpload(
  db: Db,
  projectId: string,
  { id, userId, sizeBytes, contentType }: PartialUpload & { userId: string },
): Promise<void> {
  await db`insert into artifact_uploads (project_id, id, user_id, size_bytes, content_type)
    values (${projectId}, ${id}, ${userId}, ${sizeBytes}, ${contentType})`
}

/** Only for the person who began it. */
export async function findUpload(
  db: Db,
  projectId: string,
  userId: string | null,
  id: string,
): Promise<PartialUpload | undefined> {
  const [row] = await db<PartialUpload[]>`
    select id, size_bytes::float8 as "sizeBytes", content_type as "contentType" from artifact_uploads
    where project_id = ${projectId} and id = ${id} and user_id = ${userId}`
  return row
}

export const listParts = (db: Db, projectId: string, uploadId: string) => db<UploadPart[]>`
  select number, content_key as key, size_bytes::float8 as size from artifact_upload_parts
  where project_id = ${projectId} and upload_id = ${uploadId} order by number`

/** Returns the key of the part that was there before, if this one was sent again. */
export async function putPart(
  db: Tx,
  projectId: string,
  uploadId: string,
  { number, key, size }: UploadPart,
): Promise<string | undefined> {
  const [old] = await db<{ key: string }[]>`select content_key as key from artifact_upload_parts
    where project_id = ${projectId} and upload_id = ${uploadId} and number = ${number} for update`
  await db`insert into artifact_upload_parts (project_id, upload_id, number, content_key, size_bytes)
    values (${projectId}, ${uploadId}, ${number}, ${key}, ${size})
    on conflict (project_id, upload_id, number) do update set content_key = excluded.content_key,
      size_bytes = excluded.size_bytes`
  return old?.key
}

/** Returns the keys of its parts. */
export async function deleteUpload(db: Tx, projectId: string, id: string): Promise<string[]> {
  const keys = await db<{ key: string }[]>`delete from artifact_upload_parts
    where project_id = ${projectId} and upload_id = ${id} returning content_key as key`
  await db`delete from artifact_uploads where project_id = ${projectId} and id = ${id}`
  return keys.map(({ key }) => key)
}

/** Returns the keys of the parts of everything that nobody finished. */
export async function deleteAbandoned(db: Tx): Promise<string[]> {
  const keys = await db<{ key: string }[]>`
    delete from artifact_upload_parts p using artifact_uploads u
    where p.project_id = u.project_id and p.upload_id = u.id and u.created_at < now() - make_interval(days => ${KEPT_DAYS})
    returning p.content_key as key`
  await db`delete from artifact_uploads where created_at < now() - make_interval(days => ${KEPT_DAYS})`
  return keys.map(({ key }) => key)
}
