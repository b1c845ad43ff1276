import type { Ctx, ProjectRole, TxCtx } from '../../../kernel/context.ts'
import { type Db, inTransaction, type Sql } from '../../../kernel/database/index.ts'
import { AppError, conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { addUser, checkedAddress, findUserByEmail, type User } from '../../accounts/index.ts'
import { admitMember } from '../membership.ts'
import { type Acting, operatorCtx } from '../operator.ts'
import { authorizeManagement } from '../policy.ts'
import { findProject, isMember } from '../queries.ts'
import { forSomeoneElse, generateToken, hashToken, type Invitation, invitationEvent, refusalOf } from './invitation.ts'
import * as queries from './invitation-queries.ts'

export interface NewInvitation {
  role: ProjectRole
  email?: string | undefined
  days: number
  maxUses: number
}

/** Creates an invite link. The returned token cannot be seen again. */
export function addInvitation(ctx: Ctx, { role, email, days, maxUses }: NewInvitation) {
  return inTransaction(ctx, async (ctx) => {
    authorizeManagement(ctx.actor)
    const address = email === undefined ? null : checkedAddress(email)
    if (address !== null && maxUses > 1)
      throw invalid([{ pointer: '/max_uses', detail: 'A link for one address can be used by one person.' }])
    if (address !== null) await refuseMember(ctx, address)
    const token = generateToken()
    const columns = { id: uuidv7(), sha256: hashToken(token), role, email: address, maxUses, days }
    const invitedBy = ctx.actor.userId!
    const row = await queries.insertInvitation(ctx.db, ctx.actor.projectId, { ...columns, invitedBy })
    await recordEvent(ctx, invitationEvent('created', row))
    return { ...row, inviter: ctx.actor.userName, token }
  })
}

async function refuseMember({ db, actor }: Ctx, address: string): Promise<void> {
  const user = await findUserByEmail(db, address)
  if (user && (await isMember(db, actor.projectId, user.id)))
    throw conflict('already_a_member', `${user.name} (${address}) is a member already. Change their role instead.`)
}

export function listInvitations(ctx: Ctx) {
  authorizeManagement(ctx.actor)
  return queries.listOpenInvitations(ctx.db, ctx.actor.projectId)
}

/** An invitation that is revoked or used up stays as it is. */
export function revokeInvitation(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await queries.lockInvitation(ctx.db, projectId, id)
    if (!before) throw notFound('invitation', id)
    authorizeManagement(ctx.actor)
    if (before.revoked_at !== null || before.uses >= before.max_uses) return
    await recordEvent(ctx, invitationEvent('revoked', await queries.revokeInvitation(ctx.db, projectId, id)))
  })
}

/** Throws if nobody can use the link any more. */
export async function loadInvitation(db: Db, token: string): Promise<queries.ShownInvitation> {
  const found = await queries.findInvitation(db, hashToken(token))
  const refusal = refusalOf(found)
  if (refusal) throw refusal
  return found!
}

/** The same for an id that Slipway itself has kept. */
export async function loadInvitationById(db: Db, id: string): Promise<Invitation> {
  const found = await queries.findInvitationById(db, id)
  const refusal = refusalOf(found)
  if (refusal) throw refusal
  return found!
}

interface Newcomer {
  name: string
  email: string
  passwordHash?: string | undefined
  /** An identity provider has verified the address. */
  isVerified?: boolean
}

type Place = Pick<Invitation, 'id' | 'project_id'>

/** Makes a person a member. Someone who is one already keeps their role, and the link can still be used. */
export function acceptInvitation(acting: Acting<Sql>, place: Place, user: User): Promise<void> {
  return inTransaction(acting, async (acting) => {
    const { ctx, invitation } = await lockOpen(acting, place)
    if (invitation.email !== null && invitation.email !== user.email.toLowerCase())
      throw forSomeoneElse(invitation.email)
    if (await isMember(ctx.db, place.project_id, user.id)) return
    await use(ctx, invitation, user)
  })
}

/** Adds the person who opened the link, and makes them a member. */
export function acceptInvitationAs(acting: Acting<Sql>, place: Place, newcomer: Newcomer): Promise<User> {
  return inTransaction(acting, async (acting) => {
    const { ctx, invitation } = await lockOpen(acting, place)
    const address = checkedAddress(newcomer.email)
    if (invitation.email !== null && invitation.email !== address) throw forSomeoneElse(invitation.email)
    if (await findUserByEmail(ctx.db, address)) throw hasAccount(address)
    const user = await addUser(ctx, {
      name: newcomer.name,
      email: address,
      organizationId: ctx.actor.organizationId,
      role: 'member',
      passwordHash: newcomer.passwordHash,
      isAddressClaimed: invitation.email === null && newcomer.isVerified !== true,
    })
    await use(ctx, invitation, user)
    return user
  })
}

/** Accepts what names the address of someone whom an identity provider has verified. Adds them if they are new. */
export async function acceptInvitationsFor(acting: Acting<Sql>, newcomer: Newcomer): Promise<void> {
  for (const invitation of await queries.listInvitationsFor(acting.db, checkedAddress(newcomer.email))) {
    const user = await findUserByEmail(acting.db, newcomer.email)
    if (user) await acceptInvitation(acting, invitation, user)
    else await acceptInvitationAs(acting, invitation, { ...newcomer, isVerified: true })
  }
}

async function lockOpen(acting: Acting<TxCtx['db']>, { project_id, id }: Place) {
  const invitation = await queries.lockInvitation(acting.db, project_id, id)
  const refusal = refusalOf(invitation)
  if (refusal) throw refusal
  const project = await findProject(acting.db, project_id)
  return { ctx: operatorCtx(acting, project!), invitation: invitation! }
}

/** The person themselves is who acted. */
async function use(operator: TxCtx, invitation: Invitation, user: User): Promise<void> {
  const actor = { ...operator.actor, origin: 'user' as const, userId: user.id, userName: user.name }
  const ctx = { ...operator, actor: { ...actor, userEmail: user.email } }
  await queries.countUse(ctx.db, invitation.project_id, invitation.id)
  await admitMember(ctx, user.id, invitation.role)
  await recordEvent(ctx, invitationEvent('accepted', invitation))
}

const hasAccount = (address: string) =>
  new AppError(409, 'has_account', `There is an account for ${address} already. Sign in to accept the invitation.`, {
    extra: { errors: [{ pointer: '/email', detail: `There is an account for ${address} already.` }] },
  })
