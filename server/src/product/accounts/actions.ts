import { isLongerThan } from '../../engines/text/characters.ts'
import type { OrganizationRole } from '../../kernel/context.ts'
import { type Db, inTransaction } from '../../kernel/database/index.ts'
import { AppError, conflict, invalid, quoted } from '../../kernel/errors.ts'
import { isCleanText, isEmail } from '../../kernel/http/validation.ts'
import { type OrganizationCtx, recordOrganizationEvent } from '../../kernel/organization-events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { Organization, User } from './account.ts'
import { checkedPassword, hashOf } from './passwords.ts'
import * as queries from './queries.ts'
import { recordUserEvent } from './user-events.ts'

export function addOrganization(ctx: OrganizationCtx, { name }: { name: string }): Promise<Organization> {
  const organization = { id: uuidv7(), name: checkedName(name) }
  return inTransaction(ctx, async (ctx) => {
    const added = await queries.insertOrganization(ctx.db, organization)
    if (!added) throw conflict('already_exists', `There is an organization "${name}" already.`)
    await recordOrganizationEvent(ctx, [organization.id], {
      kind: 'organization.created',
      subjectType: 'organization',
      subjectId: organization.id,
      payload: { name: organization.name },
    })
    return organization
  })
}

export async function loadOrganizationByName(db: Db, name: string | undefined): Promise<Organization> {
  const organization =
    name === undefined ? await queries.findFirstOrganization(db) : await queries.findOrganizationByName(db, name)
  if (organization) return organization
  throw new AppError(
    404,
    'not_found',
    name === undefined ? 'There is no organization yet. Add one first.' : `There is no organization "${name}".`,
  )
}

export async function loadUserByEmail(db: Db, email: string): Promise<User> {
  const user = await queries.findUserByEmail(db, email)
  if (!user) throw new AppError(404, 'not_found', `There is no user "${email}". Add one with "user add".`)
  return user
}

export const listOrganizations = (db: Db) => queries.listOrganizations(db)

export const listUsers = (db: Db) => queries.listUsers(db)

interface NewUser {
  email: string
  name: string
  organizationId: string
  role: OrganizationRole
  password?: string
  /** The same, hashed before: a transaction must not wait for that. */
  passwordHash?: string | undefined
  /** Nobody but the person says that the address is theirs. */
  isAddressClaimed?: boolean
}

export async function addUser(
  ctx: OrganizationCtx,
  { email, name, organizationId, role, isAddressClaimed = false, ...secret }: NewUser,
): Promise<User> {
  const address = checkedAddress(email)
  const user = { id: uuidv7(), name: checkedName(name), email: address }
  const passwordHash =
    secret.password === undefined ? secret.passwordHash : await hashOf(await checkedPassword(secret.password, user))
  return inTransaction(ctx, async (ctx) => {
    if (!(await queries.insertUser(ctx.db, user, !isAddressClaimed)))
      throw conflict('already_exists', `There is a user "${address}" already.`)
    await queries.insertOrganizationMember(ctx.db, organizationId, user.id, role)
    if (passwordHash !== undefined) await queries.insertPassword(ctx.db, user.id, passwordHash)
    await recordOrganizationEvent(ctx, [organizationId], {
      kind: 'user.created',
      subjectType: 'user',
      subjectId: user.id,
      payload: { name: user.name, email: user.email, role },
    })
    return user
  })
}

/** Adds a user to an organization. Existing members keep their role. */
export function joinOrganization(ctx: OrganizationCtx, organizationId: string, userId: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    if (!(await queries.insertOrganizationMember(ctx.db, organizationId, userId, 'member'))) return
    await recordOrganizationEvent(ctx, [organizationId], {
      kind: 'organization_member.added',
      subjectType: 'user',
      subjectId: userId,
      payload: { role: 'member' },
    })
  })
}

export function renameUser(ctx: OrganizationCtx, userId: string, name: string): Promise<string> {
  const checked = checkedName(name)
  return inTransaction(ctx, async (ctx) => {
    await queries.updateUserName(ctx.db, userId, checked)
    await recordUserEvent(ctx, 'user.renamed', userId, { name: checked })
    return checked
  })
}

/** Returns an address as it is stored. */
export function checkedAddress(email: string): string {
  const address = email.trim().toLowerCase()
  if (isEmail(address) && address.length <= 320) return address
  throw invalid([{ pointer: '/email', detail: `${quoted(email)} is not an e-mail address.` }])
}

/** Trims a name and refuses it if it is empty or too long. */
export function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || isLongerThan(trimmed, 200) || !isCleanText(trimmed))
    throw invalid([{ pointer: '/name', detail: 'A name has 1 to 200 characters and no control characters.' }])
  return trimmed
}
