import { firstCharacters } from '../../../engines/text/characters.ts'
import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { UploadedFile } from '../../../kernel/http/bodies/multipart.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { removeUnclaimed } from '../../../kernel/storage/index.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { uploadEvents } from '../events.ts'
import { presentUpload, type Upload } from './upload.ts'
import { chargeUpload } from './upload-allowance.ts'
import * as queries from './upload-queries.ts'

/** The segment of an upload's key after the installation's id. */
export const UPLOADS = 'feedback'
const FILE_NAME_LENGTH = 500

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
    await queries.insertUpload(ctx.db, ctx.actor.projectId, file.key, upload)
    await recordEvent(ctx, uploadEvents.created(upload.fileKey, presentUpload(upload)))
    return upload
  })
}

const cleanName = (name: string) =>
  firstCharacters(name.toWellFormed().replace(/[\u0000-\u001f\u007f-\u009f]/g, '_'), FILE_NAME_LENGTH)

/** Removes uploads that no report refers to after a day. */
export function forgetUnusedUploads({ db }: Pick<JobDeps, 'db'>): Promise<void> {
  return inTransaction({ db }, async ({ db }) => {
    const gone = await queries.deleteUnusedUploads(db)
    if (gone.length === 0) return
    await queries.releaseUploads(db, gone)
    await enqueue(db, 'remove_bytes', [{ keys: gone.map((one) => one.key) }])
  })
}

/** Removes files that a crash left without a row. */
export async function removeLostUploads({ db, store }: Pick<JobDeps, 'db' | 'store'>): Promise<void> {
  await removeUnclaimed(store, UPLOADS, (keys) => queries.listKnownKeys(db, keys))
}
