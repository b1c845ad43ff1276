import type { Ctx } from '../kernel/context.ts'
import { type Db, inTransaction, type Tx } from '../kernel/database/index.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import { recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { findResources } from '../links/index.ts'
import { authorizeWrite } from '../projects/index.ts'
import { authorizeCommentChange } from './policy.ts'
import type { Comment } from './work-order.ts'

export async function listComments(ctx: Ctx, workOrderId: string): Promise<Comment[]> {
  await refuseUnknownWorkOrder(ctx.db, ctx.actor.projectId, workOrderId)
  return selectComments(ctx.db, ctx.db`c.project_id = ${ctx.actor.projectId} and c.work_order_id = ${workOrderId}`)
}

export function addComment(
  ctx: Ctx,
  workOrderId: string,
  markdownContent: string,
  artifactIds: string[],
): Promise<Comment> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId, userId } = ctx.actor
    await refuseUnknownWorkOrder(ctx.db, projectId, workOrderId)
    authorizeWrite(ctx.actor)
    await refuseUnknownArtifacts(ctx.db, projectId, artifactIds)
    const id = uuidv7()
    await ctx.db`
      insert into work_order_comments (project_id, id, work_order_id, author_id, markdown_content, created_at, updated_at)
      values (${projectId}, ${id}, ${workOrderId}, ${userId}, ${markdownContent}, now(), now())`
    await insertArtifacts(ctx.db, projectId, id, artifactIds)
    await recordEvent(ctx, {
      kind: 'work_order.commented',
      subjectType: 'work_order',
      subjectId: workOrderId,
      payload: { comment_id: id },
    })
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
    await ctx.db`
      update work_order_comments set markdown_content = ${markdownContent ?? comment.markdownContent}, updated_at = now()
      where project_id = ${projectId} and id = ${id}`
    if (artifactIds) {
      await ctx.db`delete from work_order_comment_artifacts where project_id = ${projectId} and comment_id = ${id}`
      await insertArtifacts(ctx.db, projectId, id, artifactIds)
    }
    await recordEvent(ctx, {
      kind: 'work_order.comment_updated',
      subjectType: 'work_order',
      subjectId: workOrderId,
      payload: { comment_id: id },
    })
    return loadComment(ctx, workOrderId, id)
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
    await ctx.db`delete from work_order_comments where project_id = ${ctx.actor.projectId} and id = ${id}`
    await recordEvent(ctx, {
      kind: 'work_order.comment_deleted',
      subjectType: 'work_order',
      subjectId: workOrderId,
      payload: { comment_id: id },
    })
  })
}

async function lockComment(ctx: Ctx & { db: Tx }, workOrderId: string, id: string): Promise<Comment> {
  await ctx.db`select 1 from work_order_comments where project_id = ${ctx.actor.projectId} and id = ${id} for update`
  return loadComment(ctx, workOrderId, id)
}

async function loadComment(ctx: Ctx, workOrderId: string, id: string): Promise<Comment> {
  const { db, actor } = ctx
  const [comment] = await selectComments(
    db,
    db`c.project_id = ${actor.projectId} and c.id = ${id} and c.work_order_id = ${workOrderId}`,
  )
  if (!comment) throw notFound('comment', id)
  return comment
}

function selectComments(db: Db, where: ReturnType<Db>): Promise<Comment[]> {
  return db<Comment[]>`
    select c.id, c.work_order_id as "workOrderId", c.markdown_content as "markdownContent",
      c.created_at as "createdAt", c.updated_at as "updatedAt",
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as author,
      array(select a.artifact_id from work_order_comment_artifacts a
        where a.project_id = c.project_id and a.comment_id = c.id order by a.position) as "artifactIds"
    from work_order_comments c left join users u on u.id = c.author_id
    where ${where} order by c.created_at, c.id`
}

async function refuseUnknownWorkOrder(db: Db, projectId: string, id: string): Promise<void> {
  const [found] = await db`select 1 from work_orders where project_id = ${projectId} and id = ${id} for key share`
  if (!found) throw notFound('work order', id)
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

async function insertArtifacts(db: Db, projectId: string, commentId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await db`insert into work_order_comment_artifacts (project_id, comment_id, artifact_id, position)
    select ${projectId}, ${commentId}, a.id, a.position from unnest(${ids}::uuid[]) with ordinality as a (id, position)
    on conflict do nothing`
}
