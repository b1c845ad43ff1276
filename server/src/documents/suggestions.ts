import { mayHaveChanges } from '../engines/markdown/suggestions/critic-markup.ts'
import { cut, isLongerThan } from '../engines/text/characters.ts'
import type { Ctx } from '../kernel/context.ts'
import { json, type Tx } from '../kernel/database/index.ts'
import { conflict, invalid, notFound } from '../kernel/errors.ts'
import { computed } from '../kernel/threads/compute-first.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import type { ResourceType } from '../links/index.ts'
import { loadDocument, lockForWrite, openForWrite, refuseStaleDocument } from './actions.ts'
import type { Change, Document } from './document.ts'
import { changeShared } from './live/open-sessions.ts'
import { changesIn, checkChanged, checkCharacters, settleIn, suggestIn, viewOf } from './markdown.ts'
import { MOST_CHARACTERS } from './schema.ts'
import { addVersion } from './versions.ts'

type TxCtx = Ctx & { db: Tx }

export interface Suggestion {
  oldText: string
  newText: string
  replaceAll: boolean
}

/** Marks a replacement as pending: the old text as a deletion, the new one as an insertion. */
export async function suggest(
  ctx: Ctx,
  kind: ResourceType,
  id: string,
  { oldText, newText, replaceAll }: Suggestion,
): Promise<string[]> {
  checkCharacters(oldText)
  checkCharacters(newText)
  return changeShared(ctx, id, async (ctx) => {
    const document = await lockForWrite(ctx, kind, id)
    const source = document.markdownContent
    if (oldText === '' && source !== '')
      throw invalid([
        {
          pointer: '/old_text',
          detail: 'An empty old_text inserts into an empty document only. Name the text to replace.',
        },
      ])
    refuseStaleDocument(ctx, document)
    if (replaceAll) await refuseGrowth(ctx, source, oldText, newText)
    const result = await suggestIn(ctx, { source, oldText, newText, replaceAll })
    if (result.outcome === 'notFound') throw textNotFound(oldText)
    if (result.outcome === 'ambiguous') throw textAmbiguous(oldText, result.count)
    if (result.outcome === 'overlapsPending') throw overlapsPending()
    if (isTooLong(result.source)) throw tooLong()
    await checkChanged(ctx, result.source)
    const before = new Set((await selectChanges(ctx, id)).map((change) => change.id))
    await addVersion(ctx, document, result.source, { freshAt: result.changes.map((change) => change.from) })
    return (await selectChanges(ctx, id)).map((change) => change.id).filter((changeId) => !before.has(changeId))
  })
}

export async function listChanges(ctx: Ctx, kind: ResourceType, id: string): Promise<Change[]> {
  await loadDocument(ctx, kind, id)
  return selectChanges(ctx, id)
}

export type Verdict = 'accept' | 'reject'

/** Settles one pending change. */
export function settleChange(
  ctx: Ctx,
  kind: ResourceType,
  id: string,
  changeId: string,
  verdict: Verdict,
): Promise<Document> {
  return changeShared(ctx, id, async (ctx) => {
    const document = await lockForWrite(ctx, kind, id)
    const place = (await selectChanges(ctx, id)).findIndex((change) => change.id === changeId.toLowerCase())
    const settled = await settleIn(ctx, { source: document.markdownContent, place, verdict })
    if (settled === undefined) throw notFound('suggestion', changeId)
    refuseStaleDocument(ctx, document)
    // Changes that are valid together need not be valid one by one.
    await checkChanged(ctx, settled)
    return addVersion(ctx, document, settled, { settledId: changeId.toLowerCase() })
  })
}

/** Settles all pending changes at once; without any, nothing happens. */
export function settleAllChanges(ctx: Ctx, kind: ResourceType, id: string, verdict: Verdict): Promise<Document> {
  return changeShared(ctx, id, async (ctx) => {
    const document = await openForWrite(ctx, kind, id)
    const source = document.markdownContent
    const settled = await viewOf(ctx, { source, show: verdict === 'accept' ? 'accepted' : 'rejected' })
    return settled === source ? document : addVersion(ctx, document, settled)
  })
}

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

/** A document with its pending changes is still a document that a client may send back. */
const isTooLong = (source: string) => isLongerThan(source, MOST_CHARACTERS)

/** Refuses before the text is built: many places times a long text could be more than the memory holds. */
async function refuseGrowth(ctx: Ctx, source: string, oldText: string, newText: string): Promise<void> {
  if (source.length * newText.length <= MOST_CHARACTERS) return
  const found = await suggestIn(ctx, { source, oldText, newText: '', replaceAll: false })
  const places = found.outcome === 'ambiguous' ? found.count : 1
  if (places * newText.length > 2 * MOST_CHARACTERS) throw tooLong()
}

const tooLong = () =>
  invalid([
    {
      pointer: '/new_text',
      detail: `With this change the document would have more than ${MOST_CHARACTERS} characters. Suggest less at once.`,
    },
  ])

const shortened = (text: string) => cut(text, 80)

const textNotFound = (text: string) =>
  conflict(
    'text_not_found',
    `"${shortened(text)}" does not occur in the document. Read it again and copy the text as it stands there.`,
  )

const textAmbiguous = (text: string, count: number) =>
  conflict(
    'text_ambiguous',
    `"${shortened(text)}" occurs ${count} times. Send more of the text around it, or replace_all.`,
    { count },
  )

const overlapsPending = () =>
  conflict('overlaps_suggestion', 'This text overlaps a change that is still pending. Accept or reject that one first.')
