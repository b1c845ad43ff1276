import type { Ctx } from '../../kernel/context.ts'
import { type Db, inTransaction, isTransaction, type Tx } from '../../kernel/database/index.ts'
import { computingFirst } from '../../kernel/threads/compute-first.ts'

/** A document that is open in editors on this node. */
export interface OpenSession {
  /** Stores what was typed. */
  save(): Promise<void>
  /** Shows the editors what was written without them. */
  catchUp(): Promise<void>
}

/** By document. In the process and not in `ctx`: it mirrors which sockets are open, whoever asks. */
const open = new Map<string, Set<OpenSession>>()

export function enterSession(documentId: string, session: OpenSession): () => void {
  const sessions = open.get(documentId) ?? new Set()
  open.set(documentId, sessions.add(session))
  return () => {
    sessions.delete(session)
    if (sessions.size === 0 && open.get(documentId) === sessions) open.delete(documentId)
  }
}

type Write<T> = (ctx: Ctx & { db: Tx }) => Promise<T>

/** A write that starts from the content as it is: what was typed a moment ago belongs to it. */
export async function changeShared<T>(ctx: Ctx, documentId: string, write: Write<T>): Promise<T> {
  await Promise.all(sessionsOf(ctx.db, documentId).map((session) => session.save()))
  return replaceShared(ctx, documentId, write)
}

/** A write that replaces the content as it was stored: what was typed since is kept on top of it. */
export async function replaceShared<T>(ctx: Ctx, documentId: string, write: Write<T>): Promise<T> {
  const result = await computingFirst(ctx, documentId.toLowerCase(), (ctx) => inTransaction(ctx, write))
  showEditors(ctx.db, documentId)
  return result
}

/** What was written without them. Whoever wrote need not wait until editors show it. */
function showEditors(db: Db, documentId: string): void {
  for (const session of sessionsOf(db, documentId)) void session.catchUp()
}

/**
 * Inside someone's transaction a session could wait for a lock that this very transaction holds, so it is left to find
 * out by itself, within a second.
 */
function sessionsOf(db: Db, documentId: string): OpenSession[] {
  return isTransaction(db) ? [] : [...(open.get(documentId.toLowerCase()) ?? [])]
}
