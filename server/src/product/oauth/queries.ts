import type { OrganizationRole, ProjectRole } from '../../kernel/context.ts'
import type { Db } from '../../kernel/database/index.ts'
import type { OAuthClient } from './client.ts'
import type { Resource, Scope } from './metadata.ts'
import { LIFETIME_SECONDS, type TokenKind } from './token.ts'

/** Registrations that nobody has let in. The oldest make room for new ones. */
const MAX_UNUSED_CLIENTS = 10_000

export async function insertClient(db: Db, { id, name, redirectUris }: Omit<OAuthClient, 'isApproved'>): Promise<void> {
  await db`
    delete from oauth_clients where id in (
      select id from oauth_clients where not used order by created_at desc offset ${MAX_UNUSED_CLIENTS - 1})`
  await db`insert into oauth_clients (id, name, redirect_uris) values (${id}, ${name}, ${redirectUris})`
}

export async function findClient(db: Db, id: string): Promise<OAuthClient | undefined> {
  const [row] = await db<OAuthClient[]>`
    select id, name, redirect_uris as "redirectUris", used as "isApproved" from oauth_clients where id = ${id}`
  return row
}

export async function markClientUsed(db: Db, id: string): Promise<void> {
  await db`
    update oauth_clients set used = true, last_used_at = now()
    where id = ${id} and (not used or last_used_at < now() - interval '1 day')`
}

export interface GrantRow {
  id: string
  project_id: string
  user_id: string
  client_id: string
  client_name: string
  redirect_uri: string
  code_challenge: string
  resource: Resource
  scope: Scope
  ended_at: string | null
}

const columns = (db: Db) => db`g.id, g.project_id, g.user_id, g.client_id, g.client_name, g.redirect_uri,
  g.code_challenge, g.resource, g.scope, g.ended_at`

export async function insertGrant(db: Db, projectId: string, grant: Omit<GrantRow, 'project_id' | 'ended_at'>) {
  const [row] = await db<GrantRow[]>`
    insert into oauth_grants as g
      (project_id, id, user_id, client_id, client_name, redirect_uri, code_challenge, resource, scope)
    values (${projectId}, ${grant.id}, ${grant.user_id}, ${grant.client_id}, ${grant.client_name},
      ${grant.redirect_uri}, ${grant.code_challenge}, ${grant.resource}, ${grant.scope})
    returning ${columns(db)}`
  return row!
}

export interface TokenRow extends GrantRow {
  kind: TokenKind
  is_expired: boolean
  is_used: boolean
}

/** Locks the grant, so that two uses of one token come one after the other. */
export async function lockToken(db: Db, sha256: string): Promise<TokenRow | undefined> {
  const [row] = await db<TokenRow[]>`
    select ${columns(db)}, t.kind, t.expires_at <= now() as is_expired, t.used_at is not null as is_used
    from oauth_tokens t join oauth_grants g on g.project_id = t.project_id and g.id = t.grant_id
    where t.sha256 = ${sha256} for update of g, t`
  return row
}

export async function insertToken(db: Db, grant: GrantRow, kind: TokenKind, sha256: string): Promise<void> {
  await db`
    insert into oauth_tokens (sha256, project_id, grant_id, kind, expires_at)
    values (${sha256}, ${grant.project_id}, ${grant.id}, ${kind}, now() + ${LIFETIME_SECONDS[kind]} * interval '1 second')`
}

export async function markTokenUsed(db: Db, sha256: string): Promise<void> {
  await db`update oauth_tokens set used_at = now() where sha256 = ${sha256}`
}

/** A new access token replaces those before it. */
export async function deleteAccessTokens(db: Db, { project_id, id }: GrantRow): Promise<void> {
  await db`delete from oauth_tokens where project_id = ${project_id} and grant_id = ${id} and kind = 'access'`
}

export async function markGrantRedeemed(db: Db, { project_id, id }: GrantRow): Promise<void> {
  await db`
    update oauth_grants set redeemed_at = now(), last_used_at = now() where project_id = ${project_id} and id = ${id}`
}

