import type { Actor, TxCtx } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { type PendingChange, storeChanges } from '../changes/changes.ts'
import type { LockedDocument } from '../document.ts'
import { eventsOf } from '../events.ts'
import { creditAuthors } from '../versions/authors.ts'
import { addVersion } from '../versions/versions.ts'
import { findOpenVersion, keepVersionOpen, rewriteVersion } from './typing-queries.ts'

const VERSION_WINDOW = '5 minutes'

interface Typing {
  markdownContent: string
  changes: PendingChange[] | undefined
  /** Who typed it. At least one. */
  authors: Actor[]
}

/**
 * Writes what people typed into a locked document. Typing within five minutes forms one version: while it is the newest
 * and its time has not passed, further typing is added to it, and everyone who typed is one of its authors.
 */
export async function writeTyped(ctx: TxCtx, document: LockedDocument, typing: Typing): Promise<LockedDocument> {
  const { projectId } = ctx.actor
  const [first, ...others] = typing.authors.map((author): TxCtx => ({ ...ctx, actor: { ...author, origin: 'user' } }))
  const open = await findOpenVersion(ctx.db, projectId, document)
  const written = await (open ? fold : begin)(first!, document, typing)
  for (const one of open ? [first!, ...others] : others) await recordTyping(one, written)
  const people = typing.authors.map(({ userId }) => typist(userId))
  await creditAuthors(ctx, written.versionId, typist(open ? open.userId : first!.actor.userId), people)
  return written
}

const typist = (userId: string | null) => ({ userId, originType: 'user' as const, via: null })

async function begin(ctx: TxCtx, document: LockedDocument, { markdownContent, changes }: Typing) {
  const written = await addVersion(ctx, document, markdownContent, changes, { typed: true })
  await keepVersionOpen(ctx.db, ctx.actor.projectId, written, VERSION_WINDOW)
  return written
}

async function fold(ctx: TxCtx, document: LockedDocument, { markdownContent, changes }: Typing) {
  const updatedAt = await rewriteVersion(ctx.db, ctx.actor.projectId, document, markdownContent)
  if (changes) await storeChanges(ctx, document.id, changes)
  return { ...document, updatedAt, markdownContent }
}

const recordTyping = (ctx: TxCtx, { id, kind, versionId, versionNumber }: LockedDocument) =>
  recordEvent(
    ctx,
    eventsOf(kind).updated(id, { version_id: versionId, version_number: versionNumber, typed: true, folded: true }),
  )
