import { mayHaveChanges } from '../../../engines/markdown/suggestions/critic-markup.ts'
import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { viaOf } from '../../../kernel/http/created-via.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import type { Change, Document } from '../document.ts'
import { type CheckedText, changesIn } from '../markdown.ts'
import type { FoundChange } from '../markdown-worker.ts'
import { listChanges, listTakenIds, replaceChanges } from './change-queries.ts'

/** Tells changes with the same text apart. */
export interface KnownOfChanges {
  /** All changes of the new content, if they have been found already. */
  found?: FoundChange[]
  settledIds?: string[]
  /** What stays pending of settled changes, which have one author with them. */
  rests?: { kind: Change['kind']; text: string; of: Change }[]
  /** The ids that editors show, in order. */
  heldIds?: (string | undefined)[] | undefined
}

export interface PendingChange extends Pick<Change, 'id' | 'kind' | 'text'> {
  /** Who made it, if not the one who writes. Has no effect on a change that is stored already. */
  author?: ChangeAuthor
}

export type ChangeAuthor = Pick<Change, 'userId' | 'origin'> & { userName: string }

/**
 * Returns the pending changes of the new content; a change that existed before keeps its id. Returns undefined if
 * neither the old nor the new content has any. This can take long, so call it before the transaction.
 */
export async function nextChanges(
  ctx: Ctx,
  document: Pick<Document, 'id' | 'markdownContent'>,
  source: string,
  { found: foundBefore, settledIds = [], rests = [], heldIds }: KnownOfChanges = {},
): Promise<PendingChange[] | undefined> {
  if (!mayHaveChanges(document.markdownContent) && !mayHaveChanges(source)) return undefined
  const unsettled = (await selectChanges(ctx, document.id)).filter(({ id }) => !settledIds.includes(id))
  const left = rests.map(({ kind, text, of }) => ({ id: uuidv7(), kind, text, author: authorOf(of)! }))
  const previous: PendingChange[] = [...unsettled, ...left]
  const held = heldIds && (await usableIds(ctx, document.id, heldIds, previous))
  const unheld = held ? previous.filter(({ id }) => !held.includes(id)) : previous
  const found = foundBefore ?? (await changesIn(ctx, { source, previous: unheld }))
  const typedOn = heldIds && pairTypedOn(found, heldIds, unheld)
  return found.map((change, at) => {
    const { kind, text, knownId = typedOn?.get(change)?.id } = change
    const author =
      held && !held[at]
        ? authorOf(previous.find(({ id }) => id === heldIds[at]))
        : left.find(({ id }) => id === knownId)?.author
    return { id: held?.[at] ?? knownId ?? uuidv7(), kind, text, ...(author && { author }) }
  })
}

/** The suggestions of a text that is new. */
export const newChanges = ({ found }: CheckedText): PendingChange[] | undefined =>
  found.length > 0 ? found.map(({ kind, text }) => ({ id: uuidv7(), kind, text })) : undefined

/**
 * In editors, a change without an id is in a block that is proposed whole. It keeps its id while its author types on:
 * what no text matches is paired in order, if there are as many of a kind.
 */
function pairTypedOn(
  found: FoundChange[],
  heldIds: (string | undefined)[],
  previous: PendingChange[],
): Map<FoundChange, PendingChange> {
  const matched = new Set(found.map(({ knownId }) => knownId))
  const pairs = new Map<FoundChange, PendingChange>()
  for (const kind of ['insertion', 'deletion'] as const) {
    const now = found.filter((one, at) => one.kind === kind && heldIds[at] === undefined && one.knownId === undefined)
    const before = previous.filter((one) => one.kind === kind && !matched.has(one.id))
    if (now.length === before.length) for (const [at, one] of now.entries()) pairs.set(one, before[at]!)
  }
  return pairs
}

/** A change that someone else splits by typing in it stays that of its author, on both sides. */
const authorOf = (change: (PendingChange & Partial<Change>) | undefined): ChangeAuthor | undefined =>
  change?.createdByName === undefined
    ? change?.author
    : { userId: change.userId ?? null, userName: change.createdByName, origin: change.origin ?? null }

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** An editor may name a new change, but not with the id of a change elsewhere, and not two changes with one id. */
async function usableIds(
  ctx: Ctx,
  documentId: string,
  heldIds: (string | undefined)[],
  previous: PendingChange[],
): Promise<(string | undefined)[]> {
  const known = new Set(previous.map(({ id }) => id))
  const fresh = heldIds.filter((id): id is string => id !== undefined && UUID.test(id) && !known.has(id))
  const taken = new Set(fresh.length > 0 ? await listTakenIds(ctx.db, ctx.actor.projectId, documentId, fresh) : [])
  const seen = new Set<string>()
  return heldIds.map((id) => {
    if (!id || seen.has(id) || taken.has(id) || !UUID.test(id)) return undefined
    seen.add(id)
    return id
  })
}

/** Stores the pending changes of a document with their authors. */
export async function storeChanges(ctx: TxCtx, documentId: string, changes: PendingChange[]): Promise<void> {
  const { projectId, userId, userName, origin } = ctx.actor
  const own = { userId, userName, origin, via: viaOf(ctx) }
  const authored = changes.map((change) => ({
    ...change,
    author: change.author ? { ...change.author, via: null } : own,
  }))
  await replaceChanges(ctx.db, projectId, documentId, authored)
}

export const selectChanges = (ctx: Ctx, documentId: string) => listChanges(ctx.db, ctx.actor.projectId, documentId)
