import type { Ctx } from '../../../kernel/context.ts'
import { errorCode, inSavepoint, inTransaction } from '../../../kernel/database/index.ts'
import { conflict, notFound } from '../../../kernel/errors.ts'
import { type Kept, keepRows, keysOfKept, restoreRows } from '../../../kernel/keeping/rows.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { deleteArtifact } from '../actions.ts'
import { nameTaken } from '../artifact.ts'
import { enqueueRemoval } from '../bytes.ts'
import { loadArtifact } from '../load.ts'
import { restorableArtifact } from '../restoring.ts'
import { deleteVersions } from '../versions/version-queries.ts'
import { deleteTrashed, insertTrashed, lockTrashed } from './trash-queries.ts'

/** What has more than this cannot be kept. */
const MOST_CHARACTERS = 20_000_000

const tooLargeToKeep = (name: string) =>
  conflict(
    'too_large_to_keep',
    `There is too much in "${name}" to keep it in the trash: its rows have more than ${MOST_CHARACTERS / 1_000_000} million characters. Delete what is in it in several steps.`,
  )

/** Deletes an artifact, a folder with everything in it, so that it can be restored. */
export function trashArtifact(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId, userId, userName } = ctx.actor
    const ids = await restorableArtifact.together(ctx, id)
    const artifact = await loadArtifact(ctx, id)
    authorizeWrite(ctx.actor)
    const kept = await keepRows(ctx.db, projectId, restorableArtifact.root, ids, MOST_CHARACTERS)
    if (!kept) throw tooLargeToKeep(artifact.name)
    await deleteArtifact({ ...ctx, keepsBytes: true }, id)
    const { type, name, folderPath, sizeBytes } = artifact
    const storeKeys = keysOfKept(kept, restorableArtifact.bytes!)
    const rows = JSON.stringify(kept)
    const place = { id: artifact.id, type, name, folderPath, sizeBytes }
    await insertTrashed(ctx.db, projectId, { ...place, ids, rows, storeKeys, userId, userName })
  })
}

/** Puts it back under its old id, into its old folder or, if that is gone, into the root. */
export async function restoreArtifact(ctx: Ctx, id: string): Promise<void> {
  authorizeWrite(ctx.actor)
  const { projectId } = ctx.actor
  let taken = { name: '', folderPath: '' }
  try {
    await inSavepoint(ctx, async (ctx) => {
      const kept = await lockTrashed(ctx.db, projectId, id)
      if (!kept) throw notInTrash(id)
      taken = kept
      await restoreRows(ctx.db, JSON.parse(kept.rows) as Kept)
      await restorableArtifact.restored(ctx, kept.ids, {})
      await deleteTrashed(ctx.db, projectId, id)
    })
  } catch (err) {
    throw errorCode(err) === '23505' ? nameTaken(taken.name, taken.folderPath) : err
  }
}

/** Deletes what is in the trash for good. */
export function deleteForever(ctx: Ctx, id: string): Promise<void> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const kept = await lockTrashed(ctx.db, projectId, id)
    if (!kept) throw notInTrash(id)
    await enqueueRemoval(ctx.db, (await deleteTrashed(ctx.db, projectId, id))!)
    await deleteVersions(ctx.db, projectId, kept.ids)
  })
}

const notInTrash = (id: string) => notFound('artifact in the trash', id)
