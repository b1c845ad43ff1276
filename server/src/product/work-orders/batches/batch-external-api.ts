import { answerOnce } from '../../../kernel/database/replays.ts'
import { conflict } from '../../../kernel/errors.ts'
import { shortNames } from '../../../kernel/http/bodies/body.ts'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { type Change, changeWorkOrders } from '../change.ts'
import { createWorkOrders } from '../create.ts'
import type { Outcome } from '../work-order.ts'
import { BatchCreateBody, type BatchOutcome, BatchResult, BatchUpdateBody } from './batch-schema.ts'
import { type Batch, type CreateBatch, type Operation, readCreates, readUpdates } from './operations.ts'

const tags = ['Work orders']

export function registerBatchRoutes(face: Face) {
  face.post(
    '/work_orders/batch_create',
    {
      preHandler: async (req) => {
        req.prepared = await readCreates(req.body)
      },
      ...operation({
        id: 'batchCreateWorkOrders',
        summary: 'Create many work orders',
        description:
          'Each operation stands alone. Sent again within 24 hours with the same `request_id` and body, it answers as before and creates nothing.',
        tags,
        body: BatchCreateBody,
        answer: BatchResult,
      }),
    },
    (req) => {
      const batch = req.prepared as CreateBatch
      const { requestId: key, requestSha256 } = batch
      const id = { projectId: req.ctx.actor.projectId, scope: 'work_orders/batch_create', key }
      const create = (ctx: typeof req.ctx) => answerBatch(batch, (wanted) => createWorkOrders(ctx, wanted))
      return answerOnce(req.ctx, { id, requestSha256, run: create, reused: () => requestIdReused(key) })
    },
  )

  face.post(
    '/work_orders/batch_update',
    {
      preHandler: async (req) => {
        req.prepared = await readUpdates(req.body)
      },
      ...operation({
        id: 'batchUpdateWorkOrders',
        summary: 'Change or delete many work orders',
        description: 'Operations are applied in order, each standing alone.',
        tags,
        body: BatchUpdateBody,
        answer: BatchResult,
      }),
    },
    (req) => answerBatch(req.prepared as Batch<Change>, (wanted) => changeWorkOrders(req.ctx, wanted)),
  )
}

/** Runs the operations that could be read, and answers for all. */
async function answerBatch<Wanted extends object>(
  { requestId, operations }: Batch<Wanted>,
  act: (wanted: Wanted[]) => Promise<Outcome[]>,
): Promise<BatchResult> {
  const readable = operations.flatMap(({ wanted }) => ('fault' in wanted ? [] : [wanted]))
  const done = (await act(readable)).values()
  const outcomes = operations.map((operation) =>
    presentOutcome(
      operation,
      'fault' in operation.wanted ? { workOrder: null, fault: operation.wanted.fault } : done.next().value!,
    ),
  )
  const good = outcomes.filter((one) => one.status === 'succeeded').length
  // Without a prototype, because an operation may be called "__proto__".
  const results: BatchResult['results'] = Object.create(null)
  for (const outcome of outcomes) results[outcome.operation_id] = outcome
  return {
    request_id: requestId,
    status: good === outcomes.length ? 'Succeeded' : good === 0 ? 'Failed' : 'PartiallySucceeded',
    results,
  }
}

const presentOutcome = (
  { operationId, operationType, ignored }: Operation<object>,
  { workOrder, fault }: Outcome,
): BatchOutcome => ({
  operation_id: operationId,
  operation_type: operationType,
  status: fault === undefined ? 'succeeded' : 'failed',
  work_order_id: workOrder?.id ?? null,
  work_order_number: workOrder?.workOrderNumber ?? null,
  message: fault ?? (ignored.length > 0 ? `Ignored unknown fields: ${shortNames(ignored).join(', ')}.` : ''),
})

const requestIdReused = (requestId: string) =>
  conflict(
    'request_id_reused',
    `The request_id "${requestId}" was used with other operations within the last 24 hours. Use a new one for a new batch.`,
  )
