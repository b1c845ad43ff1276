import type { Db } from '../../../kernel/database/index.ts'
import type { Quote } from './theme.ts'
import { touching } from './theme-queries.ts'

const columns = (db: Db) => db`
  q.id, q.theme_id as "themeId", q.feedback_item_id as "feedbackItemId", q.text_excerpt as "textExcerpt", q.origin,
  q.pinned_at as "pinnedAt", q.created_at as "createdAt"`

export const findQuote = (db: Db, projectId: string, themeId: string, itemId: string) =>
  db<Quote[]>`select ${columns(db)} from quotes q
    where q.project_id = ${projectId} and q.theme_id = ${themeId} and q.feedback_item_id = ${itemId}`.map(
    ([quote]) => quote,
  )

/** Oldest first. */
export const listThemeQuotes = (db: Db, projectId: string, themeId: string, limit: number, offset = 0) => db<Quote[]>`
  select ${columns(db)} from quotes q where q.project_id = ${projectId} and q.theme_id = ${themeId}
  order by q.id limit ${limit} offset ${offset}`

export async function listQuotedItems(db: Db, projectId: string, themeId: string): Promise<string[]> {
  const rows = await db<{ id: string }[]>`
    select feedback_item_id as id from quotes where project_id = ${projectId} and theme_id = ${themeId}`
  return rows.map((row) => row.id)
}

interface NewQuote {
  id: string
  themeId: string
  itemId: string
  textExcerpt: string
  origin: string
  byPerson: boolean
}

/** Also updates the theme's count and its time of change. The caller holds the theme's lock. */
export const insertQuote = (db: Db, projectId: string, quote: NewQuote) =>
  db<Quote[]>`
    with counted as (
      update themes set quote_count = quote_count + 1, ${touching(db, quote.byPerson)}
      where project_id = ${projectId} and id = ${quote.themeId}
    )
    insert into quotes as q (project_id, id, theme_id, feedback_item_id, text_excerpt, origin, pinned_at, created_at)
    values (${projectId}, ${quote.id}, ${quote.themeId}, ${quote.itemId}, ${quote.textExcerpt}, ${quote.origin},
      case when ${quote.byPerson}::boolean then now() end, now())
    returning ${columns(db)}`.map(([row]) => row!)

/** Undoes `insertQuote`. */
export const deleteQuote = (db: Db, projectId: string, { id, themeId }: Quote, byPerson: boolean) =>
  db`
    with gone as (delete from quotes where project_id = ${projectId} and id = ${id} returning 1)
    update themes set quote_count = quote_count - (select count(*) from gone), ${touching(db, byPerson)}
    where project_id = ${projectId} and id = ${themeId}`
