import type { Ctx } from '../../kernel/context.ts'
import { afterCommit, isTransaction } from '../../kernel/database/index.ts'

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

/** Runs a write that builds on the current content. Stores pending typing first. */
export async function changeShared<T>(ctx: Ctx, documentId: string, write: () => Promise<T>): Promise<T> {
  // A session could wait for a lock that the transaction holds.
  if (!isTransaction(ctx.db)) await Promise.all(sessionsOf(documentId).map((session) => session.save()))
  return replaceShared(ctx, documentId, write)
}

/** Runs a write that replaces the stored content. Typing since then is kept on top of it. */
export async function replaceShared<T>(ctx: Ctx, documentId: string, write: () => Promise<T>): Promise<T> {
  const result = await write()
  // Shows editors what was written elsewhere. The writer does not wait for them.
  afterCommit(ctx.db, () => {
    for (const session of sessionsOf(documentId)) void session.catchUp()
  })
  return result
}

const sessionsOf = (documentId: string): OpenSession[] => [...(open.get(documentId.toLowerCase()) ?? [])]
