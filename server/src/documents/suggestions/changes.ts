import { mayHaveChanges } from '../../engines/markdown/suggestions/critic-markup.ts'
import type { Ctx, TxCtx } from '../../kernel/context.ts'
import { computed } from '../../kernel/threads/compute-first.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import type { Change, Document } from '../document.ts'
import { changesIn } from '../markdown.ts'
import { listChanges, replaceChanges } from './change-queries.ts'

/** What is known of the changes beyond their words: among equal ones these tell which is which. */
export interface KnownOfChanges {
  /** Where in the markdown new changes begin. */
  freshAt?: number[]
  settledId?: string
}

export type PendingChange = Pick<Change, 'id' | 'kind' | 'text'>

/**
 * The changes that stand in the next content, each with the id it has or gets. Undefined when there are none and were
 * none. Called before anything is written: a transaction that begins again for it should have nothing to undo.
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
  // The same ids in every attempt: what is computed from them is computed once.
  return computed(ctx, 'change_ids', { documentId: document.id, found }, { isLong: false, compute })
}

/** Keeps who made which pending change in step with the changes that stand in the markdown. */
export async function storeChanges(ctx: TxCtx, documentId: string, changes: PendingChange[]): Promise<void> {
  await replaceChanges(ctx.db, ctx.actor.projectId, documentId, changes, ctx.actor)
}

export const selectChanges = (ctx: Ctx, documentId: string) => listChanges(ctx.db, ctx.actor.projectId, documentId)
