import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { invalid, notFound } from '../../kernel/errors.ts'
import { answerData, viewEtagOf } from '../../kernel/http/answers/etag.ts'
import { operation } from '../../kernel/http/operation.ts'
import { answerPage, offsetOf } from '../../kernel/http/paging.ts'
import type { Face } from '../../kernel/http/request.ts'
import { Empty } from '../../kernel/http/schema.ts'
import { expandContext } from '../links/index.ts'
import * as actions from './actions.ts'
import { registerBatchRoutes } from './batches/batch-external-api.ts'
import { registerClaimRoutes } from './claims/claims-external-api.ts'
import { registerCommentRoutes } from './comments/comments-external-api.ts'
import { registerContextRoute } from './context/context-external-api.ts'
import { listLabels } from './planning/label-queries.ts'
import { listPhases } from './planning/phase-queries.ts'
import { type ListFilters, listWorkOrders } from './queries.ts'
import { findRepresentation, representWorkOrder } from './representation.ts'
import * as schema from './schema.ts'
import { searchWorkOrders } from './search.ts'
import { presentLabel, presentPhase, presentWorkOrderSummary, type WorkOrder } from './work-order.ts'

const tags = ['Work orders']

export function registerWorkOrderRoutes(face: Face) {
  face.get(
    '/work_orders/labels',
    operation({ id: 'listLabels', summary: 'List labels', tags, query: schema.LabelQuery, answer: schema.LabelItems }),
    async (req) => {
      const labels = await listLabels(req.ctx.db, req.ctx.actor.projectId, req.query.include_archived)
      return { items: labels.map(presentLabel) }
    },
  )

  face.get(
    '/work_orders/phases',
    operation({ id: 'listPhases', summary: 'List phases', tags, answer: schema.PhaseItems }),
    async (req) => ({ items: (await listPhases(req.ctx.db, req.ctx.actor.projectId)).map(presentPhase) }),
  )

  face.get(
    '/work_orders',
    operation({
      id: 'listWorkOrders',
      summary: 'List work orders',
      tags,
      query: schema.ListQuery,
      answer: schema.WorkOrderPage,
      sharedRead: true,
    }),
    async (req, reply) => {
      const { db, actor } = req.ctx
      const { sort, page_size: limit } = req.query
      const list = { filters: filtersOf(req.query), sort, limit, offset: offsetOf(req.query) }
      const { rows, total } = await listWorkOrders(db, actor.projectId, list)
      return answerPage(req, reply, { rows: rows.map(presentWorkOrderSummary), total })
    },
  )

  face.post(
    '/work_orders/search',
    operation({
      id: 'searchWorkOrders',
      summary: 'Search by text or exact number',
      tags,
      body: schema.SearchBody,
      answer: schema.WorkOrderItems,
      reads: true,
    }),
    async (req) => ({ items: (await search(req.ctx, req.body)).map(presentWorkOrderSummary) }),
  )

  registerBatchRoutes(face)

  face.get(
    '/work_orders/by_number/:work_order_number',
    operation({
      id: 'getWorkOrderByNumber',
      summary: 'Read a work order by its number',
      tags,
      params: schema.NumberParams,
      query: schema.DetailQuery,
      answer: schema.WorkOrderData,
      etag: true,
    }),
    async (req, reply) =>
      answerWorkOrder(
        req,
        reply,
        await actions.loadWorkOrderByNumber(req.ctx, req.params.work_order_number),
        req.query.expand_context,
      ),
  )

  face.get(
    '/work_orders/:work_order_id',
    operation({
      id: 'getWorkOrder',
      summary: 'Read a work order',
      tags,
      params: schema.WorkOrderParams,
      query: schema.DetailQuery,
      answer: schema.WorkOrderData,
      etag: true,
    }),
    async (req, reply) => {
      const { work_order_id } = req.params
      if (req.query.expand_context)
        return answerWorkOrder(req, reply, await actions.loadWorkOrder(req.ctx, work_order_id), true)
      const shown = await findRepresentation(req.ctx.db, req.ctx.actor.projectId, work_order_id)
      if (!shown) throw notFound('work order', work_order_id)
      return answerData(req, reply, shown)
    },
  )

  face.delete(
    '/work_orders/:work_order_id',
    operation({
      id: 'deleteWorkOrder',
      summary: 'Delete a work order',
      tags,
      params: schema.WorkOrderParams,
      answers: { 204: Empty },
      etag: true,
    }),
    async (req, reply) => {
      await actions.deleteWorkOrder(req.ctx, req.params.work_order_id)
      return reply.code(204).send(null)
    },
  )

  face.patch(
    '/work_orders/:work_order_id/description',
    operation({
      id: 'setWorkOrderDescription',
      summary: 'Overwrite the whole description',
      tags,
      params: schema.WorkOrderParams,
      body: schema.DescriptionBody,
      answer: schema.WorkOrderData,
      etag: true,
    }),
    async (req, reply) =>
      answerWorkOrder(
        req,
        reply,
        await actions.describeWorkOrder(req.ctx, req.params.work_order_id, req.body.markdown_content),
      ),
  )

  registerCommentRoutes(face)
  registerClaimRoutes(face)
  registerContextRoute(face)
}

const filtersOf = (query: Static<typeof schema.ListQuery>): ListFilters => ({
  statuses: query.status,
  priorities: query.priority,
  types: query.type,
  phaseIds: query.phase_id,
  phaseNumbers: query.phase_number,
  assigneeIds: query.assignee_id,
  assigneeNames: query.assignee_name,
  titles: query.title,
  labelIds: query.label_id,
})

async function answerWorkOrder(req: FastifyRequest, reply: FastifyReply, workOrder: WorkOrder, expand = false) {
  const plain = representWorkOrder(workOrder)
  const shown = expand ? representWorkOrder(workOrder, await expandContext(req.ctx, workOrder.context)) : plain
  const etag = expand ? viewEtagOf(plain.etag, shown.etag) : plain.etag
  return answerData(req, reply, { body: shown.body, etag })
}

async function search(
  ctx: FastifyRequest['ctx'],
  { query, work_order_number, limit }: { query?: string; work_order_number?: number; limit: number },
) {
  if ((query === undefined) === (work_order_number === undefined))
    throw invalid([{ pointer: '/query', detail: 'Send exactly one of "query" and "work_order_number".' }])
  if (query !== undefined) return searchWorkOrders(ctx, query, limit)
  return actions.searchByNumber(ctx, work_order_number!)
}
