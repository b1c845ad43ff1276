import type { Db } from '../../kernel/database/index.ts'

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

/** Returns how many there were. */
export async function deleteSessions(db: Db, userId: string, except: string | undefined): Promise<number> {
  const deleted = await db`
    delete from sessions where user_id = ${userId} and id is distinct from ${except ?? null}::uuid returning 1`
  return deleted.length
}

export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  const deleted = await db`delete from sessions where user_id = ${userId} and id = ${id} returning 1`
  return deleted.length === 1
}