/** Ends grants and forgets their tokens. Returns those that had not ended. */
export async function endGrants(db: Db, projectId: string, ids: string[]): Promise<GrantRow[]> {
  await db`delete from oauth_tokens where project_id = ${projectId} and grant_id = any(${ids}::uuid[])`
  return db<GrantRow[]>`
    update oauth_grants g set ended_at = now()
    where g.project_id = ${projectId} and g.id = any(${ids}::uuid[]) and g.ended_at is null returning ${columns(db)}`
}

export const listGrantIdsOf = (db: Db, projectId: string, userId: string) =>
  db<{ id: string }[]>`
    select id from oauth_grants where project_id = ${projectId} and user_id = ${userId} and ended_at is null for update`.map(
    (rows) => rows.map(({ id }) => id),
  )

/** What the same program was allowed before, for the same person, project and address. */
export const listEarlierGrantIds = (db: Db, grant: GrantRow) =>
  db<{ id: string }[]>`
    select id from oauth_grants where project_id = ${grant.project_id} and user_id = ${grant.user_id}
      and client_id = ${grant.client_id} and resource = ${grant.resource} and ended_at is null and id <> ${grant.id}`.map(
    (rows) => rows.map(({ id }) => id),
  )

export interface ConnectedAppRow extends GrantRow {
  project: string
  created_at: string
  last_used_at: string
}

/** In all projects of a person. A grant whose program never came back is not shown. */
export const listConnectedApps = (db: Db, userId: string) => db<ConnectedAppRow[]>`
  select ${columns(db)}, g.created_at, g.last_used_at, p.name as project
  from oauth_grants g join projects p on p.id = g.project_id and p.deleted_at is null
  where g.user_id = ${userId} and g.ended_at is null and g.redeemed_at is not null
  order by g.last_used_at desc, g.id`

export async function findGrantOf(db: Db, userId: string, id: string): Promise<GrantRow | undefined> {
  const [row] = await db<GrantRow[]>`
    select ${columns(db)} from oauth_grants g where g.user_id = ${userId} and g.id = ${id} and g.ended_at is null`
  return row
}

export async function lockGrant(db: Db, projectId: string, id: string): Promise<GrantRow | undefined> {
  const [row] = await db<GrantRow[]>`
    select ${columns(db)} from oauth_grants g where g.project_id = ${projectId} and g.id = ${id} for update`
  return row
}

export interface TokenOwnerRow {
  id: string
  client_name: string
  project_id: string
  user_id: string
  resource: Resource
  scope: Scope
  is_quiet: boolean
  organization_id: string
  name: string
  email: string
  project_role: ProjectRole
  organization_role: OrganizationRole
}

/** Whom an access token acts for. Undefined unless it is valid and that person is a member of its project. */
export async function findTokenOwner(db: Db, sha256: string): Promise<TokenOwnerRow | undefined> {
  const [row] = await db<TokenOwnerRow[]>`
    select g.id, g.client_name, g.project_id, g.user_id, g.resource, g.scope, p.organization_id, u.name, u.email,
      g.last_used_at < now() - interval '1 minute' as is_quiet,
      m.role as project_role, coalesce(om.role, 'member') as organization_role
    from oauth_tokens t
    join oauth_grants g on g.project_id = t.project_id and g.id = t.grant_id
    join projects p on p.id = g.project_id
    join users u on u.id = g.user_id
    join project_members m on m.project_id = g.project_id and m.user_id = g.user_id
    left join organization_members om on om.organization_id = p.organization_id and om.user_id = g.user_id
    where t.sha256 = ${sha256} and t.kind = 'access' and t.expires_at > now() and g.ended_at is null`
  return row
}

export async function touchGrant(db: Db, projectId: string, id: string): Promise<void> {
  await db`update oauth_grants set last_used_at = now() where project_id = ${projectId} and id = ${id}`
}

/** Deletes what has expired. A grant ends with its last token. */
export async function forgetExpired(db: Db): Promise<void> {
  await db`delete from oauth_tokens where expires_at < now()`
  await db`
    delete from oauth_grants g where redeemed_at is null and created_at < now() - interval '1 hour'
      and not exists (select from oauth_tokens t where t.project_id = g.project_id and t.grant_id = g.id)`
  await db`
    update oauth_grants g set ended_at = now() where ended_at is null and redeemed_at is not null
      and not exists (select from oauth_tokens t where t.project_id = g.project_id and t.grant_id = g.id)`
  await db`delete from oauth_clients where last_used_at < now() - interval '180 days'`
}
