import type { OrganizationRole, ProjectRole } from '../../kernel/context.ts'
import { type Db, json } from '../../kernel/database/index.ts'
import type { KeyKind } from './key.ts'

export interface KeyRow {
  id: string
  project_id: string
  user_id: string
  kind: KeyKind
  name: string
  /** The most that it may do. Null: whatever its owner may do. */
  role: ProjectRole | null
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  allowed_origins: string[] | null
  /** The first characters, to tell keys apart. Null for older keys. */
  start: string | null
}

const columns = (
  db: Db,
) => db`k.id, k.project_id, k.user_id, k.kind, k.name, k.role, k.created_at, k.expires_at, k.revoked_at,
  k.last_used_at, k.allowed_origins, k.start`

interface NewKeyColumns {
  id: string
  userId: string
  kind: KeyKind
  name: string
  sha256: string
  start: string | null
  role: ProjectRole | undefined
  expiresAt: string | undefined
  allowedOrigins: string[] | undefined
}

export async function insertKey(db: Db, projectId: string, key: NewKeyColumns): Promise<KeyRow> {
  const [row] = await db<KeyRow[]>`
    insert into api_keys as k (id, project_id, user_id, kind, name, role, sha256, start, expires_at, allowed_origins)
    values (${key.id}, ${projectId}, ${key.userId}, ${key.kind}, ${key.name}, ${key.role ?? null},
      ${key.sha256}, ${key.start}, ${key.expiresAt ?? null}, ${key.allowedOrigins ?? null})
    returning ${columns(db)}`
  return row!
}

export interface KeyFilter {
  projectId?: string | undefined
  kind?: KeyKind | undefined
  name?: string | undefined
}

/** Without a project in the filter, returns the keys of all projects. Only the operator may see those. */
export const listKeys = (db: Db, { projectId, kind, name }: KeyFilter = {}) => db<
  (KeyRow & { project: string; email: string })[]
>`
  select ${columns(db)}, p.name as project, u.email
  from api_keys k join projects p on p.id = k.project_id join users u on u.id = k.user_id
  where k.project_id = coalesce(${projectId ?? null}::uuid, k.project_id)
    and k.kind = coalesce(${kind ?? null}::text, k.kind) and lower(k.name) = coalesce(lower(${name ?? null}::text), lower(k.name))
  order by k.created_at, k.id`

export interface OwnedKeyRow extends KeyRow {
  owner: string
  /** Null if the owner has left the project. */
  owner_role: ProjectRole | null
  is_expired: boolean
}

/** The keys of a project, or of one of its members. Revoked keys stay in the list for a month. */
export const listOwnedKeys = (db: Db, projectId: string, userId: string | undefined) => db<OwnedKeyRow[]>`
  select ${columns(db)}, u.name as owner, m.role as owner_role, coalesce(k.expires_at <= now(), false) as is_expired
  from api_keys k join users u on u.id = k.user_id
  left join project_members m on m.project_id = k.project_id and m.user_id = k.user_id
  where k.project_id = ${projectId} and k.user_id = coalesce(${userId ?? null}::uuid, k.user_id)
    and (k.revoked_at is null or k.revoked_at > now() - interval '30 days')
  order by k.revoked_at is not null, k.created_at desc, k.id desc`

/** Searches all projects. Only the operator may call it. */
export async function findKey(db: Db, id: string): Promise<KeyRow | undefined> {
  const [row] = await db<KeyRow[]>`select ${columns(db)} from api_keys k where k.id = ${id}`
  return row
}

export async function lockKey(db: Db, projectId: string, id: string): Promise<KeyRow | undefined> {
  const [row] = await db<KeyRow[]>`
    select ${columns(db)} from api_keys k where k.project_id = ${projectId} and k.id = ${id} for update`
  return row
}

export async function revokeKey(db: Db, projectId: string, id: string): Promise<KeyRow> {
  const [row] = await db<KeyRow[]>`
    update api_keys k set revoked_at = now() where k.project_id = ${projectId} and k.id = ${id} returning ${columns(db)}`
  return row!
}

export async function setAllowedOrigins(
  db: Db,
  projectId: string,
  id: string,
  origins: string[] | null,
): Promise<KeyRow> {
  const [row] = await db<KeyRow[]>`update api_keys k set allowed_origins = ${origins}
    where k.project_id = ${projectId} and k.id = ${id} returning ${columns(db)}`
  return row!
}

export const revokeKeysOf = (db: Db, projectId: string, userId: string) => db<KeyRow[]>`
  update api_keys k set revoked_at = now()
  where k.project_id = ${projectId} and k.user_id = ${userId} and k.revoked_at is null returning ${columns(db)}`

export interface KeyOwnerRow {
  id: string
  kind: KeyKind
  key_name: string
  project_id: string
  user_id: string
  /** By the database's clock. Null if it does not expire. */
  expires_in_ms: number | null
  allowed_origins: string[] | null
  organization_id: string
  name: string
  email: string
  key_role: ProjectRole | null
  owner_role: ProjectRole
  organization_role: OrganizationRole
}

/** Returns the actor of a key that is not revoked. Undefined unless that person is a member of the key's project. */
export async function findKeyOwner(db: Db, sha256: string): Promise<KeyOwnerRow | undefined> {
  const [row] = await db<KeyOwnerRow[]>`
    select k.id, k.kind, k.name as key_name, k.project_id, k.user_id, k.allowed_origins, p.organization_id,
      extract(epoch from k.expires_at - clock_timestamp())::float8 * 1000 as expires_in_ms, u.name, u.email, k.role as key_role, m.role as owner_role, coalesce(om.role, 'member') as organization_role
    from api_keys k
    join projects p on p.id = k.project_id
    join users u on u.id = k.user_id
    join project_members m on m.project_id = k.project_id and m.user_id = k.user_id
    left join organization_members om on om.organization_id = p.organization_id and om.user_id = k.user_id
    where k.sha256 = ${sha256} and k.revoked_at is null`
  return row
}

export async function touchKey(db: Db, id: string): Promise<void> {
  await db`update api_keys set last_used_at = now() where id = ${id}`
}

/** Adds the names of keys of another place, for the history. They never worked here and never will. */
export async function insertPastKeys(
  db: Db,
  projectId: string,
  keys: { id: string; user_id: string; kind: KeyKind; name: string; created_at: string }[],
): Promise<void> {
  await db`insert into api_keys (id, project_id, user_id, kind, name, sha256, created_at, revoked_at)
    select k.id, ${projectId}, k.user_id, k.kind, k.name, 'imported ' || k.id, k.created_at, 'epoch'
    from jsonb_to_recordset(${json(keys)}) as k (id uuid, user_id uuid, kind text, name text, created_at timestamptz)`
}
