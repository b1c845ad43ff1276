import type { Restorable } from '../../kernel/context.ts'
import { recordEvents } from '../../kernel/events.ts'
import { lockLinks } from '../links/index.ts'
import { adjustLive } from '../projects/index.ts'
import { pathOf } from './artifact.ts'
import { COUNTER, eventOf } from './insert.ts'
import * as queries from './queries.ts'
import { enqueueReading, forgetTexts } from './texts/text-queries.ts'
import { placeArtifact, rewritePaths } from './writes.ts'

/** A folder with all that was in it. Bytes stay in the store as long as they can be needed. */
export const restorableArtifact: Restorable = {
  root: 'resources',
  bytes: { table: 'artifacts', column: 'content_key' },
  async together(ctx, id) {
    const { projectId } = ctx.actor
    await lockLinks(ctx.db, projectId)
    await queries.lockFolders(ctx.db, projectId, 'alone')
    const inside = await queries.listWithin(ctx.db, projectId, id)
    const ids = [id.toLowerCase(), ...inside.filter((one) => one !== id.toLowerCase())]
    await forgetTexts(ctx.db, projectId, ids)
    return ids
  },
  async restored(ctx, ids) {
    const { projectId } = ctx.actor
    await queries.lockFolders(ctx.db, projectId, 'alone')
    const artifact = (await queries.findArtifact(ctx.db, projectId, ids[0]!))!
    const parent =
      artifact.parentId === null ? undefined : await queries.findArtifact(ctx.db, projectId, artifact.parentId)
    // Folders above it may have another name by now, or be gone.
    const folderPath = parent ? pathOf(parent.folderPath, parent.name) : ''
    if (folderPath !== artifact.folderPath) {
      await placeArtifact(ctx.db, projectId, artifact.id, { ...artifact, folderPath })
      if (artifact.type === 'folder')
        await rewritePaths(ctx.db, projectId, artifact.id, pathOf(folderPath, artifact.name))
    }
    const back = (await Promise.all(ids.map((id) => queries.findArtifact(ctx.db, projectId, id)))).filter(
      (one) => one !== undefined,
    )
    await enqueueReading(ctx.db)
    await adjustLive(ctx.db, projectId, COUNTER, back.length)
    await recordEvents(
      ctx,
      back.map((one) => eventOf('restored', one)),
    )
  },
}
