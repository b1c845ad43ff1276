import type { Db } from '../kernel/database/index.ts'
import { inTransaction } from '../kernel/database/index.ts'
import { invalid } from '../kernel/errors.ts'
import { isPasswordLength, PASSWORD_LENGTH } from '../kernel/password-length.ts'
import * as queries from './queries.ts'

/** Sets the password that someone signs in with, and ends their sessions. Says how many ended. */
export async function resetPassword(db: Db, userId: string, password: string): Promise<number> {
  if (!isPasswordLength(password.length))
    throw invalid([
      {
        pointer: '/password',
        detail: `A password has ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters, not ${password.length}.`,
      },
    ])
  const passwordHash = await hashOf(password)
  return inTransaction({ db }, async ({ db }) => {
    await queries.deletePassword(db, userId)
    await queries.insertPassword(db, userId, passwordHash)
    return endSessions(db, userId)
  })
}

/** Signs someone out everywhere, at once on all nodes: every request looks its session up. Says how many ended. */
export async function endSessions(db: Db, userId: string): Promise<number> {
  return (await queries.deleteSessions(db, userId)).length
}

/** The library is large and most starts set no password. */
export async function hashOf(password: string): Promise<string> {
  const { hashPassword } = await import('better-auth/crypto')
  return hashPassword(password)
}
