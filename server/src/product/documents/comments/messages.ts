import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { forbidden, notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import type { ResourceType } from '../../links/index.ts'
import { authorizeWrite } from '../../projects/index.ts'
import type { Thread } from '../document.ts'
import { eventsOf } from '../events.ts'
import { keepDocument } from '../loading.ts'
import * as queries from './comment-queries.ts'
import { loadThread } from './comments.ts'

/** Where a message stands. */
export interface MessagePlace {
  kind: ResourceType
  documentId: string
  threadId: string
  messageId: string
}

export function editMessage(ctx: Ctx, place: MessagePlace, message: string): Promise<Thread> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockMessage(ctx, place)
    authorizeWrite(ctx.actor)
    if (!found.userId || found.userId !== ctx.actor.userId)
      throw forbidden('not_author', 'Only its author may edit this comment. Reply to it instead.')
    if (found.message !== message) {
      await queries.updateMessage(ctx.db, ctx.actor.projectId, place.messageId, message)
      await record(ctx, place, 'comment_updated')
    }
    return loadThread(ctx, place.kind, place.documentId, place.threadId)
  })
}

/**
 * Writes what a comment says in another way. It does not count as edited. Returns false if it is gone, or does not say
 * `from`.
 */
export function rewriteMessage(ctx: Ctx, place: MessagePlace, from: string, to: string): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    await queries.lockThread(ctx.db, ctx.actor.projectId, place.threadId)
    const found = await queries.findMessage(ctx.db, ctx.actor.projectId, place)
    if (found?.isDeleted !== false || found.message !== from) return false
    authorizeWrite(ctx.actor)
    await queries.rewriteMessage(ctx.db, ctx.actor.projectId, place.messageId, to)
    await record(ctx, place, 'comment_updated')
    return true
  })
}

/** A thread ends with its last message. Both keep their rows for a day. */
export function deleteMessage(ctx: Ctx, place: MessagePlace): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockMessage(ctx, place)
    authorizeRemoval(ctx, found)
    await queries.hideMessage(ctx.db, ctx.actor.projectId, place)
    await record(ctx, place, 'comment_deleted')
  })
}

export function restoreMessage(ctx: Ctx, place: MessagePlace): Promise<Thread> {
  return inTransaction(ctx, async (ctx) => {
    const found = await lockMessage(ctx, place, 'deleted')
    authorizeRemoval(ctx, found)
    await queries.showMessage(ctx.db, ctx.actor.projectId, place)
    await record(ctx, place, 'comment_restored')
    return loadThread(ctx, place.kind, place.documentId, place.threadId)
  })
}

function authorizeRemoval({ actor }: Ctx, { userId }: { userId: string | null }): void {
  authorizeWrite(actor)
  if (actor.projectRole === 'admin' || (userId !== null && userId === actor.userId)) return
  throw forbidden('not_author', 'Only its author or an admin of the project may delete this comment.')
}

async function lockMessage(ctx: TxCtx, place: MessagePlace, state: 'shown' | 'deleted' = 'shown') {
  await keepDocument(ctx, place.kind, place.documentId)
  await queries.lockThread(ctx.db, ctx.actor.projectId, place.threadId)
  const found = await queries.findMessage(ctx.db, ctx.actor.projectId, place)
  if (!found || found.isDeleted !== (state === 'deleted')) throw notFound('comment', place.messageId)
  return found
}

type Happening = 'comment_updated' | 'comment_deleted' | 'comment_restored'

const record = (ctx: TxCtx, { kind, documentId, threadId, messageId }: MessagePlace, what: Happening) =>
  recordEvent(ctx, eventsOf(kind)[what](documentId, { thread_id: threadId, message_id: messageId }))
