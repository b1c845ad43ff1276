import { type Db, inTransaction } from '../kernel/database/index.ts'
import { AppError } from '../kernel/errors.ts'
import type { OrganizationCtx } from '../kernel/organization-events.ts'
import { recordUserEvent } from './user-events.ts'

export interface SessionRow {
  id: string
  ip_address: string | null
  user_agent: string | null
  created_at: string
  last_used_at: string
}

export const listSessionsOf = (db: Db, userId: string) => db<SessionRow[]>`
  select id, ip_address, user_agent, created_at, last_used_at from sessions
  where user_id = ${userId} and expires_at > now() order by last_used_at desc, id`

/** Those of the sessions that have neither ended nor expired. */
export const listSessionsThatLast = (db: Db, ids: string[]) =>
  db<{ id: string }[]>`select id from sessions where id = any(${ids}::uuid[]) and expires_at > now()`.map((rows) =>
    rows.map(({ id }) => id),
  )

export async function touchSession(db: Db, id: string): Promise<void> {
  await db`update sessions set last_used_at = now() where id = ${id}`
}

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
    const ended = await ctx.db`
      delete from sessions where user_id = ${userId} and id is distinct from ${except ?? null}::uuid returning 1`
    if (ended.length > 0) await recordUserEvent(ctx, 'user.sessions_ended', userId, { sessions: ended.length })
    return ended.length
  })
}

export function endSession(ctx: OrganizationCtx, userId: string, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const ended = await ctx.db`delete from sessions where user_id = ${userId} and id = ${id} returning 1`
    if (ended.length === 0) throw new AppError(404, 'not_found', `You have no session "${id}". It may have ended.`)
    await recordUserEvent(ctx, 'user.sessions_ended', userId, { sessions: 1 })
  })
}
