import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { notFound } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { ResourceType } from '../../links/index.ts'
import { authorizeWrite } from '../../projects/index.ts'
import type { Anchor, Thread } from '../document.ts'
import { keepDocument, loadDocument } from '../loading.ts'
import * as queries from './comment-queries.ts'

export async function listThreads(ctx: Ctx, kind: ResourceType, documentId: string): Promise<Thread[]> {
  await loadDocument(ctx, kind, documentId)
  return queries.listThreads(ctx.db, ctx.actor.projectId, documentId)
}

export async function loadThread(ctx: Ctx, kind: ResourceType, documentId: string, threadId: string): Promise<Thread> {
  await loadDocument(ctx, kind, documentId)
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
    await recordEvent(ctx, {
      kind: `${kind}.commented`,
      subjectType: kind,
      subjectId: documentId,
      payload: { thread_id: threadId },
    })
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
    await recordEvent(ctx, {
      kind: `${kind}.commented`,
      subjectType: kind,
      subjectId: documentId,
      payload: { thread_id: threadId },
    })
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
    await recordEvent(ctx, {
      kind: `${kind}.comment_changed`,
      subjectType: kind,
      subjectId: documentId,
      payload: { thread_id: threadId, is_resolved: isResolved, is_flagged: isFlagged },
    })
    return { ...thread, isResolved, isFlagged }
  })
}

function addMessage({ db, actor }: TxCtx, threadId: string, message: string): Promise<void> {
  const { projectId, userId, userName } = actor
  return queries.insertMessage(db, projectId, { id: uuidv7(), threadId, message, userId, userName })
}
