import { showToast } from '../app/toasts.tsx'
import { clientOf } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { queryClient } from '../lib/query-client.ts'
import { commentsQuery } from './api.ts'
import { changeCommentCount } from './cache.ts'
import type { Person, WorkOrderComment } from './work-order.ts'

export interface NewComment {
  id: string
  number: number
  text: string
  artifactIds: string[]
  author: Person
  /** Until the server has given it an id. */
  temporaryId: string
  at: string
}

export const addComment = defineWrite<NewComment, WorkOrderComment>({
  name: 'work-orders.comment',
  about: ({ id, number }) => ({ text: `Comment on WO-${number}`, subjects: [id], part: 'comment' }),
  async send({ id, text, artifactIds }, { projectId, key }) {
    const body = { markdown_content: text, artifact_ids: artifactIds }
    return (await clientOf(projectId).workOrders.addComment(id, body, { idempotencyKey: key })).data
  },
  show({ id, text, artifactIds, author, temporaryId, at }, projectId) {
    const comment: WorkOrderComment = {
      object: 'work_order_comment',
      id: temporaryId,
      author,
      created_at: at,
      updated_at: at,
      markdown_content: text,
      artifact_ids: artifactIds,
    }
    queryClient.setQueryData(commentsQuery(projectId, id).queryKey, (all) =>
      all && !all.some((one) => one.id === temporaryId) ? [...all, comment] : all,
    )
  },
  hide: ({ id, temporaryId }, projectId) =>
    queryClient.setQueryData(commentsQuery(projectId, id).queryKey, (all) =>
      all?.filter((one) => one.id !== temporaryId),
    ),
  saved(comment, { id, temporaryId }, { projectId }) {
    queryClient.setQueryData(commentsQuery(projectId, id).queryKey, (all) =>
      all?.map((one) => (one.id === temporaryId ? comment : one)),
    )
    changeCommentCount(projectId, id, 1)
  },
})

export const removeComment = defineWrite<{ id: string; number: number; comment: WorkOrderComment }, unknown>({
  name: 'work-orders.remove-comment',
  about: ({ id, number }) => ({ text: `Delete a comment on WO-${number}`, subjects: [id], part: 'deletion' }),
  send: ({ id, comment }, { projectId }) => clientOf(projectId).workOrders.deleteComment(id, comment.id),
  show: ({ id, comment }, projectId) =>
    queryClient.setQueryData(commentsQuery(projectId, id).queryKey, (all) =>
      all?.filter((one) => one.id !== comment.id),
    ),
  hide: ({ id }, projectId) => void queryClient.invalidateQueries({ queryKey: commentsQuery(projectId, id).queryKey }),
  saved: (_, { id }, { projectId }) => changeCommentCount(projectId, id, -1),
  failed: ({ fault }) => showToast({ text: 'The comment was not deleted.', detail: fault!.message, tone: 'error' }),
})
