import { inTransaction, type Tx } from '../kernel/database/index.ts'
import { invalid } from '../kernel/errors.ts'
import { type OrganizationCtx, recordOrganizationEvent } from '../kernel/organization-events.ts'
import { isPasswordLength, PASSWORD_LENGTH } from '../kernel/password-length.ts'
import * as queries from './queries.ts'

/** Sets a user's password and ends their sessions. Returns how many ended. */
export async function resetPassword(ctx: OrganizationCtx, userId: string, password: string): Promise<number> {
  if (!isPasswordLength(password.length))
    throw invalid([
      {
        pointer: '/password',
        detail: `A password has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, not ${password.length}.`,
      },
    ])
  const passwordHash = await hashOf(password)
  return inTransaction(ctx, async (ctx) => {
    await queries.deletePassword(ctx.db, userId)
    await queries.insertPassword(ctx.db, userId, passwordHash)
    await recordUserEvent(ctx, 'user.password_reset', userId)
    return endSessions(ctx, userId)
  })
}

/**
 * Ends all sessions of a user. It takes effect at once on all nodes, because every request looks its session up.
 * Returns how many ended.
 */
export function endSessions(ctx: OrganizationCtx, userId: string): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const ended = (await queries.deleteSessions(ctx.db, userId)).length
    if (ended > 0) await recordUserEvent(ctx, 'user.sessions_ended', userId, { sessions: ended })
    return ended
  })
}

/** Records the event in every organization of the user. */
async function recordUserEvent(ctx: OrganizationCtx<Tx>, kind: string, userId: string, payload = {}): Promise<void> {
  const organizationIds = await queries.listOrganizationIdsOf(ctx.db, userId)
  await recordOrganizationEvent(ctx, organizationIds, { kind, subjectType: 'user', subjectId: userId, payload })
}

/** Loaded on demand: the library is large, and most starts set no password. */
export async function hashOf(password: string): Promise<string> {
  const { hashPassword } = await import('better-auth/crypto')
  return hashPassword(password)
}
