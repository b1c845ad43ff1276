import type { Ctx } from '../kernel/context.ts'
import { sendLater, type Tx } from '../kernel/database/index.ts'
import { notFound } from '../kernel/errors.ts'
import { recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import type { ResourceType } from '../links/index.ts'
import { type KnownOfChanges, nextChanges, type PendingChange, storeChanges } from './changes.ts'
import { type Document, type LockedDocument, ORIGIN_NAMES, type Version } from './document.ts'
import { changeShared, replaceShared } from './live/open-sessions.ts'
import { loadDocument, lockForWrite, openForWrite, refuseStaleDocument } from './loading.ts'
import { checkMarkdown } from './markdown.ts'

type TxCtx = Ctx & { db: Tx }

interface NewVersion {
  documentId: string
  versionId: string
  markdownContent: string
}

export async function insertFirstVersion(
  ctx: TxCtx,
  { documentId, versionId, markdownContent }: NewVersion,
): Promise<void> {
  const { projectId, userId, origin } = ctx.actor
  await ctx.db`
    insert into document_versions (project_id, document_id, id, version_number, markdown_content, origin_type, origin_name,
      user_id, created_at)
    values (${projectId}, ${documentId}, ${versionId}, 1, ${markdownContent}, ${origin}, ${ORIGIN_NAMES[origin]}, ${userId}, now())`
  const changes = await nextChanges(ctx, { id: documentId, markdownContent: '' }, markdownContent)
  if (changes) await storeChanges(ctx, documentId, changes)
}

/** Replaces the whole content. The same content makes no version unless it is forced. */
export async function writeDocument(
  ctx: Ctx,
  kind: ResourceType,
  id: string,
  markdownContent: string,
  { forceNewVersion = false } = {},
): Promise<Document> {
  await checkMarkdown(ctx, markdownContent)
  return replaceShared(ctx, id, async (ctx) => {
    const document = await openForWrite(ctx, kind, id)
    if (document.markdownContent === markdownContent && !forceNewVersion) return document
    return addVersion(ctx, document, markdownContent)
  })
}

/** Writes the content of a locked document as its next version. */
export async function addVersion(
  ctx: TxCtx,
  document: LockedDocument,
  markdownContent: string,
  known: KnownOfChanges = {},
): Promise<LockedDocument> {
  return insertVersion(ctx, document, markdownContent, await nextChanges(ctx, document, markdownContent, known))
}

/** The same when its pending changes are known already. */
export async function insertVersion(
  ctx: TxCtx,
  document: LockedDocument,
  markdownContent: string,
  changes: PendingChange[] | undefined,
  isTyped = false,
): Promise<LockedDocument> {
  const { projectId, userId, origin } = ctx.actor
  const updatedAt = document.nextUpdatedAt
  const versionId = uuidv7()
  // The document is locked, so its next number is known.
  const versionNumber = document.versionNumber + 1
  const writing = ctx.db`
    with updated as (
      update documents set markdown_content = ${markdownContent}, version_id = ${versionId},
        version_number = ${versionNumber}, updated_at = ${updatedAt}
      where project_id = ${projectId} and id = ${document.id}
      returning markdown_content
    )
    insert into document_versions (project_id, document_id, id, version_number, markdown_content, origin_type,
      origin_name, user_id, created_at)
    select ${projectId}, ${document.id}, ${versionId}, ${versionNumber}, markdown_content, ${origin},
      ${ORIGIN_NAMES[origin]}, ${userId}, now() from updated`
  sendLater(ctx.db, [writing])
  await recordEvent(ctx, {
    kind: `${document.kind}.updated`,
    subjectType: document.kind,
    subjectId: document.id,
    payload: { version_id: versionId, version_number: versionNumber, ...(isTyped && { typed: true }) },
  })
  if (changes) await storeChanges(ctx, document.id, changes)
  return { ...document, updatedAt, versionNumber, versionId, markdownContent }
}

const versionColumns = (ctx: Ctx) => ctx.db`
  v.id, v.version_number as "versionNumber", v.version_name as "versionName", v.created_at as "createdAt",
  v.origin_type as "originType", v.origin_name as "originName", v.user_id as "userId", u.email as "userEmail",
  u.name as "userName"`

/** Newest first, all of them. */
export async function listVersions(ctx: Ctx, kind: ResourceType, id: string): Promise<Version[]> {
  await loadDocument(ctx, kind, id)
  return ctx.db<Version[]>`
    select ${versionColumns(ctx)} from document_versions v left join users u on u.id = v.user_id
    where v.project_id = ${ctx.actor.projectId} and v.document_id = ${id} order by v.version_number desc`
}

/** The document with the content it had in that version. */
export async function loadVersion(ctx: Ctx, kind: ResourceType, id: string, versionId: string): Promise<Document> {
  const document = await loadDocument(ctx, kind, id)
  const [version] = await ctx.db<{ versionNumber: number; markdownContent: string }[]>`
    select version_number as "versionNumber", markdown_content as "markdownContent" from document_versions
    where project_id = ${ctx.actor.projectId} and document_id = ${id} and id = ${versionId}`
  if (!version) throw notFound('version', versionId)
  return { ...document, ...version, versionId: versionId.toLowerCase() }
}

/** Writes an old version's content as a new version. */
export function restoreVersion(ctx: Ctx, kind: ResourceType, id: string, versionId: string): Promise<Document> {
  return changeShared(ctx, id, async (ctx) => {
    const document = await lockForWrite(ctx, kind, id)
    const { markdownContent } = await loadVersion(ctx, kind, id, versionId)
    refuseStaleDocument(ctx, document)
    return addVersion(ctx, document, markdownContent)
  })
}
