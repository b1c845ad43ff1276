import type { Ctx, TxCtx } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { refuseStale } from '../../../kernel/http/answers/etag.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { representTheme } from '../representation.ts'
import type { Theme } from './theme.ts'
import { findTheme, lockTheme } from './theme-queries.ts'

export async function loadTheme(ctx: Ctx, id: string): Promise<Theme> {
  const theme = await findTheme(ctx.db, ctx.actor.projectId, id)
  if (!theme) throw notFound('theme', id)
  return theme
}

/** Loads, locks and authorizes a theme and checks `If-Match`. Every write to one theme starts with this. */
export async function openTheme(ctx: TxCtx, id: string): Promise<Theme> {
  const [theme] = await openThemeAnd(ctx, id, async () => undefined)
  return theme
}

/**
 * Like `openTheme`, for requests that name a second resource. If that is missing, the answer is 404 before `If-Match`
 * is checked.
 */
export async function openThemeAnd<T>(
  ctx: TxCtx,
  id: string,
  holdOther: (theme: Theme) => Promise<T>,
): Promise<[Theme, T]> {
  const theme = await lockTheme(ctx.db, ctx.actor.projectId, id)
  if (!theme) throw notFound('theme', id)
  authorizeWrite(ctx.actor)
  const other = await holdOther(theme)
  refuseStale(ctx.ifMatch, () => representTheme(theme).etag)
  return [theme, other]
}

/** Locks in the order of ids, so two callers that move quotes in opposite directions cannot deadlock. */
export async function openBothThemes(ctx: TxCtx, fromId: string, toId: string): Promise<[Theme, Theme]> {
  const locked = new Map<string, Theme>()
  for (const id of [fromId.toLowerCase(), toId.toLowerCase()].sort()) {
    const theme = await lockTheme(ctx.db, ctx.actor.projectId, id)
    if (!theme) throw notFound('theme', id)
    locked.set(id, theme)
  }
  authorizeWrite(ctx.actor)
  return [locked.get(fromId.toLowerCase())!, locked.get(toId.toLowerCase())!]
}
