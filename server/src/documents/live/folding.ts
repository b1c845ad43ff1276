import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { AppError } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import type { LockedDocument } from '../document.ts'
import { checkChanged } from '../markdown.ts'
import { MAX_DOCUMENT_CHARACTERS } from '../schema.ts'
import { type PendingChange, storeChanges } from '../suggestions/changes.ts'
import { insertVersion } from '../versions/versions.ts'

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
  if (await isOpen(ctx, document)) return fold(ctx, document, markdownContent, changes)
  const written = await insertVersion(ctx, document, markdownContent, changes, true)
  await ctx.db`
    update document_versions set open_until = now() + ${VERSION_WINDOW}::interval
    where project_id = ${ctx.actor.projectId} and document_id = ${document.id} and id = ${written.versionId}`
  return written
}

async function isOpen(ctx: TxCtx, document: LockedDocument): Promise<boolean> {
  const [open] = await ctx.db`
    select 1 from document_versions
    where project_id = ${ctx.actor.projectId} and document_id = ${document.id} and id = ${document.versionId}
      and user_id = ${ctx.actor.userId} and open_until > now()`
  return open !== undefined
}

async function fold(
  ctx: TxCtx,
  document: LockedDocument,
  markdownContent: string,
  changes: PendingChange[] | undefined,
): Promise<LockedDocument> {
  const { projectId } = ctx.actor
  const { id, kind, versionId, versionNumber } = document
  const [row] = await ctx.db<{ updatedAt: string }[]>`
    with typed as (
      select ${markdownContent}::text as content
    ), folded as (
      update document_versions set markdown_content = content from typed
      where project_id = ${projectId} and document_id = ${id} and id = ${versionId}
    )
    update documents set markdown_content = content,
      updated_at = greatest(now(), updated_at + interval '1 millisecond')
    from typed
    where project_id = ${projectId} and id = ${id}
    returning updated_at as "updatedAt"`
  if (changes) await storeChanges(ctx, id, changes)
  await recordEvent(ctx, {
    kind: `${kind}.updated`,
    subjectType: kind,
    subjectId: id,
    payload: { version_id: versionId, version_number: versionNumber, typed: true, folded: true },
  })
  return { ...document, ...row!, markdownContent }
}

const tooLong = () =>
  new AppError(413, 'document_too_long', 'A document has at most 2,000,000 characters. Divide it into several.')
