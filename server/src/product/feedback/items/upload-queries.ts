import type { Db } from '../../../kernel/database/index.ts'
import type { StoredContent } from '../../../kernel/http/answers/stored-content.ts'
import type { Upload } from './upload.ts'

export async function insertUpload(db: Db, projectId: string, storeKey: string, upload: Upload): Promise<void> {
  await db`
    insert into feedback_uploads (project_id, file_key, store_key, file_name, file_size, mime_type, sha256, created_at)
    values (${projectId}, ${upload.fileKey}, ${storeKey}, ${upload.fileName}, ${upload.fileSize}, ${upload.mimeType},
      ${upload.sha256}, now())`
}

/** Returns the file behind an attachment, if it was uploaded here. */
export async function findAttachedFile(
  db: Db,
  projectId: string,
  itemId: string,
  attachmentId: string,
): Promise<StoredContent | undefined> {
  const [row] = await db<StoredContent[]>`
    select u.store_key as key, a.file_name as name, u.file_size::float8 as size, u.mime_type as "contentType", u.sha256
    from feedback_attachments a join feedback_uploads u on u.project_id = a.project_id and u.file_key = a.file_key
    where a.project_id = ${projectId} and a.feedback_item_id = ${itemId} and a.id = ${attachmentId}`
  return row
}

/** Those that are a day old and that no report has named, of all projects. */
export const deleteUnusedUploads = (db: Db) => db<{ projectId: string; key: string; fileSize: number }[]>`
  delete from feedback_uploads u where u.created_at < now() - interval '24 hours' and not exists
    (select 1 from feedback_attachments a where a.project_id = u.project_id and a.file_key = u.file_key)
  returning u.project_id as "projectId", u.store_key as key, u.file_size::float8 as "fileSize"`

export async function listKnownKeys(db: Db, storeKeys: string[]): Promise<string[]> {
  const rows = await db<{ key: string }[]>`
    select store_key as key from feedback_uploads where store_key = any(${storeKeys}::text[])`
  return rows.map((row) => row.key)
}

/** What the uploads of a project take up, and what a key has uploaded within the running hour. */
export async function readUsage(db: Db, projectId: string, keyId: string | null) {
  const [row] = await db<{ storedBytes: number; hourBytes: number; secondsLeft: number }[]>`
    select
      coalesce((select stored_bytes from feedback_storage where project_id = ${projectId}), 0)::float8 as "storedBytes",
      coalesce(h.uploaded_bytes, 0)::float8 as "hourBytes",
      coalesce(extract(epoch from h.started_at + interval '1 hour' - clock_timestamp()), 0)::float8 as "secondsLeft"
    from (select 1) one left join feedback_upload_hours h on h.project_id = ${projectId}
      and h.key_id = ${keyId} and h.started_at > clock_timestamp() - interval '1 hour'`
  return row!
}

/** Returns what the uploads of the project take up now. */
export async function addStoredBytes(db: Db, projectId: string, bytes: number): Promise<number> {
  const [row] = await db<{ storedBytes: number }[]>`
    insert into feedback_storage as s (project_id, stored_bytes) values (${projectId}, ${bytes})
    on conflict (project_id) do update set stored_bytes = s.stored_bytes + excluded.stored_bytes
    returning stored_bytes::float8 as "storedBytes"`
  return row!.storedBytes
}

/** Adds to the running hour of a key, or begins a new one. */
export async function addHourBytes(db: Db, projectId: string, keyId: string | null, bytes: number) {
  const [row] = await db<{ hourBytes: number; secondsLeft: number }[]>`
    insert into feedback_upload_hours as h (project_id, key_id, started_at, uploaded_bytes)
    values (${projectId}, ${keyId}, clock_timestamp(), ${bytes})
    on conflict (project_id, key_id) do update set
      uploaded_bytes = excluded.uploaded_bytes
        + case when h.started_at > clock_timestamp() - interval '1 hour' then h.uploaded_bytes else 0 end,
      started_at = case when h.started_at > clock_timestamp() - interval '1 hour'
        then h.started_at else excluded.started_at end
    returning uploaded_bytes::float8 as "hourBytes",
      extract(epoch from started_at + interval '1 hour' - clock_timestamp())::float8 as "secondsLeft"`
  return row!
}

/** Returns the room of deleted uploads to their projects. */
export async function releaseUploads(db: Db, gone: { projectId: string; fileSize: number }[]): Promise<void> {
  await db`
    update feedback_storage s set stored_bytes = s.stored_bytes - g.bytes
    from (
      select project_id, sum(bytes) as bytes
      from unnest(${gone.map((one) => one.projectId)}::uuid[], ${gone.map((one) => one.fileSize)}::bigint[])
        as freed (project_id, bytes)
      group by project_id
    ) g
    where s.project_id = g.project_id`
}
