import type { Ctx } from '../kernel/context.ts'
import { type Db, inTransaction } from '../kernel/database/index.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { type NewEvent, recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { generateKey, hashKey, type KeyKind } from './key.ts'
import * as queries from './key-queries.ts'
import { authorizeManagement } from './policy.ts'
import { isMember } from './queries.ts'

interface NewKey {
  kind: KeyKind
  userId: string
  name: string
  expiresAt?: string
  /** The origins that may use a reporting key in a browser. All if omitted. */
  allowedOrigins?: string[]
  /** A key that the operator chose. Only for bootstrapping. */
  chosenKey?: string | undefined
}

/** Creates a key. The returned value cannot be seen again. */
export function addKey(ctx: Ctx, { kind, userId, name, expiresAt, allowedOrigins, chosenKey }: NewKey) {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    authorizeManagement(ctx.actor)
    if (!(await isMember(ctx.db, projectId, userId)))
      throw conflict('not_a_member', 'A key acts for a member of its project. Add the user with "member add" first.')
    const key = chosenKey ?? generateKey(kind)
    const columns = { id: uuidv7(), userId, kind, name, sha256: hashKey(key), expiresAt, allowedOrigins }
    const row = await queries.insertKey(ctx.db, projectId, columns)
    await recordEvent(ctx, keyEvent('api_key.created', row))
    return { ...row, key }
  })
}

/** Names are not unique. Throws unless exactly one working key matches. */
export async function loadKeyByName(db: Db, filter: queries.KeyFilter & { name: string }) {
  const found = (await queries.listKeys(db, filter)).filter((key) => key.revoked_at === null)
  if (found.length > 1) {
    const each = found.map((key) => `${key.id} (${key.kind}, "${key.project}", ${key.email})`)
    throw conflict('ambiguous', `${found.length} keys have the name "${filter.name}". Use the id: ${each.join(', ')}.`)
  }
  if (!found[0])
    throw new AppError(404, 'not_found', `There is no key "${filter.name}" that is not revoked. See "key list".`)
  return found[0]
}

export async function loadKey(db: Db, id: string): Promise<queries.KeyRow> {
  const key = await queries.findKey(db, id)
  if (!key) throw noKey(id)
  return key
}

/** A revoked key stays as it is. */
export function revokeKey(ctx: Ctx, id: string): Promise<queries.KeyRow> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await queries.lockKey(ctx.db, projectId, id)
    if (!before) throw noKey(id)
    authorizeManagement(ctx.actor)
    if (before.revoked_at !== null) return before
    const revoked = await queries.revokeKey(ctx.db, projectId, id)
    await recordEvent(ctx, keyEvent('api_key.revoked', revoked))
    return revoked
  })
}

export const keyEvent = (kind: string, key: queries.KeyRow): NewEvent => ({
  kind,
  subjectType: 'api_key',
  subjectId: key.id,
  payload: { kind: key.kind, name: key.name, user_id: key.user_id, expires_at: key.expires_at },
})

const noKey = (id: string) => new AppError(404, 'not_found', `There is no key with the id "${id}". See "key list".`)
