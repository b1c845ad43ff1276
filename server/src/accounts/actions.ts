import { isLongerThan } from '../engines/text/characters.ts'
import type { OrganizationRole } from '../kernel/context.ts'
import { inTransaction, type Sql, type Tx } from '../kernel/database/index.ts'
import { AppError, conflict, invalid } from '../kernel/errors.ts'
import { isCleanText, isEmail } from '../kernel/http/validation.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import type { Organization, User } from './account.ts'
import { hashOf } from './passwords.ts'
import * as queries from './queries.ts'

type Db = Sql | Tx

export async function addOrganization(db: Db, { name }: { name: string }): Promise<Organization> {
  const organization = { id: uuidv7(), name: checkedName(name) }
  const added = await queries.insertOrganization(db, organization)
  if (!added) throw conflict('already_exists', `There is an organization "${name}" already.`)
  return organization
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
}

export function addUser(db: Db, { email, name, organizationId, role, password }: NewUser): Promise<User> {
  const address = email.trim().toLowerCase()
  if (!isEmail(address) || address.length > 320)
    throw invalid([{ pointer: '/email', detail: `"${email}" is not an e-mail address.` }])
  return inTransaction({ db }, async ({ db }) => {
    const user = { id: uuidv7(), name: checkedName(name), email: address }
    if (!(await queries.insertUser(db, user))) throw conflict('already_exists', `There is a user "${address}" already.`)
    await queries.insertOrganizationMember(db, organizationId, user.id, role)
    if (password !== undefined) await queries.insertPassword(db, user.id, await hashOf(password))
    return user
  })
}

/** A name as people type it: trimmed, and refused when nothing or too much is left. */
export function checkedName(name: string): string {
  const trimmed = name.trim()
  if (trimmed === '' || isLongerThan(trimmed, 200) || !isCleanText(trimmed))
    throw invalid([{ pointer: '/name', detail: 'A name has 1 to 200 characters and no control characters.' }])
  return trimmed
}
