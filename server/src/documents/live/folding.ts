import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import type { LockedDocument } from '../document.ts'
import { checkChanged } from '../markdown.ts'
import { MAX_DOCUMENT_CHARACTERS } from '../schema.ts'
import { type PendingChange, storeChanges } from '../suggestions/changes.ts'
import { insertVersion } from '../versions/versions.ts'
import { isVersionOpen, keepVersionOpen, rewriteVersion } from './queries.ts'

const VERSION_WINDOW = '5 minutes'

export async function checkTyped(ctx: Ctx, markdownContent: string): Promise<void> {
  if (markdownContent.length > MAX_DOCUMENT_CHARACTERS) throw tooLong()
  await checkChanged(ctx, markdownContent)
}

/**
 * Writes what someone typed into a locked document. Edits by one person within five minutes form one version: while it
 * is the newest and its time has not passed, further edits by its author are added to it.
 */
export async function writeTyped(
  ctx: TxCtx,
  document: LockedDocument,
  markdownContent: string,
  changes: PendingChange[] | undefined,
): Promise<LockedDocument> {
  const { projectId, userId } = ctx.actor
  if (await isVersionOpen(ctx.db, projectId, document, userId)) return fold(ctx, document, markdownContent, changes)
  const written = await insertVersion(ctx, document, markdownContent, changes, { typed: true })
  await keepVersionOpen(ctx.db, projectId, written, VERSION_WINDOW)
  return written
}

async function fold(
  ctx: TxCtx,
  document: LockedDocument,
  markdownContent: string,
  changes: PendingChange[] | undefined,
): Promise<LockedDocument> {
  const { id, kind, versionId, versionNumber } = document
  const updatedAt = await rewriteVersion(ctx.db, ctx.actor.projectId, document, markdownContent)
  if (changes) await storeChanges(ctx, id, changes)
  await recordEvent(ctx, {
    kind: `${kind}.updated`,
    subjectType: kind,
    subjectId: id,
    payload: { version_id: versionId, version_number: versionNumber, typed: true, folded: true },
  })
  return { ...document, updatedAt, markdownContent }
}

const tooLong = () =>
  new AppError(413, 'document_too_long', 'A document has at most 2,000,000 characters. Divide it into several.')
