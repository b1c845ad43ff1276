import type { Ctx, ProjectRole, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { AppError, conflict } from '../../kernel/errors.ts'
import { recordEvent, recordEvents } from '../../kernel/events.ts'
import { joinOrganization, type User } from '../accounts/index.ts'
import { keyEvents, memberEvents } from './events.ts'
import { invitationEvent } from './invitations/invitation.ts'
import { revokeInvitationsOf } from './invitations/invitation-queries.ts'
import { revokeKeysOf } from './key-queries.ts'
import { payloadOfKey } from './keys.ts'
import { authorizeManagement } from './policy.ts'
import * as queries from './queries.ts'

/** Adds a member or changes their role. Members of a project become members of its organization. */
export function addMember(ctx: Ctx, userId: string, role: ProjectRole): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const admins = await queries.lockAdmins(ctx.db, projectId)
    const before = await queries.lockRole(ctx.db, projectId, userId)
    authorizeManagement(ctx.actor)
    if (before === role) return
    if (before === undefined) return admitMember(ctx, userId, role)
    if (before === 'admin') keepAnAdmin(ctx, admins, userId)
    await queries.upsertMember(ctx.db, projectId, userId, role)
    const revoked = before === 'admin' ? await revokeInvitationsOf(ctx.db, projectId, userId) : []
    await recordEvents(ctx, [
      memberEvents.role_changed(userId, { from: before, to: role }),
      ...revoked.map((one) => invitationEvent('revoked', one)),
    ])
  })
}

/** Adds someone who is no member yet. The caller has checked that they may come in. */
export async function admitMember(ctx: TxCtx, userId: string, role: ProjectRole): Promise<void> {
  await joinOrganization(ctx, ctx.actor.organizationId, userId)
  await queries.upsertMember(ctx.db, ctx.actor.projectId, userId, role)
  await recordEvent(ctx, memberEvents.added(userId, { role }))
}

/**
 * Removes a member and revokes their keys and invitations in the project, so that none works again if they return.
 */
export function removeMember(ctx: Ctx, user: User): Promise<{ revokedKeys: number }> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const admins = await queries.lockAdmins(ctx.db, projectId)
    authorizeManagement(ctx.actor)
    keepAnAdmin(ctx, admins, user.id)
    const [removed] = await queries.deleteMember(ctx.db, projectId, user.id)
    if (!removed) {
      const project = await queries.findProject(ctx.db, projectId)
      throw new AppError(404, 'not_found', `"${user.email}" is no member of "${project!.name}". See "member list".`)
    }
    const keys = await revokeKeysOf(ctx.db, projectId, user.id)
    const invitations = await revokeInvitationsOf(ctx.db, projectId, user.id)
    await recordEvents(ctx, [
      memberEvents.removed(user.id, { role: removed.role }),
      ...keys.map((key) => keyEvents.revoked(key.id, payloadOfKey(key))),
      ...invitations.map((one) => invitationEvent('revoked', one)),
    ])
    return { revokedKeys: keys.length }
  })
}

/** The operator may leave a project without an admin, because they can add one. */
function keepAnAdmin({ actor }: Ctx, admins: { user_id: string }[], userId: string): void {
  if (actor.origin === 'system' || admins.length !== 1 || admins[0]!.user_id !== userId) return
  throw conflict('last_admin', 'A project needs an admin, and this is the last one. Make someone else an admin first.')
}
