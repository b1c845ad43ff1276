import { firstCharacters } from '../../engines/text/characters.ts'
import type { Ctx } from '../../kernel/context.ts'
import { type Db, inTransaction } from '../../kernel/database/index.ts'
import { recordEvent } from '../../kernel/events.ts'
import type { StoredContent } from '../../kernel/http/answers/stored-content.ts'
import type { UploadedFile } from '../../kernel/http/bodies/multipart.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import type { JobDeps } from '../../kernel/slice.ts'
import { removeUnclaimed } from '../../kernel/storage/index.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { chargeUpload, releaseUploads } from './upload-allowance.ts'

/** The segment of an upload's key after the installation's id. */
export const UPLOADS = 'feedback'
const FILE_NAME_LENGTH = 500

export interface Upload {
  fileKey: string
  fileName: string
  fileSize: number
  mimeType: string
  sha256: string
}

export const presentUpload = (upload: Upload) => ({
  file_key: upload.fileKey,
  file_name: upload.fileName,
  file_size: upload.fileSize,
  mime_type: upload.mimeType,
})

const fileKeyOf = (storeKey: string) => storeKey.slice(storeKey.lastIndexOf('/') + 1)

/** Stores a row for the upload, so that a report can refer to it. */
export function keepUpload(ctx: Ctx, file: UploadedFile): Promise<Upload> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const upload = {
      fileKey: fileKeyOf(file.key),
      fileName: cleanName(file.fileName ?? 'file'),
      fileSize: file.size,
      mimeType: file.contentType,
      sha256: file.sha256,
    }
    await chargeUpload(ctx, upload.fileSize)
    await ctx.db`
      insert into feedback_uploads (project_id, file_key, store_key, file_name, file_size, mime_type, sha256, created_at)
      values (${ctx.actor.projectId}, ${upload.fileKey}, ${file.key}, ${upload.fileName}, ${upload.fileSize},
        ${upload.mimeType}, ${upload.sha256}, now())`
    await recordEvent(ctx, {
      kind: 'feedback_upload.created',
      subjectType: 'feedback_upload',
      subjectId: upload.fileKey,
      payload: presentUpload(upload),
    })
    return upload
  })
}

const cleanName = (name: string) =>
  firstCharacters(name.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f]/g, '_'), FILE_NAME_LENGTH)

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

/** Removes uploads that no report refers to after a day. */
export function forgetUnusedUploads({ db }: Pick<JobDeps, 'db'>): Promise<void> {
  return inTransaction({ db }, async ({ db }) => {
    const gone = await db<{ projectId: string; key: string; fileSize: number }[]>`
      delete from feedback_uploads u where u.created_at < now() - interval '24 hours' and not exists
        (select 1 from feedback_attachments a where a.project_id = u.project_id and a.file_key = u.file_key)
      returning u.project_id as "projectId", u.store_key as key, u.file_size::float8 as "fileSize"`
    if (gone.length === 0) return
    await releaseUploads(db, gone)
    await enqueue(db, 'remove_bytes', [{ keys: gone.map((one) => one.key) }])
  })
}

/** Removes files that a crash left without a row. */
export async function removeLostUploads({ db, store }: Pick<JobDeps, 'db' | 'store'>): Promise<void> {
  await removeUnclaimed(store, UPLOADS, async (keys) => {
    const rows = await db<{ key: string }[]>`
      select store_key as key from feedback_uploads where store_key = any(${keys}::text[])`
    return rows.map((row) => row.key)
  })
}
