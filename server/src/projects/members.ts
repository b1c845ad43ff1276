import type { Db } from '../kernel/database/index.ts'
import { findMembersByIdOrEmail, type MemberRow } from './queries.ts'

export type MemberRef = { id: string } | { email: string }

/** Looks members up by id or e-mail, many at once. Who is no member of this project is not found. */
export async function membersByIdOrEmail(
  db: Db,
  projectId: string,
  refs: MemberRef[],
): Promise<(ref: MemberRef) => MemberRow | undefined> {
  if (refs.length === 0) return () => undefined
  const ids = refs.flatMap((ref) => ('id' in ref ? [ref.id] : []))
  const emails = refs.flatMap((ref) => ('email' in ref ? [ref.email.toLowerCase()] : []))
  const rows = await findMembersByIdOrEmail(db, projectId, ids, emails)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byEmail = new Map(rows.map((row) => [row.email.toLowerCase(), row]))
  return (ref) => ('id' in ref ? byId.get(ref.id.toLowerCase()) : byEmail.get(ref.email.toLowerCase()))
}

export const findMember = async (db: Db, projectId: string, ref: MemberRef) =>
  (await membersByIdOrEmail(db, projectId, [ref]))(ref)
