import { type Db, inTransaction, type Tx } from '../kernel/database/index.ts'
import { invalid } from '../kernel/errors.ts'
import type { OrganizationCtx } from '../kernel/organization-events.ts'
import { isPasswordLength, PASSWORD_LENGTH } from '../kernel/password-length.ts'
import * as queries from './queries.ts'
import { endSessions } from './sessions.ts'
import { recordUserEvent } from './user-events.ts'

/** Sets a user's password and ends their sessions. Returns how many ended. */
export async function resetPassword(ctx: OrganizationCtx, userId: string, password: string): Promise<number> {
  const passwordHash = await hashOf(checkedPassword(password))
  return inTransaction(ctx, async (ctx) => {
    await replacePassword(ctx, userId, passwordHash, 'user.password_reset')
    return endSessions(ctx, userId)
  })
}

/** Sets the password of a person who knows the present one, and ends their other sessions. Returns how many ended. */
export async function changePassword(
  ctx: OrganizationCtx,
  { userId, sessionId, password }: { userId: string; sessionId: string; password: string },
): Promise<number> {
  const passwordHash = await hashOf(checkedPassword(password))
  return inTransaction(ctx, async (ctx) => {
    await replacePassword(ctx, userId, passwordHash, 'user.password_changed')
    return endSessions(ctx, userId, { except: sessionId })
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

export function checkedPassword(password: string): string {
  if (isPasswordLength(password.length)) return password
  throw invalid([
    {
      pointer: '/password',
      detail: `A password has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, not ${password.length}.`,
    },
  ])
}

/** Loaded on demand: the library is large, and most starts set no password. */
export async function hashOf(password: string): Promise<string> {
  const { hashPassword } = await import('better-auth/crypto')
  return hashPassword(password)
}
