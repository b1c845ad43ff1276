import type { Ctx } from '../kernel/context.ts'
import { json, type Tx } from '../kernel/database/index.ts'
import { computed } from '../kernel/threads/compute-first.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import type { Change, Document } from './document.ts'
import { changesIn } from './markdown.ts'

type TxCtx = Ctx & { db: Tx }

/** What is known of the changes beyond their words: among equal ones these tell which is which. */
export interface KnownOfChanges {
  /** Where in the markdown new changes begin. */
  freshAt?: number[]
  settledId?: string
}

/** Cheap, and never wrong in saying no. */
const mayHaveChanges = (text: string) => text.includes('{++') || text.includes('{--')

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
  const { projectId, userId, userName } = ctx.actor
  const rows = changes.map((change, position) => ({ ...change, position }))
  const ids = rows.map((row) => row.id)
  await ctx.db`delete from document_changes
    where project_id = ${projectId} and document_id = ${documentId} and not (id = any(${ids}::uuid[]))`
  if (rows.length === 0) return
  await ctx.db`
    insert into document_changes (project_id, document_id, id, position, kind, text, user_id, created_by_name, created_at)
    select ${projectId}, ${documentId}, r.id, r.position, r.kind, r.text, ${userId}, ${userName}, now()
    from jsonb_to_recordset(${json(rows)}) as r (id uuid, position int, kind text, text text)
    on conflict (project_id, id) do update set position = excluded.position`
}

export const selectChanges = (ctx: Ctx, documentId: string) => ctx.db<Change[]>`
  select id, kind, text, created_at as "createdAt", created_by_name as "createdByName" from document_changes
  where project_id = ${ctx.actor.projectId} and document_id = ${documentId} order by position`
