import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import type { FeedbackItem, ItemStatus } from '../items/feedback-item.ts'
import { listItemsById } from '../items/item-queries.ts'
import { loadItem, setFeedbackItemStatus } from '../items/items.ts'
import { loadTheme } from '../themes/open-theme.ts'
import { linkItem, unlinkItem } from '../themes/quotes.ts'
import type { NewTheme, Theme } from '../themes/theme.ts'
import { createTheme, deleteTheme } from '../themes/themes.ts'

export const SORT_ACTIONS = ['dismiss', 'not_feedback', 'reopen'] as const
export type SortAction = (typeof SORT_ACTIONS)[number]

interface Sorted {
  /** Those that it changed: what an undo gives back. */
  changedIds: string[]
}

/** Puts many reports into one theme, all or none. */
export function linkItems(
  ctx: Ctx,
  target: { themeId: string } | { newTheme: NewTheme },
  itemIds: string[],
  textExcerpt?: string,
): Promise<Sorted & { theme: Theme }> {
  return inTransaction(ctx, async (ctx) => {
    const { id } = 'themeId' in target ? await loadTheme(ctx, target.themeId) : await createTheme(ctx, target.newTheme)
    const changedIds: string[] = []
    for (const itemId of inOrder(itemIds))
      if ((await linkItem(ctx, id, itemId, textExcerpt)).isNew) changedIds.push(itemId)
    return { changedIds, theme: await loadTheme(ctx, id) }
  })
}

/**
 * Takes back what `linkItems` did. Triage learns nothing from it: the reports were there by mistake, and only for a moment.
 * A theme that was opened for them ends with them.
 */
export function takeBackLinks(ctx: Ctx, themeId: string, itemIds: string[], endsTheme: boolean): Promise<Sorted> {
  return inTransaction(ctx, async (ctx) => {
    for (const itemId of inOrder(itemIds)) await unlinkItem(ctx, themeId, itemId, { teaches: false })
    if (endsTheme && (await loadTheme(ctx, themeId)).quoteCount === 0) await deleteTheme(ctx, themeId)
    return { changedIds: itemIds }
  })
}

/**
 * Sets reports aside without a theme, or takes that back, then with `unlessLinked`: what somebody has put into a theme since
 * stays there. Only `not_feedback` teaches triage what to leave out.
 */
export function sortItems(
  ctx: Ctx,
  action: SortAction,
  itemIds: string[],
  { unlessLinked }: { unlessLinked: boolean },
): Promise<Sorted> {
  const status: ItemStatus = action === 'reopen' ? 'to_process' : 'processed'
  return inTransaction(ctx, async (ctx) => {
    const before = await loadItems(ctx, itemIds)
    const changedIds: string[] = []
    for (const { id, status: old } of before) {
      const after = await setFeedbackItemStatus(ctx, id, status, { teaches: action !== 'dismiss', unlessLinked })
      if (after.status !== old) changedIds.push(id)
    }
    return { changedIds }
  })
}

async function loadItems(ctx: TxCtx, itemIds: string[]): Promise<Pick<FeedbackItem, 'id' | 'status'>[]> {
  const ids = inOrder(itemIds)
  const found = await listItemsById(ctx.db, ctx.actor.projectId, ids)
  const missing = ids.find((id) => !found.some((one) => one.id === id))
  if (missing !== undefined) await loadItem(ctx, missing)
  return found
}

/** Items are locked in the order of ids, so two callers with the same items cannot deadlock. */
const inOrder = (ids: string[]) => [...new Set(ids.map((id) => id.toLowerCase()))].sort()
