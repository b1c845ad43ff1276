import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { inTransaction, sendTogether } from '../../../kernel/database/index.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { recordEvents } from '../../../kernel/events.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { holdResource } from '../../links/index.ts'
import { themeEvents } from '../events.ts'
import { excerptOf, type FeedbackItem } from '../items/feedback-item.ts'
import { lockItem, lockItems, refreshStatuses } from '../items/item-queries.ts'
import { statusEvents } from '../items/items.ts'
import { learn, unlearn } from '../lesson-queries.ts'
import { isPerson, refuseToTouch } from '../policy.ts'
import { openBothThemes, openThemeAnd } from './open-theme.ts'
import { deleteQuote, findQuote, insertQuote } from './quote-queries.ts'
import type { Quote } from './theme.ts'

/** Puts an item into a theme. If it is already there, its quote stays as it is. */
export function linkItem(
  ctx: Ctx,
  themeId: string,
  itemId: string,
  textExcerpt?: string,
): Promise<{ quote: Quote; isNew: boolean }> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const [theme, item] = await openThemeAnd(ctx, themeId, () => holdItem(ctx, itemId))
    const existing = await findQuote(ctx.db, projectId, theme.id, itemId)
    if (isPerson(ctx.actor)) await unlearn(ctx.db, projectId, item.id, theme.id)
    const refreshing = refreshStatuses(ctx.db, projectId, [item.id])
    if (existing) {
      await recordEvents(ctx, statusEvents(await refreshing))
      return { quote: existing, isNew: false }
    }
    const adding = addQuote(ctx, theme.id, item, textExcerpt ?? excerptOf(item.markdownContent))
    const [quote, changed] = await sendTogether([adding, refreshing])
    await recordEvents(ctx, [linked(quote), ...statusEvents(changed)])
    return { quote, isNew: true }
  })
}

export function unlinkItem(ctx: Ctx, themeId: string, itemId: string, { teaches = true } = {}): Promise<Quote> {
  return inTransaction(ctx, async (ctx) => {
    const [theme, quote] = await openThemeAnd(ctx, themeId, ({ id }) => loadQuote(ctx, id, itemId))
    refuseToTouch(ctx, 'theme', theme)
    refuseToTouch(ctx, 'link', quote)
    const [, , changed] = await sendTogether([
      lockItems(ctx.db, ctx.actor.projectId, [quote.feedbackItemId]),
      dropQuote(ctx, quote),
      refreshStatuses(ctx.db, ctx.actor.projectId, [quote.feedbackItemId]),
    ])
    if (teaches) await learnFrom(ctx, quote)
    await recordEvents(ctx, [unlinked(quote), ...statusEvents(changed)])
    return quote
  })
}

/** Moves an item with its quote to another theme. If the item is already there, that quote stays. */
export function moveQuote(ctx: Ctx, fromThemeId: string, toThemeId: string, itemId: string): Promise<Quote> {
  return inTransaction(ctx, async (ctx) => {
    const [from, to] = await openBothThemes(ctx, fromThemeId, toThemeId)
    const quote = await loadQuote(ctx, from.id, itemId)
    refuseToTouch(ctx, 'theme', from)
    refuseToTouch(ctx, 'link', quote)
    if (from.id === to.id) return quote
    const item = await holdItem(ctx, quote.feedbackItemId)
    await learnFrom(ctx, quote)
    if (isPerson(ctx.actor)) await unlearn(ctx.db, ctx.actor.projectId, item.id, to.id)
    const existing = await findQuote(ctx.db, ctx.actor.projectId, to.id, item.id)
    const refreshing = refreshStatuses(ctx.db, ctx.actor.projectId, [item.id])
    if (existing) {
      const [, changed] = await sendTogether([dropQuote(ctx, quote), refreshing])
      await recordEvents(ctx, [unlinked(quote), ...statusEvents(changed)])
      return existing
    }
    const adding = addQuote(ctx, to.id, item, quote.textExcerpt)
    const [, moved, changed] = await sendTogether([dropQuote(ctx, quote), adding, refreshing])
    await recordEvents(ctx, [unlinked(quote), linked(moved), ...statusEvents(changed)])
    return moved
  })
}

/** Triage does not put such items there again. */
async function learnFrom({ db, actor }: TxCtx, { feedbackItemId, themeId }: Quote): Promise<void> {
  if (isPerson(actor)) await learn(db, actor.projectId, feedbackItemId, themeId)
}

async function holdItem(ctx: TxCtx, id: string): Promise<FeedbackItem> {
  const item = await lockItem(ctx.db, ctx.actor.projectId, id)
  if (item) return item
  const pointer = '/feedback_item_id'
  await holdResource(ctx, { resourceType: 'feedback_item', resourceId: id }, pointer)
  throw notFound('feedback item', id)
}

async function loadQuote(ctx: TxCtx, themeId: string, itemId: string): Promise<Quote> {
  const quote = await findQuote(ctx.db, ctx.actor.projectId, themeId, itemId)
  if (!quote)
    throw new AppError(
      404,
      'not_found',
      `The feedback item "${itemId}" is not linked to this theme. Read the item: its "connectedContext" lists its themes.`,
    )
  return quote
}

function addQuote({ db, actor }: Ctx, themeId: string, item: FeedbackItem, textExcerpt: string) {
  const { projectId, origin } = actor
  const draft = { id: uuidv7(), themeId, itemId: item.id, textExcerpt, origin, byPerson: isPerson(actor) }
  return insertQuote(db, projectId, draft)
}

const dropQuote = ({ db, actor }: Ctx, quote: Quote) => deleteQuote(db, actor.projectId, quote, isPerson(actor))

const linked = (quote: Quote) => themeEvents.feedback_linked(quote.themeId, payloadOf(quote))
const unlinked = (quote: Quote) => themeEvents.feedback_unlinked(quote.themeId, payloadOf(quote))
const payloadOf = ({ id, feedbackItemId }: Quote) => ({ feedback_item_id: feedbackItemId, quote_id: id })
