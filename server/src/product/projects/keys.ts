import type { Ctx, ProjectRole } from '../../kernel/context.ts'
import { type Db, inTransaction } from '../../kernel/database/index.ts'
import { AppError, conflict, invalid } from '../../kernel/errors.ts'
import { recordEvent } from '../../kernel/events.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { keyEvents } from './events.ts'
import { generateKey, hashKey, isLowerRole, KEY_PREFIX, type KeyKind, readOrigin, roleOfKey } from './key.ts'
import * as queries from './key-queries.ts'
import { authorizeKey, authorizeNewKey, mayManage } from './policy.ts'
import { findMemberRights } from './queries.ts'

interface NewKey {
  kind: KeyKind
  userId: string
  name: string
  /** The most that it may do. Whatever its owner may do if omitted. */
  role?: ProjectRole | undefined
  expiresAt?: string
  /** The origins that may use a reporting key in a browser. All if omitted. */
  allowedOrigins?: string[]
  /** A key that the operator chose. Only for bootstrapping. */
  chosenKey?: string | undefined
  /** The key that it takes the place of. */
  replaces?: queries.KeyRow
}

/** Creates a key. The returned value cannot be seen again. */
export function addKey(ctx: Ctx, { kind, userId, name, role, chosenKey, replaces, ...rest }: NewKey) {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    authorizeNewKey(ctx.actor, userId)
    const ownerRole = (await findMemberRights(ctx.db, projectId, userId))?.projectRole
    if (ownerRole === undefined)
      throw conflict('not_a_member', 'A key acts for a member of its project. Add the user with "member add" first.')
    if (role !== undefined) checkRole(kind, role, ownerRole)
    const key = chosenKey ?? generateKey(kind)
    // Long enough to recognize, too short to help anyone guess the rest. A chosen key may be short.
    const start = chosenKey === undefined ? key.slice(0, KEY_PREFIX[kind].length + 4) : null
    const { expiresAt, allowedOrigins } = rest
    const columns = { id: uuidv7(), userId, kind, name, role, sha256: hashKey(key), start, expiresAt, allowedOrigins }
    const row = await queries.insertKey(ctx.db, projectId, columns)
    const replaced = replaces && { id: replaces.id, user_id: replaces.user_id }
    await recordEvent(ctx, keyEvents.created(row.id, { ...payloadOfKey(row), replaces: replaced }))
    return { ...row, key }
  })
}

function checkRole(kind: KeyKind, role: ProjectRole, ownerRole: ProjectRole): void {
  if (kind === 'reporting')
    throw invalid([{ pointer: '/role', detail: 'A reporting key only sends reports and has no role. Leave it out.' }])
  if (isLowerRole(ownerRole, role))
    throw invalid([
      {
        pointer: '/role',
        detail: `A key with the role "${role}" is not possible: its owner is "${ownerRole}". Choose "${ownerRole}" or less.`,
      },
    ])
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
    await recordEvent(ctx, keyEvents.revoked(id, payloadOfKey(revoked)))
    return revoked
  })
}

/**
 * Replaces a key by a new one with the same name, rights and lifetime. The old one stops at once. If an admin rotates the
 * key of someone else, the new one acts as the admin, because whoever sees a key can act as its owner.
 */
export function rotateKey(ctx: Ctx, id: string) {
  return inTransaction(ctx, async (ctx) => {
    const before = await queries.lockKey(ctx.db, ctx.actor.projectId, id)
    if (!before) throw noKey(id)
    authorizeKey(ctx.actor, before.user_id)
    if (before.revoked_at !== null)
      throw conflict('key_revoked', `The key "${before.name}" is revoked. Make a new one instead.`)
    const userId = ctx.actor.userId ?? before.user_id
    const ownerRole = (await findMemberRights(ctx.db, ctx.actor.projectId, before.user_id))?.projectRole
    const isTakenOver = userId !== before.user_id && ownerRole !== undefined && before.kind === 'external'
    const role = isTakenOver ? roleOfKey(ownerRole, before.role) : (before.role ?? undefined)
    await revokeKey(ctx, id)
    const { kind, name, allowed_origins } = before
    const lifetimeMs = before.expires_at && Date.parse(before.expires_at) - Date.parse(before.created_at)
    return addKey(ctx, {
      kind,
      userId,
      name,
      role,
      replaces: before,
      ...(lifetimeMs && { expiresAt: new Date(Date.now() + lifetimeMs).toISOString() }),
      ...(allowed_origins && { allowedOrigins: allowed_origins }),
    })
  })
}

/** Sets which pages may use a reporting key. Null allows all. */
export function setKeyOrigins(ctx: Ctx, id: string, given: string[] | null): Promise<queries.KeyRow> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const before = await queries.lockKey(ctx.db, projectId, id)
    if (!before) throw noKey(id)
    authorizeKey(ctx.actor, before.user_id)
    if (before.revoked_at !== null)
      throw conflict('key_revoked', `The key "${before.name}" is revoked. Make a new one instead.`)
    const changed = await queries.setAllowedOrigins(ctx.db, projectId, id, given && checkOrigins(before.kind, given))
    await recordEvent(ctx, keyEvents.updated(id, payloadOfKey(changed)))
    return changed
  })
}

export function checkOrigins(kind: KeyKind, given: string[]): string[] {
  if (kind !== 'reporting')
    throw invalid([{ pointer: '/allowed_origins', detail: 'Only reporting keys have origins. Leave them out.' }])
  const read = given.map((one, index) => {
    const origin = readOrigin(one)
    const pointer = `/allowed_origins/${index}`
    if (!origin)
      throw invalid([{ pointer, detail: `"${one}" is not an origin. Write it like https://shop.example.org.` }])
    return origin
  })
  return [...new Set(read)]
}

/** The keys that the actor may manage. */
export const listManagedKeys = ({ db, actor }: Ctx) =>
  queries.listOwnedKeys(db, actor.projectId, mayManage(actor) ? undefined : actor.userId!)

export const payloadOfKey = ({ kind, name, user_id, role, expires_at }: queries.KeyRow) => ({
  kind,
  name,
  user_id,
  role,
  expires_at,
})

const noKey = (id: string) => new AppError(404, 'not_found', `There is no key with the id "${id}". See "key list".`)
