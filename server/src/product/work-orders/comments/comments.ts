import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { type Db, inTransaction } from '../../../kernel/database/index.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { viaOf } from '../../../kernel/http/created-via.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { findResources } from '../../links/index.ts'
import { workOrderEvents } from '../events.ts'
import { authorizeCommentChange, authorizeWrite } from '../policy.ts'
import { holdWorkOrder } from '../queries.ts'
import type { Comment } from '../work-order.ts'
import * as queries from './comment-queries.ts'

export async function listComments(ctx: Ctx, workOrderId: string): Promise<Comment[]> {
  await keepWorkOrder(ctx, workOrderId)
  return queries.listComments(ctx.db, ctx.actor.projectId, workOrderId)
}

export function addComment(
  ctx: Ctx,
  workOrderId: string,
  markdownContent: string,
  artifactIds: string[],
): Promise<Comment> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId, userId } = ctx.actor
    await keepWorkOrder(ctx, workOrderId)
    authorizeWrite(ctx.actor)
    await refuseUnknownArtifacts(ctx.db, projectId, artifactIds)
    const id = uuidv7()
    const comment = { id, workOrderId, authorId: userId, markdownContent, artifactIds, via: viaOf(ctx) }
    await queries.insertComment(ctx.db, projectId, comment)
    await recordEvent(ctx, workOrderEvents.commented(workOrderId, { comment_id: id }))
    return loadComment(ctx, workOrderId, id)
  })
}

interface CommentChange {
  markdownContent: string | undefined
  artifactIds: string[] | undefined
}

export function changeComment(
  ctx: Ctx,
  workOrderId: string,
  id: string,
  { markdownContent, artifactIds }: CommentChange,
): Promise<Comment> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const comment = await lockComment(ctx, workOrderId, id)
    authorizeCommentChange(ctx.actor, comment)
    if (artifactIds) await refuseUnknownArtifacts(ctx.db, projectId, artifactIds)
    if (isSame(comment, { markdownContent, artifactIds })) return comment
    await queries.updateComment(ctx.db, projectId, id, markdownContent ?? comment.markdownContent)
    if (artifactIds) await queries.replaceArtifacts(ctx.db, projectId, id, artifactIds)
    await recordEvent(ctx, workOrderEvents.comment_updated(workOrderId, { comment_id: id }))
    return loadComment(ctx, workOrderId, id)
  })
}

/** Returns false if the comment is gone, or does not say `from`. */
export function rewriteComment(
  ctx: Ctx,
  { workOrderId, id }: { workOrderId: string; id: string },
  from: string,
  to: string,
): Promise<boolean> {
  return inTransaction(ctx, async (ctx) => {
    const comment = await queries.lockComment(ctx.db, ctx.actor.projectId, workOrderId, id)
    if (comment?.markdownContent !== from) return false
    await changeComment(ctx, workOrderId, id, { markdownContent: to, artifactIds: undefined })
    return true
  })
}

function isSame(comment: Comment, { markdownContent, artifactIds }: CommentChange): boolean {
  if (markdownContent !== undefined && markdownContent !== comment.markdownContent) return false
  if (artifactIds === undefined) return true
  const wanted = [...new Set(artifactIds.map((id) => id.toLowerCase()))]
  return wanted.join() === comment.artifactIds.join()
}

export function deleteComment(ctx: Ctx, workOrderId: string, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const comment = await lockComment(ctx, workOrderId, id)
    authorizeCommentChange(ctx.actor, comment)
    await queries.deleteComment(ctx.db, ctx.actor.projectId, id)
    await recordEvent(ctx, workOrderEvents.comment_deleted(workOrderId, { comment_id: id }))
  })
}

/** Deletes a comment that nobody has answered or changed. Returns why it stays, or undefined. */
export function takeBackComment(ctx: Ctx, workOrderId: string, id: string, text: string): Promise<string | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const comments = await listComments(ctx, workOrderId)
    const at = comments.findIndex((one) => one.id === id)
    if (at === -1) return undefined
    if (comments[at]!.markdownContent !== text) return 'The comment was changed since.'
    if (at < comments.length - 1) return 'Somebody has commented after it.'
    await deleteComment(ctx, workOrderId, id)
    return undefined
  })
}

async function lockComment(ctx: TxCtx, workOrderId: string, id: string): Promise<Comment> {
  const comment = await queries.lockComment(ctx.db, ctx.actor.projectId, workOrderId, id)
  if (!comment) throw notFound('comment', id)
  return comment
}

async function loadComment(ctx: Ctx, workOrderId: string, id: string): Promise<Comment> {
  const comment = await queries.findComment(ctx.db, ctx.actor.projectId, workOrderId, id)
  if (!comment) throw notFound('comment', id)
  return comment
}

/** In a transaction, keeps the work order from being deleted until it ends. */
async function keepWorkOrder(ctx: Ctx, id: string): Promise<void> {
  if (!(await holdWorkOrder(ctx.db, ctx.actor.projectId, id))) throw notFound('work order', id)
}

async function refuseUnknownArtifacts(db: Db, projectId: string, ids: string[]): Promise<void> {
  const known = await findResources(db, projectId, ids)
  const errors = ids.flatMap((id, index) =>
    known.get(id.toLowerCase()) === 'artifact'
      ? []
      : [{ pointer: `/artifact_ids/${index}`, detail: `There is no artifact "${id}" in this project.` }],
  )
  if (errors.length > 0) throw invalid(errors)
}
