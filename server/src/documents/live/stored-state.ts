import type { Actor, Ctx } from '../../kernel/context.ts'
import { inTransaction, type Tx } from '../../kernel/database.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Document } from '../document.ts'
import { lockDocument } from '../queries.ts'
import { follow, nameChanges, writeOut } from './convert.ts'
import type { DocumentRef } from './document-name.ts'
import { writeTyped } from './folding.ts'
import { findChangeIds, findRevision, findState, findVersionContent, type LiveState, saveState } from './queries.ts'

type TxCtx = Ctx & { db: Tx }

/** How far the document had come by what this author typed. */
export interface Typed {
  author: Actor
  state: Uint8Array
}

export interface Saved extends Omit<LiveState, 'state'> {
  /** Others had stored something since what was known. */
  moved: boolean
  /** Only if there is more in it than what was typed. */
  news: Uint8Array | undefined
}

/** The stored state, brought into step with the document where that was written without it. */
export function loadState(ctx: Ctx, ref: DocumentRef): Promise<LiveState> {
  return inTransaction(ctx, async (ctx) => inStep(ctx, await lock(ctx, ref)))
}

/**
 * Stores what was typed, one author after the other, together with the shared state. `known` is what the session last
 * saw stored, and is part of what was typed. What others have stored since is taken in, never overwritten.
 */
export function saveTyped(ctx: Ctx, ref: DocumentRef, known: { revision: string }, typed: Typed[]): Promise<Saved> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    let document = await lock(ctx, ref)
    const current = await findRevision(ctx.db, projectId, ref.id)
    const moved = current?.revision !== known.revision || current.versionId !== document.versionId
    const others = moved ? [(await inStep(ctx, document)).state] : []
    let latest: Uint8Array | undefined
    // How far an earlier author had come can no longer be told apart from what others have stored in between.
    for (const { author, state } of moved ? typed.slice(-1) : typed) {
      const changeIds = await findChangeIds(ctx.db, projectId, ref.id)
      const written = await writeOut({ source: document.markdownContent, changeIds, states: [...others, state] })
      document = await writeTyped({ ...ctx, actor: { ...author, origin: 'user' } }, document, written.markdown)
      latest = written.state
    }
    const changeIds = await findChangeIds(ctx.db, projectId, ref.id)
    const named = await nameChanges({ source: document.markdownContent, changeIds, state: latest! })
    const { versionId, revision } = await saveState(ctx.db, projectId, ref.id, document.versionId, named ?? latest!)
    return { versionId, revision, moved, news: named ?? (moved ? latest : undefined) }
  })
}

async function lock(ctx: TxCtx, { kind, id }: DocumentRef): Promise<Document> {
  const document = await lockDocument(ctx.db, ctx.actor.projectId, kind, id)
  if (!document) throw notFound('document', id)
  return document
}

/**
 * Under the document's lock, so that a change of the markdown becomes a change of what is shared only once: done by two
 * nodes, its text would stand there twice.
 */
async function inStep(ctx: TxCtx, document: Document): Promise<LiveState> {
  const { projectId } = ctx.actor
  const stored = await findState(ctx.db, projectId, document.id)
  if (stored?.versionId === document.versionId) return stored
  const source = document.markdownContent
  const changeIds = await findChangeIds(ctx.db, projectId, document.id)
  const content = stored && (await findVersionContent(ctx.db, projectId, document.id, stored.versionId))
  const before = stored && { state: stored.state, source: content ?? source }
  const state = await follow({ source, changeIds, before })
  return saveState(ctx.db, projectId, document.id, document.versionId, state)
}
