import type { TxCtx } from '../../kernel/context.ts'
import { recordEvents } from '../../kernel/events.ts'
import { recordCodePush } from '../automations/index.ts'
import { changeWorkOrder, type WorkOrderStatus } from '../work-orders/index.ts'
import { type CodeHost, presentCode } from './code-host.ts'
import { codeEvents } from './events.ts'
import { type Happening, numbersIn } from './happening.ts'
import { lockNamedWorkOrders, type NewLink, upsertLinks } from './queries.ts'

/** A work order is only moved forward. Whoever blocked one decides when it goes on. */
const BEFORE_REVIEW = new Set<WorkOrderStatus>(['backlog', 'ready', 'in_progress'])

/** Starts the automations of a push, links commits and pull requests to the work orders that they name, and moves those. */
export async function applyHappening(ctx: TxCtx, host: CodeHost, { push, codes, move }: Happening): Promise<void> {
  if (push) await recordCodePush(ctx, push)
  const named = codes.map(({ code, texts }) => ({ code, numbers: numbersIn(texts) }))
  const numbers = [...new Set(named.flatMap((one) => one.numbers))]
  if (numbers.length === 0) return
  const workOrders = await lockNamedWorkOrders(ctx.db, ctx.actor.projectId, numbers)
  const byNumber = new Map(workOrders.map((one) => [one.number, one]))
  const links = named.flatMap(({ code, numbers }) =>
    numbers.flatMap((number): NewLink[] => {
      const workOrder = byNumber.get(number)
      return workOrder ? [{ ...code, workOrderId: workOrder.id }] : []
    }),
  )
  await recordLinks(ctx, await upsertLinks(ctx.db, ctx.actor.projectId, links))
  const isWanted = move === 'in_review' ? host.reviewsOpened : host.completesMerged
  if (!move || !isWanted) return
  for (const { id, status } of workOrders)
    if (move === 'completed' ? status !== 'completed' : BEFORE_REVIEW.has(status))
      await changeWorkOrder(ctx, id, { status: move })
}

const recordLinks = (ctx: TxCtx, links: NewLink[]) =>
  recordEvents(
    ctx,
    links.map(({ workOrderId, ...code }) => {
      const { object: _, ...payload } = presentCode(code)
      return codeEvents.code_linked(workOrderId, payload)
    }),
  )
