import type { Ctx } from '../kernel/context.ts'
import { inTransaction, sendTogether } from '../kernel/database/index.ts'
import { findReplay, lockReplay, storeReplay } from '../kernel/database/replays.ts'
import { conflict } from '../kernel/errors.ts'
import { shortNames } from '../kernel/http/bodies/body.ts'
import { lockLinks } from '../links/index.ts'
import { authorizeWrite } from '../projects/index.ts'
import { createWorkOrders, type NewWorkOrder } from './actions.ts'
import type { CreateBatch } from './operations.ts'
import { findReferences } from './references.ts'

export interface Outcome {
  operation_id: string
  operation_type: string
  status: 'succeeded' | 'failed'
  work_order_id: string | null
  work_order_number: number | null
  message: string
}

export interface BatchResult {
  request_id: string
  status: 'Succeeded' | 'PartiallySucceeded' | 'Failed'
  results: Record<string, Outcome>
}

/** Applies each operation on its own and answers for each; sent again with the same request id, creates nothing. */
export function createWorkOrderBatch(ctx: Ctx, batch: CreateBatch): Promise<BatchResult> {
  authorizeWrite(ctx.actor)
  const { requestId, requestSha256 } = batch
  const replayId = { projectId: ctx.actor.projectId, scope: 'work_orders/batch_create', key: requestId }
  return inTransaction(ctx, async (ctx) => {
    const [, before] = await sendTogether([lockReplay(ctx.db, replayId), findReplay(ctx.db, replayId)])
    if (before) {
      if (before.requestSha256 !== requestSha256) throw requestIdReused(requestId)
      return JSON.parse(before.body) as BatchResult
    }
    const result = summarize(requestId, await createEach(ctx, batch))
    await storeReplay(ctx.db, replayId, { requestSha256, status: 200, headers: {}, body: JSON.stringify(result) })
    return result
  })
}

async function createEach(
  ctx: Parameters<typeof createWorkOrders>[0],
  { operations }: CreateBatch,
): Promise<Outcome[]> {
  const good = operations.flatMap(({ parsed }) => ('values' in parsed ? [parsed.values] : []))
  if (good.some((values) => values.connectedContext?.length)) await lockLinks(ctx.db, ctx.actor.projectId)
  const resolve = await findReferences(ctx.db, ctx.actor.projectId, good)

  const outcomes: Outcome[] = []
  const accepted: { draft: NewWorkOrder; outcome: Outcome }[] = []
  for (const { operation, parsed: one } of operations) {
    const resolved = 'values' in one ? resolve(one.values) : one
    if ('values' in one && !('fault' in resolved)) {
      const outcome = succeeded(operation, ignoredMessage(one.ignored))
      outcomes.push(outcome)
      accepted.push({ draft: { values: one.values, snippet: one.snippet, resolved }, outcome })
    } else outcomes.push(failed(operation, (resolved as { fault: string }).fault))
  }
  const created = await createWorkOrders(
    ctx,
    accepted.map((one) => one.draft),
  )
  for (const [index, { outcome }] of accepted.entries()) {
    outcome.work_order_id = created[index]!.id
    outcome.work_order_number = created[index]!.workOrderNumber
  }
  return outcomes
}

type Named = { operation_id: string; operation_type: string }

export const succeeded = ({ operation_id, operation_type }: Named, message = ''): Outcome => ({
  operation_id,
  operation_type,
  status: 'succeeded',
  work_order_id: null,
  work_order_number: null,
  message,
})

export const failed = (operation: Named, message: string): Outcome => ({
  ...succeeded(operation, message),
  status: 'failed',
})

export const ignoredMessage = (ignored: string[]) =>
  ignored.length > 0 ? `Ignored unknown fields: ${shortNames(ignored).join(', ')}.` : ''

export function summarize(requestId: string, outcomes: Outcome[]): BatchResult {
  const good = outcomes.filter((one) => one.status === 'succeeded').length
  const status = good === outcomes.length ? 'Succeeded' : good === 0 ? 'Failed' : 'PartiallySucceeded'
  // Without a prototype, so that an operation may be called "__proto__".
  const results: Record<string, Outcome> = Object.create(null)
  for (const outcome of outcomes) results[outcome.operation_id] = outcome
  return { request_id: requestId, status, results }
}

const requestIdReused = (requestId: string) =>
  conflict(
    'request_id_reused',
    `The request_id "${requestId}" was used with other operations within the last 24 hours. Use a new one for a new batch.`,
  )
