import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Empty } from '../../../kernel/http/schema.ts'
import * as schema from '../schema.ts'
import { presentComment } from '../work-order.ts'
import { addComment, changeComment, deleteComment, listComments } from './comments.ts'

const tags = ['Work orders']

export function registerCommentRoutes(face: Face) {
  face.get(
    '/work_orders/:work_order_id/comments',
    operation({
      id: 'listWorkOrderComments',
      summary: 'List comments',
      tags,
      params: schema.WorkOrderParams,
      answer: schema.CommentItems,
    }),
    async (req) => ({ items: (await listComments(req.ctx, req.params.work_order_id)).map(presentComment) }),
  )

  face.post(
    '/work_orders/:work_order_id/comments',
    operation({
      id: 'addWorkOrderComment',
      summary: 'Comment on a work order',
      tags,
      params: schema.WorkOrderParams,
      body: schema.NewCommentBody,
      answers: { 201: schema.CommentData },
    }),
    async (req, reply) => {
      const { markdown_content, artifact_ids = [] } = req.body
      const comment = await addComment(req.ctx, req.params.work_order_id, markdown_content, artifact_ids)
      reply.code(201)
      return { data: presentComment(comment) }
    },
  )

  face.patch(
    '/work_orders/:work_order_id/comments/:comment_id',
    operation({
      id: 'updateWorkOrderComment',
      summary: 'Change a comment',
      description: 'Only its author or a project admin.',
      tags,
      params: schema.CommentParams,
      body: schema.CommentBody,
      answer: schema.CommentData,
    }),
    async (req) => {
      const { work_order_id, comment_id } = req.params
      const change = { markdownContent: req.body.markdown_content, artifactIds: req.body.artifact_ids }
      return { data: presentComment(await changeComment(req.ctx, work_order_id, comment_id, change)) }
    },
  )

  face.delete(
    '/work_orders/:work_order_id/comments/:comment_id',
    operation({
      id: 'deleteWorkOrderComment',
      summary: 'Delete a comment',
      description: 'Only its author or a project admin.',
      tags,
      params: schema.CommentParams,
      answers: { 204: Empty },
    }),
    async (req, reply) => {
      await deleteComment(req.ctx, req.params.work_order_id, req.params.comment_id)
      return reply.code(204).send(null)
    },
  )
}
