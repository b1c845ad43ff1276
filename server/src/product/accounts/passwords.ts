import { type Db, inTransaction, type Tx } from '../../kernel/database/index.ts'
import { invalid } from '../../kernel/errors.ts'
import type { OrganizationCtx } from '../../kernel/organization-events.ts'
import { isPasswordLength, PASSWORD_LENGTH } from '../../kernel/password-length.ts'
import type { User } from './account.ts'
import { guessableBecause } from './guessable.ts'
import * as queries from './queries.ts'
import { endSessions } from './sessions.ts'
import { recordUserEvent } from './user-events.ts'

/** Sets a user's password and ends their sessions. Returns how many ended. */
export async function resetPassword(ctx: OrganizationCtx, user: User, password: string): Promise<number> {
  const passwordHash = await hashOf(await checkedPassword(password, user))
  return inTransaction(ctx, async (ctx) => {
    await replacePassword(ctx, user.id, passwordHash, 'user.password_reset')
    return endSessions(ctx, user.id)
  })
}

/** Sets the password of a person who knows the present one, and ends their other sessions. Returns how many ended. */
export async function changePassword(
  ctx: OrganizationCtx,
  { user, sessionId, password }: { user: User; sessionId: string; password: string },
): Promise<number> {
  const passwordHash = await hashOf(await checkedPassword(password, user))
  return inTransaction(ctx, async (ctx) => {
    await replacePassword(ctx, user.id, passwordHash, 'user.password_changed')
    return endSessions(ctx, user.id, { except: sessionId })
  })
}

async function replacePassword(ctx: OrganizationCtx<Tx>, userId: string, passwordHash: string, kind: string) {
  await queries.deletePassword(ctx.db, userId)
  await queries.insertPassword(ctx.db, userId, passwordHash)
  await recordUserEvent(ctx, kind, userId)
}

/** False also for a user without a password. */
export async function isPasswordOf(db: Db, userId: string, password: string): Promise<boolean> {
  const hash = await queries.findPasswordHash(db, userId)
  if (hash === undefined) return false
  const { verifyPassword } = await import('better-auth/crypto')
  return verifyPassword({ hash, password })
}

export const hasPassword = async (db: Db, userId: string) => (await queries.findPasswordHash(db, userId)) !== undefined

/** Refuses a password of the wrong length, and one that a guesser tries first. */
export async function checkedPassword(password: string, person: Pick<User, 'name' | 'email'>): Promise<string> {
  const detail = isPasswordLength(password.length)
    ? await guessableBecause(password, person)
    : `A password has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, not ${password.length}.`
  if (detail === undefined) return password
  throw invalid([{ pointer: '/password', detail }])
}

/** Loaded on demand: the library is large, and most starts set no password. */
export async function hashOf(password: string): Promise<string> {
  const { hashPassword } = await import('better-auth/crypto')
  return hashPassword(password)
}
