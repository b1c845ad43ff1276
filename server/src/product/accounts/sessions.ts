import { inTransaction } from '../../kernel/database/index.ts'
import { AppError } from '../../kernel/errors.ts'
import type { OrganizationCtx } from '../../kernel/organization-events.ts'
import * as queries from './session-queries.ts'
import { recordUserEvent } from './user-events.ts'

/**
 * Ends the sessions of a user, or all but one. It takes effect at once on all nodes, because every request looks its
 * session up. Returns how many ended.
 */
export function endSessions(
  ctx: OrganizationCtx,
  userId: string,
  { except }: { except?: string } = {},
): Promise<number> {
  return inTransaction(ctx, async (ctx) => {
    const ended = await queries.deleteSessions(ctx.db, userId, except)
    if (ended > 0) await recordUserEvent(ctx, 'user.sessions_ended', userId, { sessions: ended })
    return ended
  })
}

export function endSession(ctx: OrganizationCtx, userId: string, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    if (!(await queries.deleteSession(ctx.db, userId, id)))
      throw new AppError(404, 'not_found', `You have no session "${id}". It may have ended.`)
    await recordUserEvent(ctx, 'user.sessions_ended', userId, { sessions: 1 })
  })
}
