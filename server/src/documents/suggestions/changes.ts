import { mayHaveChanges } from '../../engines/markdown/suggestions/critic-markup.ts'
import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { viaOf } from '../../kernel/http/created-via.ts'
import { computed } from '../../kernel/threads/compute-first.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { Change, Document } from '../document.ts'
import { changesIn } from '../markdown.ts'
import { listChanges, replaceChanges } from './change-queries.ts'

/** Tells changes with the same text apart. */
export interface KnownOfChanges {
  /** Offsets in the markdown at which new changes begin. */
  freshAt?: number[]
  settledId?: string
}

export type PendingChange = Pick<Change, 'id' | 'kind' | 'text'>

/**
 * Returns the pending changes of the new content; a change that existed before keeps its id. Returns undefined if
 * neither the old nor the new content has any. Call it before the first write: the transaction may start over to
 * compute them.
 */
export async function nextChanges(
  ctx: TxCtx,
  document: Pick<Document, 'id' | 'markdownContent'>,
  source: string,
  { freshAt, settledId }: KnownOfChanges = {},
  known?: PendingChange[],
): Promise<PendingChange[] | undefined> {
  if (!mayHaveChanges(document.markdownContent) && !mayHaveChanges(source)) return undefined
  const previous = (known ?? (await selectChanges(ctx, document.id))).filter((change) => change.id !== settledId)
  const found = await changesIn(ctx, { source, previous, ...(freshAt && { freshAt }) })
  const compute = () => found.map(({ kind, text, knownId }) => ({ id: knownId ?? uuidv7(), kind, text }))
  // Every attempt gets the same ids, so that results computed from them are computed once.
  return computed(ctx, 'change_ids', { documentId: document.id, found }, { isLong: false, compute })
}

/** Stores the pending changes of a document with their authors. */
export async function storeChanges(ctx: TxCtx, documentId: string, changes: PendingChange[]): Promise<void> {
  await replaceChanges(ctx.db, ctx.actor.projectId, documentId, changes, ctx.actor, viaOf(ctx))
}

export const selectChanges = (ctx: Ctx, documentId: string) => listChanges(ctx.db, ctx.actor.projectId, documentId)
