import type { Actor, Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { notFound } from '../../kernel/errors.ts'
import { computingFirst } from '../../kernel/threads/compute-first.ts'
import type { LockedDocument } from '../document.ts'
import { lockDocument } from '../queries.ts'
import { nextChanges, type PendingChange, selectChanges } from '../suggestions/changes.ts'
import { follow, nameChanges, writeOut } from './conversion/convert.ts'
import type { DocumentRef } from './document-name.ts'
import { checkTyped, writeTyped } from './folding.ts'
import { findCurrentState, findRevision, findState, findVersionContent, type LiveState, saveState } from './queries.ts'

/** The state of the document that includes everything these people typed. */
export interface Typed {
  authors: Actor[]
  state: Uint8Array
}

/** Who began which change, by its id. */
export type SuggestedBy = Record<string, Actor>

export interface Saved extends Omit<LiveState, 'state'> {
  /** The new state, if it contains more than what was typed. */
  news: Uint8Array | undefined
}

/** Returns the stored state, updated first if the document was written without it. */
export async function loadState(ctx: Ctx, ref: DocumentRef): Promise<LiveState> {
  // Most are up to date, and reading one of those needs neither the lock nor the markdown.
  const current = await findCurrentState(ctx.db, ctx.actor.projectId, ref)
  if (current) return current
  return whileLocked(ctx, ref, async (ctx, document) => {
    const { stored, state } = await currentState(ctx, document)
    return stored ?? saveState(ctx.db, ctx.actor.projectId, document.id, document.versionId, state)
  })
}

/**
 * Stores what was typed together with the shared state. `known` is the revision that the session last saw, and the typed
 * state builds on it. Merges what others have stored since; never overwrites it.
 */
export function saveTyped(
  ctx: Ctx,
  ref: DocumentRef,
  known: { revision: string },
  { authors, state: typed }: Typed,
  suggestedBy: SuggestedBy = {},
): Promise<Saved> {
  return whileLocked(ctx, ref, async (ctx, locked) => {
    const { projectId } = ctx.actor
    const current = await findRevision(ctx.db, projectId, ref.id)
    const moved = current?.revision !== known.revision || current.versionId !== locked.versionId
    const others = moved ? [(await currentState(ctx, locked)).state] : []
    // Everything is computed before anything is written.
    const pending = await selectChanges(ctx, ref.id)
    const source = locked.markdownContent
    const states = [...others, typed]
    const { markdown, heldIds, state } = await writeOut(ctx, { source, changeIds: idsOf(pending), states })
    const isSame = markdown === source
    if (!isSame) await checkTyped(ctx, markdown)
    const next = isSame ? undefined : await nextChanges(ctx, locked, markdown, { heldIds }, pending)
    const changes = next?.map((change) => withAuthor(change, suggestedBy[change.id]))
    const named = await nameChanges(ctx, { source: markdown, changeIds: idsOf(changes ?? pending), state })
    const typing = { markdownContent: markdown, changes, authors }
    const document = isSame ? locked : await writeTyped(ctx, locked, typing)
    const { versionId, revision } = await saveState(ctx.db, projectId, ref.id, document.versionId, named ?? state)
    return { versionId, revision, news: named ?? (moved ? state : undefined) }
  })
}

const idsOf = (changes: PendingChange[]) => changes.map(({ id }) => id)

const withAuthor = (change: PendingChange, by: Actor | undefined): PendingChange =>
  by ? { ...change, author: { userId: by.userId, userName: by.userName, origin: 'user' } } : change

/**
 * Holds the lock of the document, so a change of the markdown is applied to the shared state only once. If two nodes
 * applied it, its text would appear twice.
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

/** Returns the shared state of a locked document. `stored` is set if that state is already stored. */
async function currentState(
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
