import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { viaOf } from '../../../kernel/http/created-via.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import type { ResourceType } from '../../links/index.ts'
import { authorizeWrite } from '../../projects/index.ts'
import type { Anchor, Thread } from '../document.ts'
import { eventsOf } from '../events.ts'
import { keepDocument, loadOutline } from '../loading.ts'
import * as queries from './comment-queries.ts'

export async function listThreads(ctx: Ctx, kind: ResourceType, documentId: string): Promise<Thread[]> {
  await loadOutline(ctx, kind, documentId)
  return queries.listThreads(ctx.db, ctx.actor.projectId, documentId)
}

export async function loadThread(ctx: Ctx, kind: ResourceType, documentId: string, threadId: string): Promise<Thread> {
  await loadOutline(ctx, kind, documentId)
  const thread = await queries.findThread(ctx.db, ctx.actor.projectId, documentId, threadId)
  if (!thread) throw notFound('comment thread', threadId)
  return thread
}

export function startThread(
  ctx: Ctx,
  kind: ResourceType,
  documentId: string,
  message: string,
  isFlagged: boolean,
  anchor: Anchor | null = null,
): Promise<Thread> {
  return inTransaction(ctx, async (ctx) => {
    await keepDocument(ctx, kind, documentId)
    authorizeWrite(ctx.actor)
    const threadId = uuidv7()
    await queries.insertThread(ctx.db, ctx.actor.projectId, { id: threadId, documentId, isFlagged, anchor })
    await addMessage(ctx, threadId, message)
    await recordEvent(ctx, eventsOf(kind).commented(documentId, { thread_id: threadId }))
    return loadThread(ctx, kind, documentId, threadId)
  })
}

export function replyToThread(
  ctx: Ctx,
  kind: ResourceType,
  documentId: string,
  threadId: string,
  message: string,
): Promise<Thread> {
  return inTransaction(ctx, async (ctx) => {
    await keepDocument(ctx, kind, documentId)
    await loadThread(ctx, kind, documentId, threadId)
    authorizeWrite(ctx.actor)
    await addMessage(ctx, threadId, message)
    await recordEvent(ctx, eventsOf(kind).commented(documentId, { thread_id: threadId }))
    return loadThread(ctx, kind, documentId, threadId)
  })
}

interface ThreadChange {
  isResolved: boolean | undefined
  isFlagged: boolean | undefined
}

export function changeThread(
  ctx: Ctx,
  kind: ResourceType,
  documentId: string,
  threadId: string,
  change: ThreadChange,
): Promise<Thread> {
  return inTransaction(ctx, async (ctx) => {
    await keepDocument(ctx, kind, documentId)
    await queries.lockThread(ctx.db, ctx.actor.projectId, threadId)
    const thread = await loadThread(ctx, kind, documentId, threadId)
    authorizeWrite(ctx.actor)
    const { isResolved = thread.isResolved, isFlagged = thread.isFlagged } = change
    if (isResolved === thread.isResolved && isFlagged === thread.isFlagged) return thread
    await queries.updateThread(ctx.db, ctx.actor.projectId, { id: threadId, isResolved, isFlagged })
    await recordEvent(
      ctx,
      eventsOf(kind).comment_changed(documentId, {
        thread_id: threadId,
        is_resolved: isResolved,
        is_flagged: isFlagged,
      }),
    )
    return { ...thread, isResolved, isFlagged }
  })
}

/** Deletes a message that nobody has answered, and its thread if that is all of it. Returns why it stays, or undefined. */
export function takeBackMessage(
  ctx: Ctx,
  kind: ResourceType,
  documentId: string,
  threadId: string,
  messageId: string,
): Promise<string | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    await keepDocument(ctx, kind, documentId)
    await queries.lockThread(ctx.db, projectId, threadId)
    const thread = await queries.findThread(ctx.db, projectId, documentId, threadId)
    const at = thread?.messages.findIndex((one) => one.id === messageId) ?? -1
    if (!thread || at === -1) return undefined
    authorizeWrite(ctx.actor)
    if (at < thread.messages.length - 1) return 'Somebody has answered it.'
    if (thread.isResolved) return 'Somebody has resolved its thread.'
    await queries.deleteMessage(ctx.db, projectId, messageId)
    if (at === 0) await queries.deleteThread(ctx.db, projectId, threadId)
    await recordEvent(ctx, eventsOf(kind).comment_deleted(documentId, { thread_id: threadId }))
    return undefined
  })
}

function addMessage(ctx: TxCtx, threadId: string, message: string): Promise<void> {
  const { projectId, userId, userName, origin } = ctx.actor
  const one = { id: uuidv7(), threadId, message, userId, userName, origin, via: viaOf(ctx) }
  return queries.insertMessage(ctx.db, projectId, one)
}
