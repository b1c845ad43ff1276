import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { defineWrite, type Write } from '../../lib/outbox/index.ts'
import { sendDeletion } from '../../lib/outbox/send-deletion.ts'
import { queryClient } from '../../lib/query-client.ts'
import { commentsQuery } from '../api.ts'
import { changeCommentCount } from '../rows/cache.ts'
import type { Person, WorkOrderComment } from '../work-order.ts'

/** The folder of the knowledge base for the files of comments. */
export const COMMENT_FILES = 'Work order files'

export const COMMENT_FIELD = { label: 'Comment', placeholder: 'Write a comment, or drop a file…' }

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
  waits: true,
  words: ({ text }) => [text],
  about: ({ id, number }) => ({ text: `Comment on WO-${number}`, subjects: [id], part: 'comment' }),
  async send({ id, text, artifactIds }, { projectId, key }) {
    const body = { markdown_content: text, artifact_ids: artifactIds }
    return (await api.workOrders(callOf(projectId)).addComment(id, body, { idempotencyKey: key })).data
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

interface CommentEdit {
  id: string
  number: number
  /** As it was. */
  comment: WorkOrderComment
  text: string
  artifactIds: string[]
}

export const editComment = defineWrite<CommentEdit, WorkOrderComment>({
  name: 'work-orders.edit-comment',
  waits: true,
  words: ({ text }) => [text],
  about: ({ id, number, comment }) => ({
    text: `Edited comment on WO-${number}`,
    subjects: [id, comment.id],
    part: 'comment',
  }),
  send: async ({ id, comment, text, artifactIds }, { projectId }) =>
    (
      await api.workOrders(callOf(projectId)).updateComment(id, comment.id, {
        markdown_content: text,
        artifact_ids: artifactIds,
      })
    ).data,
  show: ({ id, comment, text, artifactIds }, projectId) =>
    setComment(projectId, id, { ...comment, markdown_content: text, artifact_ids: artifactIds }),
  hide: ({ id, comment }, projectId) => setComment(projectId, id, comment),
  saved: (comment, { id }, { projectId }) => setComment(projectId, id, comment),
})
/** The edit that a write holds. */
export const editOfWrite = (write: Write) => write.input as CommentEdit

const setComment = (projectId: string, id: string, comment: WorkOrderComment) =>
  queryClient.setQueryData(commentsQuery(projectId, id).queryKey, (all) =>
    all?.map((one) => (one.id === comment.id ? comment : one)),
  )

interface CommentRemoval {
  id: string
  number: number
  comment: WorkOrderComment
}

export const removeComment = defineWrite<CommentRemoval, void>({
  name: 'work-orders.remove-comment',
  waits: true,
  about: ({ id, number, comment }) => ({
    text: `Delete a comment on WO-${number}`,
    subjects: [id, comment.id],
    part: 'deletion',
  }),
  send: ({ id, comment }, { projectId }) =>
    sendDeletion(() => api.workOrders(callOf(projectId)).deleteComment(id, comment.id)),
  show: ({ id, comment }, projectId) =>
    queryClient.setQueryData(commentsQuery(projectId, id).queryKey, (all) =>
      all?.filter((one) => one.id !== comment.id),
    ),
  hide: ({ id, comment }, projectId) =>
    queryClient.setQueryData(commentsQuery(projectId, id).queryKey, (all) =>
      all?.some((one) => one.id === comment.id)
        ? all
        : all && [...all, comment].sort((a, b) => a.created_at.localeCompare(b.created_at)),
    ),
  saved: (_, { id }, { projectId }) => changeCommentCount(projectId, id, -1),
})
