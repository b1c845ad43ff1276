import { Type } from 'typebox'
import { Uuid } from '../../kernel/http/schema.ts'
import { defineTool, type Tool } from '../../kernel/slice.ts'
import { claimNextWorkOrder, claimWorkOrder, releaseClaim, renewClaim } from './claims/claims.ts'
import {
  AfterRelease,
  FencingToken,
  LeaseSeconds,
  lease,
  nextFilters,
  presentClaim,
  presentClaimed,
} from './claims/claims-external-api.ts'
import { gatherContext } from './context/context.ts'
import { Budget } from './context/context-external-api.ts'
import { contextMarkdown } from './context/markdown.ts'
import { presentWorkOrder } from './work-order.ts'

const domain = 'work_orders'

/** Tools for coding agents that do work orders. The agents that run inside have no use for them. */
export const codingTools: Tool[] = [
  defineTool({
    name: 'claim_work_order',
    domain,
    kind: 'edit',
    description:
      'Takes a work order for a while, so that no other agent does it: the given one, or the most urgent that is ready. Claim before you work; keep the fencing_token.',
    input: Type.Object({ work_order_id: Type.Optional(Uuid), ...lease, ...nextFilters }),
    async run(ctx, { work_order_id, holder, lease_seconds: leaseSeconds, type, label_ids, phase_ids }) {
      if (work_order_id !== undefined)
        return presentClaimed(await claimWorkOrder(ctx, work_order_id, { holder, leaseSeconds }))
      const filters = { types: type, labelIds: label_ids, phaseIds: phase_ids }
      const claimed = await claimNextWorkOrder(ctx, { holder, leaseSeconds }, filters)
      return claimed ? presentClaimed(claimed) : { claim: null, detail: 'No work order is ready. Ask again later.' }
    },
  }),
  defineTool({
    name: 'renew_claim',
    domain,
    kind: 'edit',
    description: 'Keeps a claim when the work takes longer than its lease. If the claim is lost, stop working on it.',
    input: Type.Object({ work_order_id: Uuid, fencing_token: FencingToken, lease_seconds: LeaseSeconds }),
    run: async (ctx, { work_order_id, fencing_token, lease_seconds }) =>
      presentClaim(await renewClaim(ctx, work_order_id, fencing_token, lease_seconds)),
  }),
  defineTool({
    name: 'release_work_order',
    domain,
    kind: 'edit',
    description:
      'Ends a claim: with status "in_review" or "completed" when the work is done, "ready" to give it back, "blocked" if you cannot go on (comment why first).',
    input: Type.Object({ work_order_id: Uuid, fencing_token: FencingToken, status: AfterRelease }),
    run: async (ctx, { work_order_id, fencing_token, status }) =>
      presentWorkOrder(await releaseClaim(ctx, work_order_id, fencing_token, status)),
  }),
  defineTool({
    name: 'get_work_context',
    domain,
    kind: 'view',
    alsoViews: ['requirements', 'blueprints', 'feedback', 'artifacts'],
    description:
      'Reads what one needs to know to do a work order: description, plan, the sections of connected documents that are about it with their lines, and the newest comments.',
    input: Type.Object({ work_order_id: Uuid, budget: Budget }),
    run: async (ctx, { work_order_id, budget }) => contextMarkdown(await gatherContext(ctx, work_order_id, budget)),
  }),
]
