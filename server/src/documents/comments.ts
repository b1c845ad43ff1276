import type { Ctx } from '../kernel/context.ts'
import { type Db, inTransaction, type Tx } from '../kernel/database/index.ts'
import { notFound } from '../kernel/errors.ts'
import { recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import type { ResourceType } from '../links/index.ts'
import { authorizeWrite } from '../projects/index.ts'
import type { Thread } from './document.ts'
import { keepDocument, loadDocument } from './loading.ts'

export async function listThreads(ctx: Ctx, kind: ResourceType, documentId: string): Promise<Thread[]> {
  await loadDocument(ctx, kind, documentId)
  return selectThreads(ctx.db, ctx.db`t.project_id = ${ctx.actor.projectId} and t.document_id = ${documentId}`)
}

export async function loadThread(ctx: Ctx, kind: ResourceType, documentId: string, threadId: string): Promise<Thread> {
  await loadDocument(ctx, kind, documentId)
  const { db, actor } = ctx
  const [thread] = await selectThreads(
    db,
    db`t.project_id = ${actor.projectId} and t.document_id = ${documentId} and t.id = ${threadId}`,
  )
  if (!thread) throw notFound('comment thread', threadId)
  return thread
}

export function startThread(
  ctx: Ctx,
  kind: ResourceType,
  documentId: string,
  message: string,
  isFlagged: boolean,
): Promise<Thread> {
  return inTransaction(ctx, async (ctx) => {
    await keepDocument(ctx, kind, documentId)
    authorizeWrite(ctx.actor)
    const threadId = uuidv7()
    await ctx.db`insert into document_threads (project_id, id, document_id, is_flagged, created_at)
      values (${ctx.actor.projectId}, ${threadId}, ${documentId}, ${isFlagged}, now())`
    await insertMessage(ctx, threadId, message)
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
    await insertMessage(ctx, threadId, message)
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
    await ctx.db`select 1 from document_threads where project_id = ${ctx.actor.projectId} and id = ${threadId} for update`
    const thread = await loadThread(ctx, kind, documentId, threadId)
    authorizeWrite(ctx.actor)
    const { isResolved = thread.isResolved, isFlagged = thread.isFlagged } = change
    if (isResolved === thread.isResolved && isFlagged === thread.isFlagged) return thread
    await ctx.db`update document_threads set is_resolved = ${isResolved}, is_flagged = ${isFlagged}
      where project_id = ${ctx.actor.projectId} and id = ${threadId}`
    await recordEvent(ctx, {
      kind: `${kind}.comment_changed`,
      subjectType: kind,
      subjectId: documentId,
      payload: { thread_id: threadId, is_resolved: isResolved, is_flagged: isFlagged },
    })
    return { ...thread, isResolved, isFlagged }
  })
}

async function insertMessage(ctx: Ctx & { db: Tx }, threadId: string, message: string): Promise<void> {
  const { projectId, userId, userName } = ctx.actor
  await ctx.db`insert into document_messages (project_id, id, thread_id, message, user_id, created_by_name, created_at)
    values (${projectId}, ${uuidv7()}, ${threadId}, ${message}, ${userId}, ${userName}, now())`
}

async function selectThreads(db: Db, where: ReturnType<Db>): Promise<Thread[]> {
  const rows = await db<(Omit<Thread, 'messages'> & { messages: Thread['messages'] | null })[]>`
    select t.id, t.is_resolved as "isResolved", t.is_flagged as "isFlagged",
      (select json_agg(json_build_object('id', m.id, 'message', m.message, 'created_by_name', m.created_by_name,
          'created_at', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by m.created_at, m.id)
        from document_messages m where m.project_id = t.project_id and m.thread_id = t.id) as messages
    from document_threads t where ${where} order by t.created_at, t.id`
  return rows.map((row) => ({ ...row, messages: row.messages ?? [] }))
}
