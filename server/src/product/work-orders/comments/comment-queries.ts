import { type Db, json } from '../../../kernel/database/index.ts'
import type { Via } from '../../../kernel/http/created-via.ts'
import type { Comment } from '../work-order.ts'

/** Oldest first. */
export const listComments = (db: Db, projectId: string, workOrderId: string) =>
  selectComments(db, db`c.project_id = ${projectId} and c.work_order_id = ${workOrderId}`)

export async function findComment(db: Db, projectId: string, workOrderId: string, id: string) {
  const [comment] = await selectComments(
    db,
    db`c.project_id = ${projectId} and c.id = ${id} and c.work_order_id = ${workOrderId}`,
  )
  return comment
}

export async function lockComment(db: Db, projectId: string, workOrderId: string, id: string) {
  await db`select 1 from work_order_comments where project_id = ${projectId} and id = ${id} for update`
  // Read after the wait, because a statement that waited for a row lock sees joined rows as they were before.
  return findComment(db, projectId, workOrderId, id)
}

function selectComments(db: Db, where: ReturnType<Db>): Promise<Comment[]> {
  return db<Comment[]>`
    select c.id, c.work_order_id as "workOrderId", c.markdown_content as "markdownContent",
      c.created_at as "createdAt", c.updated_at as "updatedAt", c.via,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as author,
      array(select a.artifact_id from work_order_comment_artifacts a
        where a.project_id = c.project_id and a.comment_id = c.id order by a.position) as "artifactIds"
    from work_order_comments c left join users u on u.id = c.author_id
    where ${where} order by c.created_at, c.id`
}

interface NewComment {
  id: string
  workOrderId: string
  authorId: string | null
  markdownContent: string
  artifactIds: string[]
  via: Via | null
}

export async function insertComment(db: Db, projectId: string, comment: NewComment): Promise<void> {
  await db`
    insert into work_order_comments (project_id, id, work_order_id, author_id, markdown_content, via, created_at,
      updated_at)
    values (${projectId}, ${comment.id}, ${comment.workOrderId}, ${comment.authorId}, ${comment.markdownContent},
      ${comment.via && json(comment.via)}, now(), now())`
  await insertArtifacts(db, projectId, comment.id, comment.artifactIds)
}

interface CommentText {
  id: string
  workOrderId: string
  /** Of the work order. */
  title: string
  text: string
}

export const listCommentTexts = (db: Db, projectId: string, part: string) => db<CommentText[]>`
  select c.id, c.work_order_id as "workOrderId", w.title, c.markdown_content as text
  from work_order_comments c join work_orders w on w.project_id = c.project_id and w.id = c.work_order_id
  where c.project_id = ${projectId} and position(${part} in c.markdown_content) > 0 order by c.id`

export async function updateComment(db: Db, projectId: string, id: string, markdownContent: string): Promise<void> {
  await db`
    update work_order_comments set markdown_content = ${markdownContent}, updated_at = now()
    where project_id = ${projectId} and id = ${id}`
}

export async function replaceArtifacts(db: Db, projectId: string, commentId: string, ids: string[]): Promise<void> {
  await db`delete from work_order_comment_artifacts where project_id = ${projectId} and comment_id = ${commentId}`
  await insertArtifacts(db, projectId, commentId, ids)
}

async function insertArtifacts(db: Db, projectId: string, commentId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await db`insert into work_order_comment_artifacts (project_id, comment_id, artifact_id, position)
    select ${projectId}, ${commentId}, a.id, a.position from unnest(${ids}::uuid[]) with ordinality as a (id, position)
    on conflict do nothing`
}

export async function deleteComment(db: Db, projectId: string, id: string): Promise<void> {
  await db`delete from work_order_comments where project_id = ${projectId} and id = ${id}`
}
