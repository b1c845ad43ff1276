import { isLongerThan } from '../../engines/text/characters.ts'
import type { Actor, Ctx, TxCtx } from '../../kernel/context.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { OutdatedError, untilCurrent } from '../../kernel/database/until-current.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { MARKDOWN_LENGTH } from '../../kernel/http/schema.ts'
import type { LiveText, LiveTexts } from '../../kernel/slice.ts'
import { follow, nameChanges, writeOut } from './conversion/convert.ts'
import type { DocumentRef } from './document-name.ts'
import {
  findCurrentState,
  findRevision,
  findState,
  isText,
  type LiveState,
  listStored,
  type StoredRevision,
  type StoredVersion,
  saveState,
} from './queries.ts'

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

/** Returns the stored state, updated first if the text was written without it. */
export async function loadState(ctx: Ctx, ref: DocumentRef): Promise<LiveState> {
  const texts = textsOf(ctx, ref)
  // Most are up to date, and reading one of those needs neither the lock nor the markdown.
  const current = await findCurrentState(ctx.db, texts.rows, ctx.actor.projectId, ref.id)
  if (current) return current
  return untilCurrent(ctx.db, ref.id, async () => {
    const seen = await read(ctx, texts, ref)
    const { stored, state } = await currentState(ctx, texts, seen)
    return stored ?? inTransaction(ctx, async (ctx) => store(ctx, texts, await lockUnchanged(ctx, texts, seen), state))
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
  const texts = textsOf(ctx, ref)
  return untilCurrent(ctx.db, ref.id, async () => {
    const seen = await read(ctx, texts, ref)
    const { text, current } = seen
    const moved = current?.revision !== known.revision || current.version !== text.version
    const others = moved ? [(await currentState(ctx, texts, seen)).state] : []
    const changeIds = await texts.listChangeIds(ctx, ref.id)
    const source = text.markdownContent
    const states = [...others, typed]
    const { markdown, heldIds, state } = await writeOut(ctx, { source, changeIds, states })
    if (isLongerThan(markdown, MARKDOWN_LENGTH)) throw tooLong()
    const typing = { markdownContent: markdown, heldIds, authors, suggestedBy }
    const next = markdown === source ? undefined : await texts.prepareWrite(ctx, text, typing)
    const named = await nameChanges(ctx, { source: markdown, changeIds: next?.changeIds ?? changeIds, state })
    return inTransaction(ctx, async (ctx) => {
      const locked = await lockUnchanged(ctx, texts, seen)
      const written = { ...locked, ...(await next?.write(ctx, locked)), markdownContent: markdown }
      const { version, revision } = await store(ctx, texts, written, named ?? state)
      return { version, revision, news: named ?? (moved ? state : undefined) }
    })
  })
}

const tooLong = () =>
  new AppError(413, 'document_too_long', 'A document has at most 2,000,000 characters. Divide it into several.')

/** True if there is such a text in the project. */
export async function isLiveText(ctx: Pick<Ctx, 'db' | 'wiring'>, projectId: string, { kind, id }: DocumentRef) {
  const texts = ctx.wiring.liveTexts.get(kind)
  return texts !== undefined && isText(ctx.db, texts.rows, projectId, id)
}

export interface OpenText {
  projectId: string
  ref: DocumentRef
}

/** Leaves out those that were deleted. */
export async function listStoredTexts({ db, wiring }: Pick<Ctx, 'db' | 'wiring'>, open: OpenText[]) {
  const found = [...wiring.liveTexts].map(([kind, { rows }]): StoredVersion[] | Promise<StoredVersion[]> => {
    const ofKind = open.filter(({ ref }) => ref.kind === kind)
    if (ofKind.length === 0) return []
    return listStored(
      db,
      rows,
      ofKind.map(({ projectId }) => projectId),
      ofKind.map(({ ref }) => ref.id),
    )
  })
  return (await Promise.all(found)).flat()
}

function textsOf({ wiring }: Pick<Ctx, 'wiring'>, { kind, id }: DocumentRef): LiveTexts {
  const texts = wiring.liveTexts.get(kind)
  if (!texts) throw notFound('document', id)
  return texts
}

/** A text as it was read, with the state that was stored at that time. */
interface Seen {
  text: LiveText
  current: StoredRevision | undefined
}

/**
 * Reads the revision first: typing increases it and any other write changes the version of the text, so if both are the same
 * under the lock, the text is the same.
 */
async function read(ctx: Ctx, texts: LiveTexts, { id }: DocumentRef): Promise<Seen> {
  const current = await findRevision(ctx.db, ctx.actor.projectId, id)
  const text = await texts.find(ctx.db, ctx.actor.projectId, id)
  if (!text) throw notFound('document', id)
  return { text, current }
}

/**
 * Holds the lock of the text, so a change of the markdown is applied to the shared state only once. If two nodes
 * applied it, its words would appear twice.
 */
async function lockUnchanged(
  ctx: TxCtx,
  texts: LiveTexts,
  { text: { id, version }, current }: Seen,
): Promise<LiveText> {
  const text = await texts.lock(ctx.db, ctx.actor.projectId, id)
  if (!text) throw notFound('document', id)
  const now = await findRevision(ctx.db, ctx.actor.projectId, id)
  if (text.version !== version || now?.revision !== current?.revision) throw new OutdatedError()
  return text
}

/** Returns the shared state of a text. `stored` is set if that state is already stored. */
async function currentState(
  ctx: Ctx,
  texts: LiveTexts,
  { text: { id, version, markdownContent: source }, current }: Seen,
): Promise<{ stored: LiveState | undefined; state: Uint8Array }> {
  const { projectId } = ctx.actor
  const stored = await findState(ctx.db, projectId, id)
  if (stored?.revision !== current?.revision) throw new OutdatedError()
  if (stored?.version === version) return { stored, state: stored.state }
  const changeIds = await texts.listChangeIds(ctx, id)
  const content = stored && (stored.source ?? (await texts.findContent?.(ctx.db, projectId, id, stored.version)))
  const before = stored && { state: stored.state, source: content ?? source }
  return { stored: undefined, state: await follow(ctx, { source, changeIds, before }) }
}

/** If the owner keeps no versions, the text is stored with its state: what is written later is compared with it. */
const store = (ctx: TxCtx, texts: LiveTexts, { id, version, markdownContent }: LiveText, state: Uint8Array) =>
  saveState(ctx.db, ctx.actor.projectId, id, { version, state, source: texts.findContent ? null : markdownContent })
