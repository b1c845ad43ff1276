import { Type } from 'typebox'
import { operation } from '../../../kernel/http/operation.ts'
import type { Face } from '../../../kernel/http/request.ts'
import { Data, FilledText, Kind, Nullable, named, OneOf, Time, Uuid } from '../../../kernel/http/schema.ts'
import { loadWorkOrder } from '../actions.ts'
import { WorkOrder, WorkOrderData, WorkOrderParams } from '../schema.ts'
import { presentWorkOrder, STATUSES, TYPES } from '../work-order.ts'
import { type Claim, findClaim } from './claim-queries.ts'
import { type Claimed, claimNextWorkOrder, claimWorkOrder, releaseClaim, renewClaim } from './claims.ts'

const tags = ['Work orders']

export const ClaimShape = named(
  'WorkOrderClaim',
  Type.Object({
    object: Kind('work_order_claim'),
    work_order_id: Uuid,
    fencing_token: Type.Integer({ examples: [3], description: 'Grows with every claim of the work order.' }),
    holder: Type.String({ examples: ['coding-agent-7'] }),
    agent: Nullable(
      Type.Object({
        id: Uuid,
        name: Type.String({ examples: ['Claude Code'] }),
        acts_as: Nullable(Type.Object({ id: Uuid, display_name: Type.String({ examples: ['Ada Lovelace'] }) })),
      }),
      {
        description:
          'The key or connected app that it was claimed with, by its own name, and whose rights it has. Null if a person claimed it.',
      },
    ),
    claimed_at: Time,
    renewed_at: Time,
    expires_at: Time,
  }),
)

const ClaimedShape = Type.Object({ claim: ClaimShape, work_order: WorkOrder })

export const LeaseSeconds = Type.Integer({
  minimum: 10,
  maximum: 86_400,
  default: 900,
  description: 'After this time without a renewal the work order is ready for others again.',
  examples: [900],
})
export const FencingToken = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [3] })
export const AfterRelease = OneOf(STATUSES, { default: 'ready', description: 'What the work order becomes.' })

export const lease = {
  holder: Type.Optional(
    FilledText(200, {
      description: 'Shown to others. Default: the name of the connected app, of the MCP client or of the key.',
      examples: ['coding-agent-7'],
    }),
  ),
  lease_seconds: LeaseSeconds,
}

export const nextFilters = {
  type: Type.Optional(Type.Array(OneOf(TYPES), { minItems: 1, maxItems: 20, description: 'Any of these types.' })),
  label_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 100, description: 'With any of these labels.' })),
  phase_ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: 100, description: 'In any of these phases.' })),
}

const agentOf = ({ agentId, agentName, holder, userId, userName }: Claim) =>
  agentId === null
    ? null
    : {
        id: agentId,
        name: agentName ?? holder,
        acts_as: userId === null || userName === null ? null : { id: userId, display_name: userName },
      }

export const presentClaim = (claim: Claim) => ({
  object: 'work_order_claim' as const,
  work_order_id: claim.workOrderId,
  fencing_token: claim.fencingToken,
  holder: claim.holder,
  agent: agentOf(claim),
  claimed_at: claim.claimedAt,
  renewed_at: claim.renewedAt,
  expires_at: claim.expiresAt,
})

export const presentClaimed = ({ claim, workOrder }: Claimed) => ({
  claim: presentClaim(claim),
  work_order: presentWorkOrder(workOrder),
})

/** Additions to the specification: leases for workers that share a list of work orders. */
export function registerClaimRoutes(face: Face) {
  face.post(
    '/work_orders/claim_next',
    operation({
      id: 'claimNextWorkOrder',
      summary: 'Claim the most urgent work order that is ready',
      description:
        'Of those that are not assigned to somebody else. `data` is null if there is none. Two callers never get the same one.',
      tags,
      body: Type.Object({ ...lease, ...nextFilters }),
      answer: Data(Nullable(ClaimedShape)),
      optionalBody: true,
    }),
    async (req) => {
      const { holder, lease_seconds: leaseSeconds, type: types, label_ids: labelIds, phase_ids: phaseIds } = req.body
      const claimed = await claimNextWorkOrder(req.ctx, { holder, leaseSeconds }, { types, labelIds, phaseIds })
      return { data: claimed ? presentClaimed(claimed) : null }
    },
  )

  face.get(
    '/work_orders/:work_order_id/claim',
    operation({
      id: 'getWorkOrderClaim',
      summary: 'Read who has claimed a work order',
      description: '`data` is null if nobody has.',
      tags,
      params: WorkOrderParams,
      answer: Data(Nullable(ClaimShape)),
    }),
    async (req) => {
      const { id } = await loadWorkOrder(req.ctx, req.params.work_order_id)
      const claim = await findClaim(req.ctx.db, req.ctx.actor.projectId, id)
      return { data: claim ? presentClaim(claim) : null }
    },
  )

  face.post(
    '/work_orders/:work_order_id/claim',
    operation({
      id: 'claimWorkOrder',
      summary: 'Claim a work order',
      description:
        'Sets its status to `in_progress`. Answers 409 if somebody else has claimed it. Renew the claim before it expires: it is ready for others again afterwards.',
      tags,
      params: WorkOrderParams,
      body: Type.Object(lease),
      answer: Data(ClaimedShape),
      optionalBody: true,
    }),
    async (req) => {
      const { holder, lease_seconds: leaseSeconds } = req.body
      return { data: presentClaimed(await claimWorkOrder(req.ctx, req.params.work_order_id, { holder, leaseSeconds })) }
    },
  )

  face.post(
    '/work_orders/:work_order_id/claim/renew',
    operation({
      id: 'renewWorkOrderClaim',
      summary: 'Renew a claim',
      description: 'Answers 409 with code `claim_lost` if it has expired or was given back.',
      tags,
      params: WorkOrderParams,
      body: Type.Object({ fencing_token: FencingToken, lease_seconds: LeaseSeconds }),
      answer: Data(ClaimShape),
    }),
    async (req) => {
      const { fencing_token, lease_seconds } = req.body
      return {
        data: presentClaim(await renewClaim(req.ctx, req.params.work_order_id, fencing_token, lease_seconds)),
      }
    },
  )

  face.post(
    '/work_orders/:work_order_id/claim/release',
    operation({
      id: 'releaseWorkOrderClaim',
      summary: 'Give a work order back, or hand it in',
      description:
        'Ends the claim and sets the status, for example to `in_review` or `completed`. Answers 409 with code `claim_lost` if the claim has expired or was given back; the work order stays as it is then.',
      tags,
      params: WorkOrderParams,
      body: Type.Object({ fencing_token: FencingToken, status: AfterRelease }),
      answer: WorkOrderData,
    }),
    async (req) => {
      const { fencing_token, status } = req.body
      return { data: presentWorkOrder(await releaseClaim(req.ctx, req.params.work_order_id, fencing_token, status)) }
    },
  )
}
