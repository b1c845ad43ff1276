import { hash, randomBytes } from 'node:crypto'
import type { Db } from '../kernel/database/index.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { uuidv7 } from '../kernel/uuid.ts'

export const KEY_KINDS = ['external', 'reporting'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

export const KEY_PREFIX: Record<KeyKind, string> = { external: 'sofa-ext-', reporting: 'sf-rpt-' }

export const hashKey = (key: string) => hash('sha256', key, 'hex')

const generateKey = (kind: KeyKind) => KEY_PREFIX[kind] + randomBytes(32).toString('base64url')

interface NewKey {
  kind: KeyKind
  projectId: string
  userId: string
  name: string
  expiresAt?: string
  /** From which pages a reporting key may be used in a browser; all of them if left out. */
  allowedOrigins?: string[]
  /** Only for bootstrapping: a key that the operator has chosen. */
  chosenKey?: string | undefined
}

/** Makes a key. What is returned is the only time that it can be seen. */
export async function addKey(db: Db, { kind, projectId, userId, name, expiresAt, allowedOrigins, chosenKey }: NewKey) {
  const [member] = await db`select 1 from project_members where project_id = ${projectId} and user_id = ${userId}`
  if (!member)
    throw conflict('not_a_member', 'A key acts for a member of its project. Add the user with "member add" first.')
  const key = chosenKey ?? generateKey(kind)
  const [row] = await db<KeyRow[]>`
    insert into api_keys (id, project_id, user_id, kind, name, sha256, expires_at, allowed_origins)
    values (${uuidv7()}, ${projectId}, ${userId}, ${kind}, ${name}, ${hashKey(key)}, ${expiresAt ?? null},
      ${allowedOrigins ?? null})
    returning id, project_id, user_id, kind, name, created_at, expires_at, revoked_at, last_used_at, allowed_origins`
  return { ...row!, key }
}

interface KeyRow {
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

export interface KeyFilter {
  projectId?: string | undefined
  kind?: KeyKind | undefined
  name?: string | undefined
}

export const listKeys = (db: Db, { projectId, kind, name }: KeyFilter = {}) => db<
  (KeyRow & { project: string; email: string })[]
>`
  select k.id, k.project_id, k.user_id, k.kind, k.name, k.created_at, k.expires_at, k.revoked_at, k.last_used_at, k.allowed_origins,
    p.name as project, u.email
  from api_keys k join projects p on p.id = k.project_id join users u on u.id = k.user_id
  where k.project_id = coalesce(${projectId ?? null}::uuid, k.project_id)
    and k.kind = coalesce(${kind ?? null}::text, k.kind) and lower(k.name) = coalesce(lower(${name ?? null}::text), lower(k.name))
  order by k.created_at, k.id`

/** Names are not unique, so what is asked for must fit only one key that still works. */
export async function loadKeyByName(db: Db, filter: KeyFilter & { name: string }) {
  const found = (await listKeys(db, filter)).filter((key) => key.revoked_at === null)
  if (found.length > 1) {
    const each = found.map((key) => `${key.id} (${key.kind}, "${key.project}", ${key.email})`)
    throw conflict('ambiguous', `${found.length} keys have the name "${filter.name}". Use the id: ${each.join(', ')}.`)
  }
  if (!found[0])
    throw new AppError(404, 'not_found', `There is no key "${filter.name}" that is not revoked. See "key list".`)
  return found[0]
}

export async function revokeKey(db: Db, id: string): Promise<KeyRow> {
  const [row] = await db<KeyRow[]>`
    update api_keys set revoked_at = coalesce(revoked_at, now()) where id = ${id}
    returning id, project_id, user_id, kind, name, created_at, expires_at, revoked_at, last_used_at, allowed_origins`
  if (!row) throw new AppError(404, 'not_found', `There is no key with the id "${id}". See "key list".`)
  return row
}

export const revokeKeysOf = (db: Db, projectId: string, userId: string) => db<{ id: string }[]>`
  update api_keys set revoked_at = now()
  where project_id = ${projectId} and user_id = ${userId} and revoked_at is null returning id`
