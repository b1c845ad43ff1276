import type { Actor, Ctx } from '../../kernel/context.ts'
import { inTransaction, type Tx } from '../../kernel/database/index.ts'
import { notFound } from '../../kernel/errors.ts'
import { computingFirst } from '../../kernel/threads/compute-first.ts'
import { nextChanges, type PendingChange, selectChanges } from '../changes.ts'
import type { LockedDocument } from '../document.ts'
import { lockDocument } from '../queries.ts'
import { follow, nameChanges, writeOut } from './conversion/convert.ts'
import type { DocumentRef } from './document-name.ts'
import { checkTyped, writeTyped } from './folding.ts'
import { findRevision, findState, findVersionContent, type LiveState, saveState } from './queries.ts'

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
  return whileLocked(ctx, ref, async (ctx, document) => {
    const { stored, state } = await inStep(ctx, document)
    return stored ?? saveState(ctx.db, ctx.actor.projectId, document.id, document.versionId, state)
  })
}

/**
 * Stores what was typed, one author after the other, together with the shared state. `known` is what the session last
 * saw stored, and is part of what was typed. What others have stored since is taken in, never overwritten.
 */
export function saveTyped(ctx: Ctx, ref: DocumentRef, known: { revision: string }, typed: Typed[]): Promise<Saved> {
  return whileLocked(ctx, ref, async (ctx, locked) => {
    const { projectId } = ctx.actor
    const current = await findRevision(ctx.db, projectId, ref.id)
    const moved = current?.revision !== known.revision || current.versionId !== locked.versionId
    const others = moved ? [(await inStep(ctx, locked)).state] : []
    // How far an earlier author had come can no longer be told apart from what others have stored in between.
    const { writes, changeIds, source, state } = await planWrites(ctx, locked, others, moved ? typed.slice(-1) : typed)
    const named = await nameChanges(ctx, { source, changeIds, state })
    let document = locked
    for (const { author, markdown, changes } of writes)
      document = await writeTyped({ ...ctx, actor: { ...author, origin: 'user' } }, document, markdown, changes)
    const { versionId, revision } = await saveState(ctx.db, projectId, ref.id, document.versionId, named ?? state)
    return { versionId, revision, moved, news: named ?? (moved ? state : undefined) }
  })
}

interface PlannedWrite {
  author: Actor
  markdown: string
  changes: PendingChange[] | undefined
}

/** All that has to be computed, before anything is written. */
async function planWrites(ctx: TxCtx, { id, markdownContent }: LockedDocument, others: Uint8Array[], typed: Typed[]) {
  const writes: PlannedWrite[] = []
  let source = markdownContent
  let known: PendingChange[] = await selectChanges(ctx, id)
  let latest: Uint8Array | undefined
  for (const { author, state } of typed) {
    const changeIds = known.map((change) => change.id)
    const written = await writeOut(ctx, { source, changeIds, states: [...others, state] })
    latest = written.state
    if (written.markdown === source) continue
    await checkTyped(ctx, written.markdown)
    const changes = await nextChanges(ctx, { id, markdownContent: source }, written.markdown, {}, known)
    writes.push({ author, markdown: written.markdown, changes })
    source = written.markdown
    known = changes ?? known
  }
  return { writes, changeIds: known.map((change) => change.id), source, state: latest! }
}

/**
 * Under the document's lock, so that a change of the markdown becomes a change of what is shared only once: done by two
 * nodes, its text would stand there twice.
 */
function whileLocked<T>(
  ctx: Ctx,
  { kind, id }: DocumentRef,
  run: (ctx: TxCtx, document: LockedDocument) => Promise<T>,
): Promise<T> {
  return computingFirst(ctx, id, (ctx) =>
    inTransaction(ctx, async (ctx) => {
      const document = await lockDocument(ctx.db, ctx.actor.projectId, kind, id)
      if (!document) throw notFound('document', id)
      return run(ctx, document)
    }),
  )
}

/** What is shared of a locked document; `stored` when it is stored like that already. */
async function inStep(
  ctx: TxCtx,
  document: LockedDocument,
): Promise<{ stored: LiveState | undefined; state: Uint8Array }> {
  const { projectId } = ctx.actor
  const stored = await findState(ctx.db, projectId, document.id)
  if (stored?.versionId === document.versionId) return { stored, state: stored.state }
  const source = document.markdownContent
  const changeIds = (await selectChanges(ctx, document.id)).map((change) => change.id)
  const content = stored && (await findVersionContent(ctx.db, projectId, document.id, stored.versionId))
  const before = stored && { state: stored.state, source: content ?? source }
  return { stored: undefined, state: await follow(ctx, { source, changeIds, before }) }
}
