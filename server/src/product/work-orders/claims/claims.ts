import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { forProject, inTransaction } from '../../../kernel/database/index.ts'
import { conflict } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { enqueueOnce } from '../../../kernel/jobs/jobs.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { findProject, operatorCtx } from '../../projects/index.ts'
import { loadWorkOrder, lockWorkOrder } from '../actions.ts'
import { changeWorkOrder } from '../change.ts'
import { workOrderEvents } from '../events.ts'
import { authorizeWrite } from '../policy.ts'
import type { Status, WorkOrder } from '../work-order.ts'
import * as queries from './claim-queries.ts'

export const RETURN_EXPIRED_CLAIM = 'return_expired_claim'

export interface Lease {
  /** How the claimer calls itself. */
  holder: string | undefined
  leaseSeconds: number
}

export interface Claimed {
  claim: queries.Claim
  workOrder: WorkOrder
}

/** Takes a work order for a while and starts it. */
export function claimWorkOrder(ctx: Ctx, id: string, lease: Lease): Promise<Claimed> {
  return inTransaction(ctx, async (ctx) => {
    const workOrder = await lockWorkOrder(ctx, id)
    authorizeWrite(ctx.actor)
    const held = await queries.findClaim(ctx.db, ctx.actor.projectId, workOrder.id)
    if (held)
      throw conflict(
        'already_claimed',
        `"${held.holder}" has claimed work order ${workOrder.workOrderNumber} until ${held.expiresAt}. Take another one, or try again then.`,
        { claim: { holder: held.holder, expires_at: held.expiresAt } },
      )
    if (workOrder.status === 'completed')
      throw conflict(
        'completed',
        `Work order ${workOrder.workOrderNumber} is completed. Set its status to "ready" to have it done again.`,
      )
    return takeClaim(ctx, workOrder, lease)
  })
}

/** Takes the most urgent work order that is ready. Returns undefined if there is none. */
export function claimNextWorkOrder(
  ctx: Ctx,
  lease: Lease,
  filters: Omit<queries.NextFilters, 'userId'>,
): Promise<Claimed | undefined> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId, userId } = ctx.actor
    authorizeWrite(ctx.actor)
    for (;;) {
      const id = await queries.lockNextWorkOrder(ctx.db, projectId, { ...filters, userId })
      if (id === undefined) return undefined
      // The statement that locks it may not see a claim that was committed while it ran.
      if (await queries.findClaim(ctx.db, projectId, id)) continue
      return takeClaim(ctx, await loadWorkOrder(ctx, id), lease)
    }
  })
}

async function takeClaim(ctx: TxCtx, { id }: WorkOrder, { holder, leaseSeconds }: Lease): Promise<Claimed> {
  const { projectId, userId, userName, keyId: agentId, agentName = null } = ctx.actor
  const values = { workOrderId: id, holder: holder ?? agentName ?? userName, userId, agentId, agentName, leaseSeconds }
  const claim = await queries.insertClaim(ctx.db, projectId, values)
  await returnLater(ctx, claim, leaseSeconds)
  await recordEvent(
    ctx,
    workOrderEvents.claimed(id, {
      holder: claim.holder,
      fencing_token: claim.fencingToken,
      expires_at: claim.expiresAt,
    }),
  )
  return { claim, workOrder: await changeWorkOrder({ ...ctx, ifMatch: undefined }, id, { status: 'in_progress' }) }
}

export function renewClaim(ctx: Ctx, id: string, fencingToken: number, leaseSeconds: number): Promise<queries.Claim> {
  return inTransaction(ctx, async (ctx) => {
    await lockClaimed(ctx, id, fencingToken)
    const claim = await queries.extendClaim(ctx.db, ctx.actor.projectId, { workOrderId: id, leaseSeconds })
    await returnLater(ctx, claim, leaseSeconds)
    return claim
  })
}

/** Ends a claim and sets the status that the work has now. */
export function releaseClaim(ctx: Ctx, id: string, fencingToken: number, status: Status): Promise<WorkOrder> {
  return inTransaction(ctx, async (ctx) => {
    await lockClaimed(ctx, id, fencingToken)
    return giveBack(ctx, id, fencingToken, status, 'released')
  })
}

/** Throws if the claim is not the current one: somebody else may be doing the work. */
async function lockClaimed(ctx: TxCtx, id: string, fencingToken: number): Promise<void> {
  const workOrder = await lockWorkOrder(ctx, id)
  authorizeWrite(ctx.actor)
  const claim = await queries.findClaim(ctx.db, ctx.actor.projectId, workOrder.id)
  if (claim?.fencingToken === fencingToken) return
  throw conflict(
    'claim_lost',
    `Fencing token ${fencingToken} no longer holds work order ${workOrder.workOrderNumber}: the claim has expired or was given back. Discard what you did since, or claim it again.`,
  )
}

/** For an agent whose access ends: what it has claimed is ready for others at once. */
export function releaseClaimsOf(ctx: Ctx, agentId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    for (const { workOrderId } of await queries.listClaimsOf(ctx.db, projectId, agentId)) {
      const { status } = await lockWorkOrder(ctx, workOrderId)
      const claim = await queries.findClaim(ctx.db, projectId, workOrderId)
      // Given back, or claimed by another one, while this waited for the lock.
      if (claim?.agentId !== agentId) continue
      await giveBack(ctx, workOrderId, claim.fencingToken, status === 'in_progress' ? 'ready' : status, 'revoked')
    }
  })
}

type EndReason = 'released' | 'expired' | 'revoked'

async function giveBack(ctx: TxCtx, id: string, fencingToken: number, status: Status, reason: EndReason) {
  await queries.endClaim(ctx.db, ctx.actor.projectId, id)
  await recordEvent(ctx, workOrderEvents.claim_ended(id, { fencing_token: fencingToken, reason }))
  return changeWorkOrder({ ...ctx, ifMatch: undefined }, id, { status })
}

const returnLater = ({ db, actor }: TxCtx, { workOrderId }: queries.Claim, leaseSeconds: number) =>
  enqueueOnce(
    db,
    RETURN_EXPIRED_CLAIM,
    { projectId: actor.projectId, workOrderId },
    { key: `claim ${actor.projectId} ${workOrderId}`, afterMs: leaseSeconds * 1_000 },
  )

/** The job that makes a work order ready again when its claim has expired, unless somebody moved it on. */
export async function returnExpiredClaim(payload: unknown, deps: JobDeps): Promise<void> {
  const { projectId, workOrderId } = payload as { projectId: string; workOrderId: string }
  const db = forProject(deps.db, projectId)
  const expired = await queries.findExpiredClaim(db, projectId, workOrderId)
  const project = await findProject(db, projectId)
  if (expired === undefined || !project) return
  const ctx = operatorCtx({ db, wiring: deps.wiring, log: deps.log }, project)
  await inTransaction(ctx, async (ctx) => {
    const { status } = await lockWorkOrder(ctx, workOrderId)
    // Renewed or claimed again while this waited for the lock.
    if ((await queries.findExpiredClaim(ctx.db, projectId, workOrderId)) !== expired) return
    await giveBack(ctx, workOrderId, expired, status === 'in_progress' ? 'ready' : status, 'expired')
  })
}
