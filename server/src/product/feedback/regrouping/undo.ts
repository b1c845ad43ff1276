import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { AppError, conflict } from '../../../kernel/errors.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { type Kept, restoreRows } from '../../../kernel/keeping/rows.ts'
import { disconnectResources, lockLinks } from '../../links/index.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { themeEvents } from '../events.ts'
import { lockItems } from '../items/item-queries.ts'
import { refreshItemStatuses } from '../items/items.ts'
import { isPerson } from '../policy.ts'
import { restorableTheme } from '../themes/restoring.ts'
import { findTheme, lockTheme, recountTheme, setThemeFeature, touchTheme } from '../themes/theme-queries.ts'
import { deleteTheme } from '../themes/themes.ts'
import * as queries from './regrouping-queries.ts'

/** Puts the rows back that a regrouping changed, except quotes that somebody has moved or removed since. */
export function undoRegrouping(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    await lockLinks(ctx.db, projectId)
    const one = await queries.lockRegrouping(ctx.db, projectId, id)
    if (!one) throw notKept()
    authorizeWrite(ctx.actor)
    if (one.kind === 'deleted') return bringBack(ctx, one)
    const [from, into] = await lockBoth(ctx, one)
    if (!into || (!from && one.kind !== 'merged'))
      throw conflict('theme_gone', 'One of the two themes was deleted since.')
    const kept = await withoutChanged(ctx, one)
    const items = itemsIn(kept)
    await lockItems(ctx.db, projectId, items)
    await restoreRows(ctx.db, kept)
    await disconnectTaken(ctx, one, into.featureId)
    if (one.kind === 'merged') await restorableTheme.restored(ctx, [one.fromThemeId], {})
    else await queries.unlearnAll(ctx.db, projectId, items, one.fromThemeId)
    await refreshItemStatuses(ctx, items)
    for (const themeId of [one.fromThemeId, one.intoThemeId]) {
      await recountTheme(ctx.db, projectId, themeId)
      await touchTheme(ctx.db, projectId, themeId, isPerson(ctx.actor))
    }
    await queries.deleteRegrouping(ctx.db, projectId, id)
    await finish(ctx, one)
  })
}

/** With its quotes and links, as far as what they refer to still exists. */
async function bringBack(ctx: TxCtx, { id, kept, fromThemeId }: queries.Regrouping): Promise<void> {
  const rows = JSON.parse(kept) as Kept
  await lockItems(ctx.db, ctx.actor.projectId, itemsIn(rows))
  await restoreRows(ctx.db, rows)
  await restorableTheme.restored(ctx, [fromThemeId], {})
  await touchTheme(ctx.db, ctx.actor.projectId, fromThemeId, isPerson(ctx.actor))
  await queries.deleteRegrouping(ctx.db, ctx.actor.projectId, id)
}

/** A theme that was split off ends with its last quote. */
async function finish(ctx: TxCtx, { kind, fromThemeId, intoThemeId }: queries.Regrouping): Promise<void> {
  const [subjectId, otherId] = kind === 'merged' ? [intoThemeId, fromThemeId] : [fromThemeId, intoThemeId]
  const other = await findTheme(ctx.db, ctx.actor.projectId, otherId)
  const payload = { theme_id: otherId, theme_number: other!.themeNumber, title: other!.title }
  const undone = kind === 'merged' ? themeEvents.merged_undone : themeEvents.split_undone
  await recordEvent(ctx, undone(subjectId, payload))
  if (kind !== 'split') return
  if (other!.quoteCount === 0 && other!.linkedWorkOrderCount === 0) await deleteTheme(ctx, intoThemeId)
}

async function lockBoth(ctx: TxCtx, { fromThemeId, intoThemeId }: queries.Regrouping) {
  const locked = new Map<string, Awaited<ReturnType<typeof lockTheme>>>()
  for (const id of [fromThemeId, intoThemeId].sort()) locked.set(id, await lockTheme(ctx.db, ctx.actor.projectId, id))
  return [locked.get(fromThemeId), locked.get(intoThemeId)] as const
}

interface QuoteRow {
  id: string
  feedback_item_id: string
}

/**
 * Without the quotes that somebody has moved or removed since. One that ended because its item was in the other theme
 * already comes back, as long as that item still is there.
 */
async function withoutChanged(ctx: TxCtx, { kept, intoThemeId }: queries.Regrouping): Promise<Kept> {
  const { db, actor } = ctx
  const tables = JSON.parse(kept) as Kept
  const quotes = tables.filter(({ table }) => table === 'quotes').flatMap(({ rows }) => rows.map(quoteIn))
  const ids = quotes.map(({ id }) => id)
  const themes = await queries.findThemesOfQuotes(db, actor.projectId, ids)
  const places = await queries.listPlaces(db, actor.projectId, intoThemeId, itemsIn(tables))
  const quoted = new Set(places.map(({ feedbackItemId }) => feedbackItemId))
  const stays = ({ id, feedback_item_id }: QuoteRow) =>
    themes.has(id) ? themes.get(id) === intoThemeId : quoted.has(feedback_item_id)
  return tables.map((one) =>
    one.table === 'quotes' ? { ...one, rows: one.rows.filter((row) => stays(quoteIn(row))) } : one,
  )
}

const quoteIn = (row: string) => JSON.parse(row) as QuoteRow

const itemsIn = (kept: Kept) =>
  kept.filter(({ table }) => table === 'quotes').flatMap(({ rows }) => rows.map((row) => quoteIn(row).feedback_item_id))

async function disconnectTaken(ctx: TxCtx, one: queries.Regrouping, featureId: string | null): Promise<void> {
  const { projectId } = ctx.actor
  for (const id of one.connectedIds) {
    await disconnectResources(ctx.db, projectId, one.intoThemeId, id)
    if (id === featureId) await setThemeFeature(ctx.db, projectId, one.intoThemeId, null)
  }
}

const notKept = () =>
  new AppError(
    404,
    'not_found',
    `This cannot be undone any more: it was undone already, or is older than ${queries.UNDO_DAYS} days.`,
  )
