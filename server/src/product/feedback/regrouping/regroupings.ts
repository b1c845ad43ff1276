import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { AppError, conflict, invalid } from '../../../kernel/errors.ts'
import { type NewEvent, recordEvents } from '../../../kernel/events.ts'
import { keepRows } from '../../../kernel/keeping/rows.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { connectResources, lockLinks } from '../../links/index.ts'
import { themeEvents } from '../events.ts'
import { displayFeedbackNumber } from '../items/feedback-item.ts'
import { listNumbers } from '../items/item-queries.ts'
import { moveMailings } from '../mailings/mailing-queries.ts'
import { isPerson, refuseToTouch } from '../policy.ts'
import { connectFeature } from '../themes/connections.ts'
import { openBothThemes, openTheme } from '../themes/open-theme.ts'
import type { Theme } from '../themes/theme.ts'
import { recountTheme, touchTheme } from '../themes/theme-queries.ts'
import { createTheme, deleteTheme } from '../themes/themes.ts'
import { moveQuotes } from '../triage/triage-queries.ts'
import * as queries from './regrouping-queries.ts'

/** With all its quotes, a theme that is larger than this cannot be merged, because it could not be brought back. */
const MOST_CHARACTERS = 50_000_000

export interface Regrouped extends Omit<queries.Regrouping, 'kept' | 'connectedIds'> {
  quoteCount: number
}

/** Puts everything of a theme into another one and deletes it. */
export function mergeTheme(ctx: Ctx, fromId: string, intoId: string, reason: string | undefined): Promise<Regrouped> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const [from, into] = await openTwo(ctx, fromId, intoId)
    const kept = await keepTheme(ctx, from, 'merge')
    const places = await queries.listPlaces(ctx.db, projectId, from.id, undefined)
    await movePlaces(ctx, places, into.id)
    const connectedIds = await takeConnections(ctx, from, into)
    await moveMailings(ctx.db, projectId, from.id, into.id)
    await touchBoth(ctx, from, into)
    const payload = { theme_id: from.id, theme_number: from.themeNumber, title: from.title, reason }
    await recordEvents(ctx, [themeEvents.merged(into.id, payload)])
    await deleteTheme(ctx, from.id)
    return keep(ctx, { kind: 'merged', from, into, kept, connectedIds }, places.length)
  })
}

/** Deletes a theme with its quotes, so that it can be brought back. */
export function removeTheme(ctx: Ctx, id: string): Promise<Regrouped> {
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    const theme = await openTheme(ctx, id)
    const kept = await keepTheme(ctx, theme, 'delete')
    await deleteTheme(ctx, theme.id)
    return keep(ctx, { kind: 'deleted', from: theme, into: theme, kept, connectedIds: [] }, theme.quoteCount)
  })
}

/** Its rows, as they are now. */
async function keepTheme(ctx: TxCtx, { id, title }: Theme, verb: string): Promise<string> {
  const kept = await keepRows(ctx.db, ctx.actor.projectId, 'resources', [id], MOST_CHARACTERS)
  if (!kept)
    throw conflict('too_large_to_keep', `"${title}" has too many quotes to ${verb} it. Move some of them first.`)
  return JSON.stringify(kept)
}

/** Moves the quotes of some items to a new theme of the same kind. */
export function splitTheme(
  ctx: Ctx,
  fromId: string,
  { title, itemIds, reason }: { title: string; itemIds: string[]; reason: string | undefined },
): Promise<Regrouped> {
  return inTransaction(ctx, async (ctx) => {
    await lockLinks(ctx.db, ctx.actor.projectId)
    const [from] = await openBothThemes(ctx, fromId, fromId)
    const places = await loadPlaces(ctx, from, itemIds)
    if (places.length === from.quoteCount)
      throw conflict('nothing_left', `All quotes of "${from.title}" are chosen. Rename it instead, or choose fewer.`)
    const { type, priority, featureId } = from
    const into = await createTheme(ctx, { title, type, priority }, featureId)
    const about = { theme_id: into.id, theme_number: into.themeNumber, title: into.title, reason }
    const split = themeEvents.split(from.id, about)
    return moveChosen(ctx, { kind: 'split', from, into }, places, [split])
  })
}

/** Moves the quotes of some items to another theme. Where an item is there already, its quote there stays. */
export function moveThemeQuotes(ctx: Ctx, fromId: string, intoId: string, itemIds: string[]): Promise<Regrouped> {
  return inTransaction(ctx, async (ctx) => {
    const [from, into] = await openTwo(ctx, fromId, intoId)
    return moveChosen(ctx, { kind: 'moved', from, into }, await loadPlaces(ctx, from, itemIds), [])
  })
}

type Places = Awaited<ReturnType<typeof queries.listPlaces>>
type Ends = Pick<queries.Regrouping, 'kind'> & { from: Theme; into: Theme }

