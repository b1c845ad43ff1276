import { cut, isLongerThan } from '../../../engines/text/characters.ts'
import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { conflict, invalid, notFound } from '../../../kernel/errors.ts'
import { viaOf } from '../../../kernel/http/created-via.ts'
import type { ResourceType } from '../../links/index.ts'
import { changeShared } from '../../live-texts/index.ts'
import { nextChanges, type PendingChange, selectChanges } from '../changes/changes.ts'
import { changeDocument } from '../changing.ts'
import type { Change, Document, LockedDocument } from '../document.ts'
import { loadOutline, refuseStaleDocument } from '../loading.ts'
import { checkCharacters, refuseFault, settleIn, suggestIn, viewOf } from '../markdown.ts'
import { MAX_DOCUMENT_CHARACTERS } from '../schema.ts'
import { creditAuthors } from '../versions/authors.ts'
import { addVersion } from '../versions/versions.ts'

export interface Suggestion {
  oldText: string
  newText: string
  replaceAll: boolean
}

/**
 * Marks a replacement as pending: the old text as a deletion, the new text as an insertion. Returns the ids of the
 * changes.
 */
export async function suggest(
  ctx: Ctx,
  kind: ResourceType,
  id: string,
  { oldText, newText, replaceAll }: Suggestion,
): Promise<string[]> {
  checkCharacters(oldText)
  checkCharacters(newText)
  let ids: string[] = []
  const prepare = async (document: Document) => {
    const source = document.markdownContent
    if (oldText === '' && source !== '')
      throw invalid([
        {
          pointer: '/old_text',
          detail: 'An empty old_text inserts into an empty document only. Name the text to replace.',
        },
      ])
    refuseStaleDocument(ctx, document)
    const previous = (await selectChanges(ctx, id)).map(({ id, kind, text }) => ({ id, kind, text }))
    const replacement = { source, oldText, newText, replaceAll, previous }
    if (replaceAll) await refuseGrowth(ctx, replacement)
    const result = await suggestIn(ctx, replacement)
    if (result.outcome === 'notFound') throw textNotFound(oldText)
    if (result.outcome === 'ambiguous') throw textAmbiguous(oldText, result.count)
    if (result.outcome === 'overlapsPending') throw overlapsPending()
    if (isTooLong(result.source)) throw tooLong()
    refuseFault(result.fault)
    const before = new Set(previous.map((change) => change.id))
    const changes = await nextChanges(ctx, document, result.source, { found: result.found })
    ids = (changes ?? []).map((change) => change.id).filter((changeId) => !before.has(changeId))
    return (ctx: TxCtx, document: LockedDocument) => addVersion(ctx, document, result.source, changes)
  }
  await changeShared(ctx, id, () => changeDocument(ctx, kind, id, prepare))
  return ids
}

export async function listChanges(ctx: Ctx, kind: ResourceType, id: string): Promise<Change[]> {
  await loadOutline(ctx, kind, id)
  return selectChanges(ctx, id)
}

export type Verdict = 'accept' | 'reject'

/** A change to settle, and its text as it was shown when that was decided. */
export interface Settled {
  id: string
  shown?: string | undefined
}

/** Accepts or rejects these changes at once, as far as they are still pending. What was typed since stays pending. */
export function settleChanges(
  ctx: Ctx,
  kind: ResourceType,
  id: string,
  changes: Settled[],
  verdict: Verdict,
): Promise<Document> {
  const wanted = new Map(changes.map((one) => [one.id.toLowerCase(), one]))
  const prepare = async (document: Document) => {
    const pending = await selectChanges(ctx, id)
    const places = pending.flatMap((change, at) => (wanted.has(change.id) ? [at] : []))
    if (places.length === 0) throw notFound('suggestion', changes[0]!.id)
    refuseStaleDocument(ctx, document)
    const shown = places.map((at) => wanted.get(pending[at]!.id)!.shown)
    const settled = await settleIn(ctx, { source: document.markdownContent, places, verdict, shown })
    if (settled.outcome === 'changed') throw suggestionChanged(pending[settled.place]!.text)
    // Changes that are valid together may be invalid one by one.
    refuseFault(settled.fault)
    const rests = settled.rests.map(({ kind, text, place }) => ({ kind, text, of: pending[place]! }))
    const chosen = places.map((at) => pending[at]!)
    const known = { settledIds: chosen.map(({ id }) => id), rests }
    const next = await nextChanges(ctx, document, settled.source, known)
    return (ctx: TxCtx, document: LockedDocument) => settle(ctx, document, settled.source, next, verdict, chosen)
  }
  return changeShared(ctx, id, () => changeDocument(ctx, kind, id, prepare))
}

/** Accepts or rejects all pending changes at once. Does nothing if there are none. */
export function settleAllChanges(ctx: Ctx, kind: ResourceType, id: string, verdict: Verdict): Promise<Document> {
  const prepare = async (document: Document) => {
    const source = document.markdownContent
    const settled = await viewOf(ctx, { source, show: verdict === 'accept' ? 'accepted' : 'rejected' })
    if (settled === source) return undefined
    const pending = await selectChanges(ctx, id)
    const next = await nextChanges(ctx, document, settled)
    return (ctx: TxCtx, document: LockedDocument) => settle(ctx, document, settled, next, verdict, pending)
  }
  return changeShared(ctx, id, () => changeDocument(ctx, kind, id, prepare))
}

/** Whoever suggested an accepted text wrote it, together with the person who accepted it. */
async function settle(
  ctx: TxCtx,
  document: LockedDocument,
  markdownContent: string,
  next: PendingChange[] | undefined,
  verdict: Verdict,
  settled: Change[],
): Promise<LockedDocument> {
  const written = await addVersion(ctx, document, markdownContent, next)
  if (verdict === 'reject') return written
  const { userId, origin } = ctx.actor
  const authors = settled.map(({ userId, origin, via }) => ({ userId, originType: origin ?? 'user', via }))
  await creditAuthors(ctx, written.versionId, { userId, originType: origin, via: viaOf(ctx) }, authors)
  return written
}

/** The limit includes pending changes, so that a client can always send back the document that it has read. */
const isTooLong = (source: string) => isLongerThan(source, MAX_DOCUMENT_CHARACTERS)

/** Refuses before the text is built: a long replacement in many places could exhaust the memory. */
async function refuseGrowth(ctx: Ctx, replacement: Parameters<typeof suggestIn>[1]): Promise<void> {
  const { source, newText } = replacement
  if (source.length * newText.length <= MAX_DOCUMENT_CHARACTERS) return
  const found = await suggestIn(ctx, { ...replacement, newText: '', replaceAll: false })
  const places = found.outcome === 'ambiguous' ? found.count : 1
  if (places * newText.length > 2 * MAX_DOCUMENT_CHARACTERS) throw tooLong()
}

const tooLong = () =>
  invalid([
    {
      pointer: '/new_text',
      detail: `With this change the document would have more than ${MAX_DOCUMENT_CHARACTERS} characters. Suggest less at once.`,
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

const suggestionChanged = (text: string) =>
  conflict(
    'suggestion_changed',
    `The suggestion says "${shortened(text)}" now, which is not what was shown. Read it again, then decide.`,
  )
