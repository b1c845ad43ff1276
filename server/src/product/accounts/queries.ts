import type { OrganizationRole } from '../../kernel/context.ts'
import { type Db, json } from '../../kernel/database/index.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { Organization, User } from './account.ts'

export async function insertOrganization(db: Db, { id, name }: Organization): Promise<boolean> {
  const changed =
    await db`insert into organizations (id, name) values (${id}, ${name}) on conflict do nothing returning 1`
  return changed.length === 1
}

export async function findOrganizationByName(db: Db, name: string): Promise<Organization | undefined> {
  const [row] = await db<Organization[]>`select id, name from organizations where lower(name) = lower(${name})`
  return row
}

export async function findFirstOrganization(db: Db): Promise<Organization | undefined> {
  const [row] = await db<Organization[]>`select id, name from organizations order by created_at, id limit 1`
  return row
}

export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  const [row] = await db<User[]>`select id, name, email from users where lower(email) = lower(${email.trim()})`
  return row
}

export async function insertUser(db: Db, { id, name, email }: User, emailVerified: boolean): Promise<boolean> {
  const changed = await db`
    insert into users (id, name, email, email_verified) values (${id}, ${name}, ${email}, ${emailVerified})
    on conflict do nothing returning 1`
  return changed.length === 1
}

export async function updateUserName(db: Db, id: string, name: string): Promise<void> {
  await db`update users set name = ${name}, updated_at = now() where id = ${id}`
}

/** Returns false if the user is already a member. */
export async function insertOrganizationMember(
  db: Db,
  organizationId: string,
  userId: string,
  role: OrganizationRole,
): Promise<boolean> {
  const changed = await db`
    insert into organization_members (organization_id, user_id, role) values (${organizationId}, ${userId}, ${role})
    on conflict do nothing returning 1`
  return changed.length === 1
}

export async function listOrganizationIdsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select organization_id as id from organization_members where user_id = ${userId} order by organization_id`
  return rows.map((row) => row.id)
}

/** The row that better-auth reads when someone signs in with e-mail and password. */
export async function insertPassword(db: Db, userId: string, passwordHash: string): Promise<void> {
  await db`insert into credentials (id, user_id, account_id, provider_id, password)
    values (${uuidv7()}, ${userId}, ${userId}, 'credential', ${passwordHash})`
}

export async function deletePassword(db: Db, userId: string): Promise<void> {
  await db`delete from credentials where user_id = ${userId} and provider_id = 'credential'`
}

export async function findPasswordHash(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db<{ password: string | null }[]>`
    select password from credentials where user_id = ${userId} and provider_id = 'credential'`
  return row?.password ?? undefined
}

export async function hasSingleSignOn(db: Db, userId: string): Promise<boolean> {
  const [row] = await db`select 1 from credentials where user_id = ${userId} and provider_id = 'oidc'`
  return row !== undefined
}

export const listOrganizations = (db: Db) => db<Organization[]>`
  select id, name from organizations order by created_at, id`

/** A user without a password cannot sign in, but can have keys. */
export const listUsers = (db: Db) => db<(User & { organizations: string[]; hasPassword: boolean })[]>`
  select u.id, u.name, u.email,
    array(select o.name from organization_members m join organizations o on o.id = m.organization_id
      where m.user_id = u.id order by lower(o.name)) as organizations,
    exists (select 1 from credentials c where c.user_id = u.id and c.provider_id = 'credential') as "hasPassword"
  from users u order by u.created_at, u.id`

/** Whether someone else than the person says that the address is theirs. */
export async function isAddressVouched(db: Db, userId: string): Promise<boolean> {
  const [row] = await db`select 1 from users where id = ${userId} and email_verified`
  return row !== undefined
}

/** Finds members of an organization by their addresses in lower case. */
export const findColleagues = (db: Db, organizationId: string, addresses: string[]) => db<
  { id: string; address: string }[]
>`select u.id, lower(u.email) as address from users u
  join organization_members m on m.user_id = u.id and m.organization_id = ${organizationId}
  where lower(u.email) = any(${addresses}::text[])`

/**
 * Adds the names of people who have no account here. They belong to no organization and cannot sign in. Their addresses
 * stay free for an account of their own, so these are addresses that nobody can have.
 */
export async function insertNames(db: Db, people: { id: string; name: string }[]): Promise<void> {
  await db`insert into users (id, name, email, email_verified)
    select p.id, p.name, p.id || '@imported.invalid', false
    from jsonb_to_recordset(${json(people)}) as p (id uuid, name text)`
}
