import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { ResourceType } from '../../links/index.ts'
import type { Version } from '../document.ts'
import { eventsOf } from '../events.ts'
import { lockForWrite } from '../loading.ts'
import { findVersionEntry, renameVersion } from './version-queries.ts'

/** Gives a version a name, or with null takes it away. */
export function nameVersion(
  ctx: Ctx,
  kind: ResourceType,
  id: string,
  versionId: string,
  name: string | null,
): Promise<Version> {
  return inTransaction(ctx, async (ctx) => {
    await lockForWrite(ctx, kind, id)
    const { db, actor } = ctx
    const version = await findVersionEntry(db, actor.projectId, id, versionId)
    if (!version) throw notFound('version', versionId)
    if (version.versionName === name) return version
    await renameVersion(db, actor.projectId, id, versionId, name)
    await recordEvent(
      ctx,
      eventsOf(kind).version_named(id, {
        version_id: version.id,
        version_number: version.versionNumber,
        from: version.versionName,
        to: name,
      }),
    )
    return { ...version, versionName: name }
  })
}
