import type { Db } from '../../kernel/database/index.ts'
import { findMembersByIdOrEmail, type MemberRow } from './queries.ts'

export type MemberRef = { id: string } | { email: string }

/** Looks up many members by id or e-mail. Finds only members of this project. */
export function membersByIdOrEmail(db: Db, projectId: string, refs: MemberRef[]) {
  const ids = refs.flatMap((ref) => ('id' in ref ? [ref.id] : []))
  const emails = refs.flatMap((ref) => ('email' in ref ? [ref.email.toLowerCase()] : []))
  return findMembersByIdOrEmail(db, projectId, ids, emails).map((rows) => {
    const byId = new Map(rows.map((row) => [row.id, row]))
    const byEmail = new Map(rows.map((row) => [row.email.toLowerCase(), row]))
    return (ref: MemberRef): MemberRow | undefined =>
      'id' in ref ? byId.get(ref.id.toLowerCase()) : byEmail.get(ref.email.toLowerCase())
  })
}

export const findMember = async (db: Db, projectId: string, ref: MemberRef) =>
  (await membersByIdOrEmail(db, projectId, [ref]))(ref)
