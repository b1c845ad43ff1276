import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { forbidden, invalid, notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { closeVersion, loadDocument, lockForWrite } from '../../documents/index.ts'
import { findMember } from '../../projects/index.ts'
import { approvalEvents } from '../events.ts'
import { KIND } from '../requirements-document.ts'
import { type ApprovalState, notCurrent, type Status } from './approval.ts'
import * as queries from './queries.ts'

export async function loadApprovalState(ctx: Ctx, id: string): Promise<ApprovalState> {
  await loadDocument(ctx, KIND, id)
  return queries.readState(ctx.db, ctx.actor.projectId, id)
}

interface StateChange {
  status: Status | undefined
  /** Null takes the owner away. */
  ownerId: string | null | undefined
}

export function changeRequirementState(ctx: Ctx, id: string, change: StateChange): Promise<ApprovalState> {
  return inTransaction(ctx, async (ctx) => {
    const { db, actor } = ctx
    await lockForWrite(ctx, KIND, id)
    const before = await queries.readState(db, actor.projectId, id)
    const owner = await resolveOwner(ctx, change.ownerId, before)
    const status = change.status ?? before.status
    const changes = {
      ...(status !== before.status && { status: { from: before.status, to: status } }),
      ...(owner?.id !== before.owner?.id && { owner_id: { from: before.owner?.id ?? null, to: owner?.id ?? null } }),
    }
    if (Object.keys(changes).length === 0) return before
    await queries.writeState(db, actor.projectId, id, { status, ownerId: owner?.id ?? null })
    await recordEvent(ctx, approvalEvents.state_changed(id, { fields: Object.keys(changes), changes }))
    return { ...before, status, owner }
  })
}

async function resolveOwner({ db, actor }: TxCtx, id: string | null | undefined, before: ApprovalState) {
  if (id === undefined) return before.owner
  if (id === null) return null
  const member = await findMember(db, actor.projectId, { id })
  if (member) return { id: member.id, name: member.name }
  throw invalid([{ pointer: '/owner_id', detail: `"${id}" is not a member of this project. Choose a member.` }])
}

/** Approves a version as it was read. Further typing makes a new one, which nobody has approved. */
export function approveRequirement(ctx: Ctx, id: string, versionId: string): Promise<ApprovalState> {
  return inTransaction(ctx, async (ctx) => {
    const { db, actor } = ctx
    const document = await lockForWrite(ctx, KIND, id)
    if (document.versionId !== versionId.toLowerCase()) throw notCurrent(document.versionNumber)
    const { versionNumber } = document
    const { approvals } = await queries.readState(db, actor.projectId, id)
    const isApproved = approvals.some((one) => one.versionId === document.versionId && one.userId === actor.userId)
    if (!isApproved) {
      const { userId, userName } = actor
      const approval = { id: uuidv7(), documentId: id, versionId: document.versionId, versionNumber, userId, userName }
      await queries.insertApproval(db, actor.projectId, approval)
      await closeVersion(db, actor.projectId, id, document.versionId)
      await recordEvent(
        ctx,
        approvalEvents.approved(id, { version_id: document.versionId, version_number: versionNumber }),
      )
    }
    return queries.readState(db, actor.projectId, id)
  })
}

export function withdrawApproval(ctx: Ctx, id: string, approvalId: string): Promise<ApprovalState> {
  return inTransaction(ctx, async (ctx) => {
    const { db, actor } = ctx
    await lockForWrite(ctx, KIND, id)
    const { approvals } = await queries.readState(db, actor.projectId, id)
    const approval = approvals.find((one) => one.id === approvalId.toLowerCase())
    if (!approval) throw notFound('approval', approvalId)
    if (approval.userId === null || approval.userId !== actor.userId)
      throw forbidden('not_author', 'Only the person who approved this version may withdraw the approval.')
    await queries.deleteApproval(db, actor.projectId, approval.id)
    const { versionId: version_id, versionNumber: version_number } = approval
    await recordEvent(ctx, approvalEvents.approval_withdrawn(id, { version_id, version_number }))
    return queries.readState(db, actor.projectId, id)
  })
}
