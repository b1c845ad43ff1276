import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { sendLater } from '../../../kernel/database/index.ts'
import { notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { viaOf } from '../../../kernel/http/created-via.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import type { ResourceType } from '../../links/index.ts'
import { changeShared, prepareLater, replaceShared } from '../../live-texts/index.ts'
import { newChanges, nextChanges, type PendingChange, storeChanges } from '../changes/changes.ts'
import { changeDocument } from '../changing.ts'
import type { Document, LockedDocument, Version } from '../document.ts'
import { eventsOf } from '../events.ts'
import { loadOutline } from '../loading.ts'
import { type CheckedText, checkMarkdown } from '../markdown.ts'
import * as queries from './version-queries.ts'

interface NewVersion {
  documentId: string
  versionId: string
  text: CheckedText
}

export async function insertFirstVersion(ctx: TxCtx, { documentId, versionId, text }: NewVersion): Promise<void> {
  const { projectId, userId, origin } = ctx.actor
  const version = { id: versionId, markdownContent: text.markdownContent, origin, userId, via: viaOf(ctx) }
  await queries.insertFirstVersion(ctx.db, projectId, documentId, version)
  const changes = newChanges(text)
  if (changes) await storeChanges(ctx, documentId, changes)
}

/** Replaces the whole content. Identical content makes no new version unless `forceNewVersion` is set. */
export async function writeDocument(
  ctx: Ctx,
  kind: ResourceType,
  id: string,
  markdownContent: string,
  { forceNewVersion = false } = {},
): Promise<Document> {
  await checkMarkdown(ctx, markdownContent)
  const write = () =>
    changeDocument(ctx, kind, id, async (document) => {
      if (document.markdownContent === markdownContent && !forceNewVersion) return undefined
      const changes = await nextChanges(ctx, document, markdownContent)
      return (ctx, document) => addVersion(ctx, document, markdownContent, changes)
    })
  return replaceShared(ctx, id, write)
}

/** What the event of a version says besides its number. */
interface Noted {
  typed?: true
  restored_version_number?: number
}

/** Writes the content of a locked document as its next version, with the suggestions that are pending in it. */
export async function addVersion(
  ctx: TxCtx,
  document: LockedDocument,
  markdownContent: string,
  changes: PendingChange[] | undefined,
  noted: Noted = {},
): Promise<LockedDocument> {
  const { projectId, userId, origin } = ctx.actor
  const updatedAt = document.nextUpdatedAt
  const versionId = uuidv7()
  // No other transaction can add a version while the document is locked.
  const versionNumber = document.versionNumber + 1
  const version = { id: versionId, versionNumber, markdownContent, origin, userId, via: viaOf(ctx) }
  sendLater(ctx.db, [queries.writingVersion(ctx.db, projectId, document.id, version, updatedAt)])
  await recordEvent(
    ctx,
    eventsOf(document.kind).updated(document.id, { version_id: versionId, version_number: versionNumber, ...noted }),
  )
  if (changes) await storeChanges(ctx, document.id, changes)
  // A session stores its state together with what was typed.
  if (!noted.typed) await prepareLater(ctx, document, markdownContent)
  return { ...document, updatedAt, versionNumber, versionId, markdownContent }
}

/** Returns all versions, newest first. */
export async function listVersions(ctx: Ctx, kind: ResourceType, id: string): Promise<Version[]> {
  await loadOutline(ctx, kind, id)
  return queries.listVersions(ctx.db, ctx.actor.projectId, id)
}

/** Returns the document with the content that it had in a version. */
export async function loadVersion(ctx: Ctx, kind: ResourceType, id: string, versionId: string): Promise<Document> {
  const document = await loadOutline(ctx, kind, id)
  const version = await queries.findVersion(ctx.db, ctx.actor.projectId, id, versionId)
  if (!version) throw notFound('version', versionId)
  return { ...document, ...version, versionId: versionId.toLowerCase() }
}

/** Writes the content of an old version as a new version. */
export function restoreVersion(ctx: Ctx, kind: ResourceType, id: string, versionId: string): Promise<Document> {
  const write = () =>
    changeDocument(ctx, kind, id, async (document) => {
      const { markdownContent, versionNumber } = await loadVersion(ctx, kind, id, versionId)
      const changes = await nextChanges(ctx, document, markdownContent)
      const noted = { restored_version_number: versionNumber }
      return (ctx, document) => addVersion(ctx, document, markdownContent, changes, noted)
    })
  return changeShared(ctx, id, write)
}
