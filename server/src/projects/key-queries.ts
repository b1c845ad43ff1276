import type { Db } from '../kernel/database/index.ts'
import type { KeyKind } from './key.ts'

export interface KeyRow {
  id: string
  project_id: string
  user_id: string
  kind: KeyKind
  name: string
  created_at: string
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  allowed_origins: string[] | null
}

const columns = (db: Db) => db`k.id, k.project_id, k.user_id, k.kind, k.name, k.created_at, k.expires_at, k.revoked_at,
  k.last_used_at, k.allowed_origins`

interface NewKeyColumns {
  id: string
  userId: string
  kind: KeyKind
  name: string
  sha256: string
  expiresAt: string | undefined
  allowedOrigins: string[] | undefined
}

export async function insertKey(db: Db, projectId: string, key: NewKeyColumns): Promise<KeyRow> {
  const [row] = await db<KeyRow[]>`
    insert into api_keys as k (id, project_id, user_id, kind, name, sha256, expires_at, allowed_origins)
    values (${key.id}, ${projectId}, ${key.userId}, ${key.kind}, ${key.name}, ${key.sha256}, ${key.expiresAt ?? null},
      ${key.allowedOrigins ?? null})
    returning ${columns(db)}`
  return row!
}

export interface KeyFilter {
  projectId?: string | undefined
  kind?: KeyKind | undefined
  name?: string | undefined
}

/** Of all projects, unless the filter names one: only the operator may see that. */
export const listKeys = (db: Db, { projectId, kind, name }: KeyFilter = {}) => db<
  (KeyRow & { project: string; email: string })[]
>`
  select ${columns(db)}, p.name as project, u.email
  from api_keys k join projects p on p.id = k.project_id join users u on u.id = k.user_id
  where k.project_id = coalesce(${projectId ?? null}::uuid, k.project_id)
    and k.kind = coalesce(${kind ?? null}::text, k.kind) and lower(k.name) = coalesce(lower(${name ?? null}::text), lower(k.name))
  order by k.created_at, k.id`

/** Of any project: only the operator may ask. */
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

export const revokeKeysOf = (db: Db, projectId: string, userId: string) => db<KeyRow[]>`
  update api_keys k set revoked_at = now()
  where k.project_id = ${projectId} and k.user_id = ${userId} and k.revoked_at is null returning ${columns(db)}`
