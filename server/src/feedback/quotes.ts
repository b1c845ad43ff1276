import type { Ctx } from '../kernel/context.ts'
import { inTransaction, type Tx } from '../kernel/database.ts'
import { AppError, notFound } from '../kernel/errors.ts'
import { recordEvent } from '../kernel/events.ts'
import { uuidv7 } from '../kernel/uuid.ts'
import { holdResource } from '../links/index.ts'
import { authorizeWrite } from '../projects/index.ts'
import { excerptOf, type FeedbackItem } from './feedback-item.ts'
import { lockItem, lockItems } from './item-queries.ts'
import { refreshItemStatuses } from './items.ts'
import { openThemeAnd } from './open-theme.ts'
import { isPerson } from './policy.ts'
import { deleteQuote, findQuote, insertQuote } from './quote-queries.ts'
import type { Quote, Theme } from './theme.ts'
import { lockTheme, touchTheme } from './theme-queries.ts'

/** Puts an item into a theme. Where it is already, its quote stays as it is. */
export function linkItem(
  ctx: Ctx,
  themeId: string,
  itemId: string,
  textExcerpt?: string,
): Promise<{ quote: Quote; isNew: boolean }> {
  return inTransaction(ctx, async (ctx) => {
    const [theme, item] = await openThemeAnd(ctx, themeId, () => holdItem(ctx, itemId))
    const existing = await findQuote(ctx.db, ctx.actor.projectId, theme.id, item.id)
    const quote = existing ?? (await addQuote(ctx, theme, item, textExcerpt ?? excerptOf(item.markdownContent)))
    await refreshItemStatuses(ctx, [item.id])
    return { quote, isNew: existing === undefined }
  })
}

export function unlinkItem(ctx: Ctx, themeId: string, itemId: string): Promise<Quote> {
  return inTransaction(ctx, async (ctx) => {
    const [theme, quote] = await openThemeAnd(ctx, themeId, ({ id }) => loadQuote(ctx, id, itemId))
    await lockItems(ctx.db, ctx.actor.projectId, [quote.feedbackItemId])
    await dropQuote(ctx, theme, quote)
    await refreshItemStatuses(ctx, [quote.feedbackItemId])
    return quote
  })
}

/** Takes an item from one theme to another with its words; where it is in the other already, that quote stays. */
export function moveQuote(ctx: Ctx, fromThemeId: string, toThemeId: string, itemId: string): Promise<Quote> {
  return inTransaction(ctx, async (ctx) => {
    const [from, to] = await openBoth(ctx, fromThemeId, toThemeId)
    const quote = await loadQuote(ctx, from.id, itemId)
    if (from.id === to.id) return quote
    const item = await holdItem(ctx, quote.feedbackItemId)
    await dropQuote(ctx, from, quote)
    const moved =
      (await findQuote(ctx.db, ctx.actor.projectId, to.id, item.id)) ??
      (await addQuote(ctx, to, item, quote.textExcerpt))
    await refreshItemStatuses(ctx, [item.id])
    return moved
  })
}

/** In the order of their ids: two who move quotes the other way round must not wait for each other. */
async function openBoth(ctx: Ctx & { db: Tx }, fromId: string, toId: string): Promise<[Theme, Theme]> {
  const locked = new Map<string, Theme>()
  for (const id of [fromId.toLowerCase(), toId.toLowerCase()].sort()) {
    const theme = await lockTheme(ctx.db, ctx.actor.projectId, id)
    if (!theme) throw notFound('theme', id)
    locked.set(id, theme)
  }
  authorizeWrite(ctx.actor)
  return [locked.get(fromId.toLowerCase())!, locked.get(toId.toLowerCase())!]
}

async function holdItem(ctx: Ctx & { db: Tx }, id: string): Promise<FeedbackItem> {
  const item = await lockItem(ctx.db, ctx.actor.projectId, id)
  if (item) return item
  const pointer = '/feedback_item_id'
  await holdResource(ctx, { resourceType: 'feedback_item', resourceId: id }, pointer)
  throw notFound('feedback item', id)
}

async function loadQuote(ctx: Ctx & { db: Tx }, themeId: string, itemId: string): Promise<Quote> {
  const quote = await findQuote(ctx.db, ctx.actor.projectId, themeId, itemId)
  if (!quote)
    throw new AppError(
      404,
      'not_found',
      `The feedback item "${itemId}" is not linked to this theme. Read the item: its "connectedContext" lists its themes.`,
    )
  return quote
}

async function addQuote(ctx: Ctx & { db: Tx }, theme: Theme, item: FeedbackItem, textExcerpt: string): Promise<Quote> {
  const { projectId, origin } = ctx.actor
  const byPerson = isPerson(ctx.actor)
  const draft = { id: uuidv7(), themeId: theme.id, itemId: item.id, textExcerpt, origin, byPerson }
  const quote = await insertQuote(ctx.db, projectId, draft)
  await touchTheme(ctx.db, projectId, theme.id, byPerson)
  await recordEvent(ctx, quoteEvent('theme.feedback_linked', quote))
  return quote
}

async function dropQuote(ctx: Ctx & { db: Tx }, theme: Theme, quote: Quote): Promise<void> {
  const { projectId } = ctx.actor
  await deleteQuote(ctx.db, projectId, quote)
  await touchTheme(ctx.db, projectId, theme.id, isPerson(ctx.actor))
  await recordEvent(ctx, quoteEvent('theme.feedback_unlinked', quote))
}

const quoteEvent = (kind: string, quote: Quote) => ({
  kind,
  subjectType: 'theme',
  subjectId: quote.themeId,
  payload: { feedback_item_id: quote.feedbackItemId, quote_id: quote.id },
})
