import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { type Db, inTransaction, isTransaction } from '../../kernel/database/index.ts'
import { computingFirst } from '../../kernel/threads/compute-first.ts'

/** A document that is open in editors on this node. */
export interface OpenSession {
  /** Stores what was typed. */
  save(): Promise<void>
  /** Shows editors what was written elsewhere. */
  catchUp(): Promise<void>
}

/** Sessions by document. Global, not in `ctx`, because it mirrors the open sockets of the process. */
const open = new Map<string, Set<OpenSession>>()

export function enterSession(documentId: string, session: OpenSession): () => void {
  const sessions = open.get(documentId) ?? new Set()
  open.set(documentId, sessions.add(session))
  return () => {
    sessions.delete(session)
    if (sessions.size === 0 && open.get(documentId) === sessions) open.delete(documentId)
  }
}

type Write<T> = (ctx: TxCtx) => Promise<T>

/** Runs a write that builds on the current content. Stores pending typing first. */
export async function changeShared<T>(ctx: Ctx, documentId: string, write: Write<T>): Promise<T> {
  await Promise.all(sessionsOf(ctx.db, documentId).map((session) => session.save()))
  return replaceShared(ctx, documentId, write)
}

/** Runs a write that replaces the stored content. Typing since then is kept on top of it. */
export async function replaceShared<T>(ctx: Ctx, documentId: string, write: Write<T>): Promise<T> {
  const result = await computingFirst(ctx, documentId.toLowerCase(), (ctx) => inTransaction(ctx, write))
  showEditors(ctx.db, documentId)
  return result
}

/** Shows editors what was written elsewhere. The writer does not wait for them. */
function showEditors(db: Db, documentId: string): void {
  for (const session of sessionsOf(db, documentId)) void session.catchUp()
}

/**
 * Returns no sessions inside a transaction: a session could wait for a lock that the transaction holds. The session
 * finds the change by itself within a second.
 */
function sessionsOf(db: Db, documentId: string): OpenSession[] {
  return isTransaction(db) ? [] : [...(open.get(documentId.toLowerCase()) ?? [])]
}
