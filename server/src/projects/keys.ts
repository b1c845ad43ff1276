import type { Ctx } from '../kernel/context.ts'
import { type Db, inTransaction } from '../kernel/database/index.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import { type NewEvent, recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { generateKey, hashKey, KEY_PREFIX, type KeyKind } from './key.ts'
import * as queries from './key-queries.ts'
import { authorizeKey, mayManage } from './policy.ts'
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
    authorizeKey(ctx.actor, userId)
    if (!(await isMember(ctx.db, projectId, userId)))
      throw conflict('not_a_member', 'A key acts for a member of its project. Add the user with "member add" first.')
    const key = chosenKey ?? generateKey(kind)
    // Long enough to recognize, too short to help anyone guess the rest. A chosen key may be short.
    const start = chosenKey === undefined ? key.slice(0, KEY_PREFIX[kind].length + 4) : null
    const columns = { id: uuidv7(), userId, kind, name, sha256: hashKey(key), start, expiresAt, allowedOrigins }
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
    authorizeKey(ctx.actor, before.user_id)
    if (before.revoked_at !== null) return before
    const revoked = await queries.revokeKey(ctx.db, projectId, id)
    await recordEvent(ctx, keyEvent('api_key.revoked', revoked))
    return revoked
  })
}

/** Replaces a key by a new one with the same name, owner and lifetime. The old one stops at once. */
export function rotateKey(ctx: Ctx, id: string) {
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.lockKey(ctx.db, ctx.actor.projectId, id)
    if (!before) throw noKey(id)
    authorizeKey(ctx.actor, before.user_id)
    if (before.revoked_at !== null)
      throw conflict('key_revoked', `The key "${before.name}" is revoked. Make a new one instead.`)
    await revokeKey(ctx, id)
    const { kind, user_id: userId, name, allowed_origins } = before
    const lifetimeMs = before.expires_at && Date.parse(before.expires_at) - Date.parse(before.created_at)
    return addKey(ctx, {
      kind,
      userId,
      name,
      ...(lifetimeMs && { expiresAt: new Date(Date.now() + lifetimeMs).toISOString() }),
      ...(allowed_origins && { allowedOrigins: allowed_origins }),
    })
  })
}

/** The keys that the actor may manage. */
export const listManagedKeys = ({ db, actor }: Ctx) =>
  queries.listOwnedKeys(db, actor.projectId, mayManage(actor) ? undefined : actor.userId!)

export const keyEvent = (kind: string, key: queries.KeyRow): NewEvent => ({
  kind,
  subjectType: 'api_key',
  subjectId: key.id,
  payload: { kind: key.kind, name: key.name, user_id: key.user_id, expires_at: key.expires_at },
})

const noKey = (id: string) => new AppError(404, 'not_found', `There is no key with the id "${id}". See "key list".`)