async function moveChosen(ctx: TxCtx, ends: Ends, places: Places, events: NewEvent[]) {
  const { projectId } = ctx.actor
  const { from, into } = ends
  const ids = places.map(({ id }) => id)
  const kept = JSON.stringify([{ table: 'quotes', rows: await queries.readQuoteRows(ctx.db, projectId, ids) }])
  const moved = await movePlaces(ctx, places, into.id)
  const itemIds = places.map(({ feedbackItemId }) => feedbackItemId)
  if (isPerson(ctx.actor)) await queries.learnAll(ctx.db, projectId, itemIds, from.id)
  await touchBoth(ctx, from, into)
  const linkEvents = places.flatMap(({ id, feedbackItemId }) => {
    const payload = { feedback_item_id: feedbackItemId, quote_id: id }
    const unlinked = themeEvents.feedback_unlinked(from.id, payload)
    const linked = themeEvents.feedback_linked(into.id, payload)
    return moved.has(id) ? [unlinked, linked] : [unlinked]
  })
  await recordEvents(ctx, [...linkEvents, ...events])
  return keep(ctx, { ...ends, kept, connectedIds: [] }, places.length)
}

async function movePlaces(ctx: TxCtx, places: Places, intoId: string): Promise<Set<string>> {
  const { projectId } = ctx.actor
  const ids = places.map(({ id }) => id)
  const moved = await moveQuotes(ctx.db, projectId, ids, intoId)
  if (!isPerson(ctx.actor)) return moved
  await queries.pinQuotes(ctx.db, projectId, [...moved])
  const itemIds = places.map(({ feedbackItemId }) => feedbackItemId)
  await queries.unlearnAll(ctx.db, projectId, itemIds, intoId)
  return moved
}

/** The work orders of a merged theme, and its feature if the other one has none. Returns what was not connected before. */
async function takeConnections(ctx: TxCtx, from: Theme, into: Theme): Promise<string[]> {
  const { projectId } = ctx.actor
  const own = new Set(into.context.map(({ resourceId }) => resourceId))
  const added = from.context.filter((one) => one.resourceType === 'work_order' && !own.has(one.resourceId))
  for (const one of added)
    await connectResources(ctx.db, projectId, { resourceType: 'theme', resourceId: into.id }, one)
  const feature = into.featureId === null && from.context.find(({ resourceId }) => resourceId === from.featureId)
  if (feature) await connectFeature(ctx, into.id, null, feature)
  return [...added, ...(feature ? [feature] : [])].map(({ resourceId }) => resourceId)
}

async function keep(
  ctx: TxCtx,
  { from, into, ...one }: Ends & Pick<queries.Regrouping, 'kept' | 'connectedIds'>,
  quoteCount: number,
): Promise<Regrouped> {
  const { kept, connectedIds, ...regrouping } = { ...one, id: uuidv7(), fromThemeId: from.id, intoThemeId: into.id }
  await queries.insertRegrouping(ctx.db, ctx.actor.projectId, { ...regrouping, kept, connectedIds })
  return { ...regrouping, quoteCount }
}

async function openTwo(ctx: TxCtx, fromId: string, intoId: string): Promise<[Theme, Theme]> {
  if (fromId.toLowerCase() === intoId.toLowerCase())
    throw invalid([{ pointer: '/into_theme_id', detail: 'This is the theme itself. Choose another one.' }])
  await lockLinks(ctx.db, ctx.actor.projectId)
  const both = await openBothThemes(ctx, fromId, intoId)
  refuseToTouch(ctx, 'theme', both[0])
  return both
}

async function touchBoth(ctx: TxCtx, ...themes: Theme[]): Promise<void> {
  for (const { id } of themes) {
    await recountTheme(ctx.db, ctx.actor.projectId, id)
    await touchTheme(ctx.db, ctx.actor.projectId, id, isPerson(ctx.actor))
  }
}

async function loadPlaces(ctx: TxCtx, from: Theme, itemIds: string[]): Promise<Places> {
  const places = await queries.listPlaces(ctx.db, ctx.actor.projectId, from.id, itemIds)
  const found = new Set(places.map(({ feedbackItemId }) => feedbackItemId))
  const missing = itemIds.filter((id) => !found.has(id.toLowerCase()))
  if (missing.length === 0) return places
  const numbers = await listNumbers(ctx.db, ctx.actor.projectId, missing)
  const names = numbers.length > 0 ? numbers.map(displayFeedbackNumber) : missing.map((id) => `"${id}"`)
  const are = names.length === 1 ? 'is' : 'are'
  throw new AppError(
    404,
    'not_found',
    `${names.join(', ')} ${are} not in "${from.title}". Somebody may have moved ${names.length === 1 ? 'it' : 'them'}, so nothing was moved. Choose again.`,
  )
}
