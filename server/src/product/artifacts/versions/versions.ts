import type { Actor, Ctx, TxCtx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { viaOf } from '../../../kernel/http/created-via.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { loadArtifact } from '../load.ts'
import * as queries from './version-queries.ts'

/** What people type within this time is one version. */
const VERSION_WINDOW = '5 minutes'

/** What the event of a write says about the version. */
interface Written {
  version_id: string
  version_number: number
}

/** Adds a version to a locked document. Call it before its text is replaced: the first one is stored then. */
export async function addVersion(
  ctx: TxCtx,
  id: string,
  markdownContent: string,
  window: string | null = null,
): Promise<Written> {
  const { projectId, userId, origin } = ctx.actor
  await queries.storeFirstVersion(ctx.db, projectId, id)
  const newest = await queries.findNewestVersion(ctx.db, projectId, id)
  // No other transaction can add a version while the document is locked.
  const version = { id: uuidv7(), versionNumber: newest.versionNumber + 1 }
  await queries.insertVersion(ctx.db, projectId, id, {
    ...version,
    markdownContent,
    origin,
    userId,
    via: viaOf(ctx),
    window,
  })
  return { version_id: version.id, version_number: version.versionNumber }
}

/**
 * Writes what people typed into a locked document as a version. While the newest was typed and its time has not passed,
 * further typing is added to it, and everyone who typed is one of its authors.
 */
export async function addTypedVersion(
  ctx: TxCtx,
  id: string,
  markdownContent: string,
  authors: Actor[],
): Promise<Written & { isFolded: boolean }> {
  const { db } = ctx
  const { projectId } = ctx.actor
  await queries.storeFirstVersion(db, projectId, id)
  const newest = await queries.findNewestVersion(db, projectId, id)
  const people = authors.flatMap(({ userId }) => userId ?? [])
  if (newest.isOpen) {
    await queries.rewriteVersion(db, projectId, newest.versionId, markdownContent)
    const others = people.filter((userId) => userId !== newest.userId)
    await queries.insertAuthors(db, projectId, newest.versionId, others)
    return { version_id: newest.versionId, version_number: newest.versionNumber, isFolded: true }
  }
  const first = { ...ctx, actor: { ...authors[0]!, origin: 'user' as const } }
  const written = await addVersion(first, id, markdownContent, VERSION_WINDOW)
  await queries.insertAuthors(db, projectId, written.version_id, people.slice(1))
  return { ...written, isFolded: false }
}

/** Returns all versions, newest first. */
export async function listArtifactVersions(ctx: Ctx, id: string): Promise<queries.ArtifactVersion[]> {
  await loadArtifact(ctx, id)
  return queries.listVersions(ctx.db, ctx.actor.projectId, id)
}

export async function loadArtifactVersion(ctx: Ctx, id: string, versionId: string) {
  await loadArtifact(ctx, id)
  const version = await queries.findVersion(ctx.db, ctx.actor.projectId, id, versionId)
  if (!version) throw notFound('version', versionId)
  return version
}
