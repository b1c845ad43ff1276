import type { Db } from '../kernel/database/index.ts'

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

/** Deletes the sessions of a user, or one of them, or all but one. Returns how many there were. */
export const deleteSessions = (db: Db, userId: string, { only, except }: { only?: string; except?: string } = {}) =>
  db`delete from sessions where user_id = ${userId} and id is distinct from ${except ?? null}::uuid
    and (${only ?? null}::uuid is null or id = ${only ?? null}::uuid) returning 1`.map((rows) => rows.length)
