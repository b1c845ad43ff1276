import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { notFound } from '../../../kernel/errors.ts'
import type { Kept } from '../../../kernel/keeping/rows.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { replaceContent } from '../actions.ts'
import type { Artifact } from '../artifact.ts'
import { loadArtifact } from '../load.ts'
import { deleteTrashed, listReplaced, lockTrashed } from './trash-queries.ts'

/** What a file had before, the newest first. */
export async function listEarlierContents(ctx: Ctx, id: string) {
  const artifact = await loadArtifact(ctx, id)
  return listReplaced(ctx.db, ctx.actor.projectId, artifact.id)
}

/** Gives a file an earlier content again. The one that it has now is kept instead. */
export function restoreContent(ctx: Ctx, id: string, earlierId: string): Promise<Artifact> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const artifact = await loadArtifact(ctx, id)
    authorizeWrite(ctx.actor)
    const kept = await lockTrashed(ctx.db, projectId, earlierId)
    if (kept?.replacedId !== artifact.id) throw notFound('earlier content', earlierId)
    const row = rowOf(JSON.parse(kept.rows) as Kept)
    await deleteTrashed(ctx.db, projectId, earlierId)
    return replaceContent(ctx, id, {
      key: row.content_key,
      contentType: row.content_type,
      size: Number(row.size_bytes),
      sha256: row.sha256,
    })
  })
}

interface ContentColumns {
  content_key: string
  content_type: string
  size_bytes: number
  sha256: string
}

const rowOf = (kept: Kept) => JSON.parse(kept.find(({ table }) => table === 'artifacts')!.rows[0]!) as ContentColumns
