import type { Ctx } from '../../kernel/context.ts'
import type { Tx } from '../../kernel/database/index.ts'
import { notFound } from '../../kernel/errors.ts'
import { refuseStale } from '../../kernel/http/answers/etag.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { representTheme } from '../representation.ts'
import type { Theme } from './theme.ts'
import { findTheme, lockTheme } from './theme-queries.ts'

export async function loadTheme(ctx: Ctx, id: string): Promise<Theme> {
  const theme = await findTheme(ctx.db, ctx.actor.projectId, id)
  if (!theme) throw notFound('theme', id)
  return theme
}

/** Locks, authorizes and holds against `If-Match`: how every write to one theme begins. */
export async function openTheme(ctx: Ctx & { db: Tx }, id: string): Promise<Theme> {
  const [theme] = await openThemeAnd(ctx, id, async () => undefined)
  return theme
}

/** The same where a request names a second thing: that it is not there is said before `If-Match` is judged. */
export async function openThemeAnd<T>(
  ctx: Ctx & { db: Tx },
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
