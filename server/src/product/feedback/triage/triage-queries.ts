import { FEATURES_VERSION } from '../../../engines/meaning/features.ts'
import { type Db, json, sendTogether, type Tx } from '../../../kernel/database/index.ts'
import type { Priority } from '../../work-orders/index.ts'
import type { ThemeStatus, ThemeType } from '../themes/theme.ts'
import type { ItemReading, Matter, Verdict } from './reading.ts'

/** The number of characters that are read. The rest of a longer text is ignored. */
const READ_CHARACTERS = 4_000

/** Serializes the decisions about a project on all nodes: two at once could open two themes for the same thing. */
export const lockTriage = (db: Tx, projectId: string) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`triage ${projectId}`}, 0))`

export interface ThemeMark {
  id: string
  themeNumber: number
  title: string
  type: ThemeType
  priority: Priority
  updatedAt: string
}

export const listThemeMarks = (db: Db, projectId: string) => db<ThemeMark[]>`
  select id, theme_number as "themeNumber", title, type, priority, updated_at as "updatedAt" from themes
  where project_id = ${projectId}`

export interface Placed {
  itemId: string
  themeId: string
  isPinned: boolean
  /** Null if a person linked the item: then all its matters count. */
  matter: number | null
  /** Null if the item has not been read yet. */
  encoder: string | null
  matters: Matter[]
}

export const listPlaced = (db: Db, projectId: string, themeIds: string[]) => db<Placed[]>`
  select a.feedback_item_id as "itemId", a.theme_id as "themeId", a.pinned_at is not null as "isPinned", a.matter,
    r.encoder, coalesce(r.matters, '[]') as matters
  from quotes a ${withReading(db)}
  where a.project_id = ${projectId} and a.theme_id = any(${themeIds}::uuid[]) order by a.id`

/** The newest quotes of a theme that were read, each with the matter that it is about. */
export const listReadQuotes = (db: Db, projectId: string, themeId: string, limit: number) => db<
  { itemId: string; encoder: string; matter: Matter }[]
>`select q.feedback_item_id as "itemId", r.encoder, r.matters->coalesce(q.matter, 0)::int as matter
  from (select * from quotes where project_id = ${projectId} and theme_id = ${themeId}
    order by reported_at desc, id desc limit ${limit}) q
  join triage_readings r on r.project_id = q.project_id and r.feedback_item_id = q.feedback_item_id
    and r.version = ${FEATURES_VERSION} and jsonb_array_length(r.matters) > coalesce(q.matter, 0)
  order by q.reported_at desc, q.id desc`

/** What a person taught: texts like this do not belong to the theme; without a theme, they are not feedback. */
export interface Lesson {
  themeId: string | null
  matters: Matter[]
}

/** The newest, because what people decided last is what they want now. */
export const listLessons = (db: Db, projectId: string, limit: number) => db<Lesson[]>`
  select a.theme_id as "themeId", coalesce(r.matters, '[]') as matters
  from triage_lessons a ${withReading(db)}
  where a.project_id = ${projectId} order by a.created_at desc limit ${limit}`

const withReading = (db: Db) => db`left join triage_readings r
  on r.project_id = a.project_id and r.feedback_item_id = a.feedback_item_id and r.version = ${FEATURES_VERSION}`

export interface StoredReading extends ItemReading {
  itemId: string
  encoder: string
}

/** Cut to the length that is read. */
export const listTexts = (db: Db, projectId: string, itemIds: string[]) => db<{ id: string; text: string }[]>`
  select id, left(markdown_content, ${READ_CHARACTERS}) as text from feedback_items
  where project_id = ${projectId} and id = any(${itemIds}::uuid[])`

/** Writes in the order of ids, so two callers that store the same items cannot deadlock. */
export function storeReadings(db: Db, projectId: string, readings: StoredReading[]) {
  const rows = readings.map(({ itemId, ...reading }) => ({ id: itemId, ...reading }))
  return db`
    insert into triage_readings (project_id, feedback_item_id, version, encoder, verdict, matters)
    select ${projectId}, r.id, ${FEATURES_VERSION}, r.encoder, r.verdict, r.matters
    from jsonb_to_recordset(${json(rows)}) as r (id uuid, encoder text, verdict text, matters jsonb) order by r.id
    on conflict (project_id, feedback_item_id) do update
      set version = excluded.version, encoder = excluded.encoder, verdict = excluded.verdict, matters = excluded.matters`
}

/** Notes for triage which matter a quote is about and why it is there. */
export const setQuoteReason = (db: Tx, projectId: string, quotes: { id: string; matter: number; reason: string }[]) =>
  db`update quotes q set matter = r.matter, reason = r.reason
    from jsonb_to_recordset(${json(quotes)}) as r (id uuid, matter smallint, reason text)
    where q.project_id = ${projectId} and q.id = r.id`

export interface Free {
  quoteId: string
  itemId: string
  feedbackNumber: number
  themeId: string
  matter: number
}

/**
 * Returns the quotes that may be regrouped: triage made them, in a theme that triage made and that nobody has changed
 * or connected since. Those of the themes that changed last.
 */
export const listFree = (db: Db, projectId: string, limit: number) => db<Free[]>`
  select q.id as "quoteId", i.id as "itemId", i.feedback_number as "feedbackNumber", t.id as "themeId",
    coalesce(q.matter, 0) as matter
  from quotes q join themes t on t.project_id = q.project_id and t.id = q.theme_id
    join feedback_items i on i.project_id = q.project_id and i.id = q.feedback_item_id
  where q.project_id = ${projectId} and q.pinned_at is null and q.origin in ('automation', 'system') and ${isFree(db)}
  order by t.updated_at desc, t.id, q.id limit ${limit}`

/** Locks the themes in order and returns how many may still be changed. */
export async function lockFreeThemes(db: Tx, projectId: string, ids: string[]): Promise<number> {
  const rows = await db<{ isFree: boolean }[]>`
    select ${isFree(db)} as "isFree" from themes t
    where t.project_id = ${projectId} and t.id = any(${ids}::uuid[]) order by t.id for update`
  return rows.filter((row) => row.isFree).length
}

const isFree = (db: Db) => db`(t.pinned_at is null and t.origin in ('automation', 'system')
  and t.status = 'unresolved' and t.assignee_id is null and t.feature_id is null
  and not exists (select 1 from context_links l where l.project_id = t.project_id and l.from_id = t.id))`

/**
 * Moves quotes to a theme and returns which. Those whose item is there already end instead: an item has one quote in a
 * theme.
 */
export async function moveQuotes(db: Tx, projectId: string, quoteIds: string[], themeId: string): Promise<Set<string>> {
  const chosen = db`q.project_id = ${projectId} and q.id = any(${quoteIds}::uuid[])`
  await db`delete from quotes q where ${chosen} and exists (select 1 from quotes o
    where o.project_id = q.project_id and o.feedback_item_id = q.feedback_item_id
      and (o.theme_id = ${themeId} or (o.id < q.id and o.id = any(${quoteIds}::uuid[]))))`
  const moved = await db<{ id: string }[]>`update quotes q set theme_id = ${themeId} where ${chosen} returning q.id`
  return new Set(moved.map((one) => one.id))
}

/** Counts the quotes of themes again and returns the themes that have none. */
export async function recountQuotes(db: Tx, projectId: string, themeIds: string[]) {
  const rows = await db<(Pick<ThemeMark, 'id' | 'themeNumber' | 'title'> & { quoteCount: number })[]>`
    update themes t set
      quote_count = (select count(*) from quotes q where q.project_id = t.project_id and q.theme_id = t.id),
      updated_at = greatest(now(), t.updated_at + interval '1 millisecond')
    where t.project_id = ${projectId} and t.id = any(${themeIds}::uuid[])
    returning id, theme_number as "themeNumber", title, quote_count as "quoteCount"`
  return rows.filter((row) => row.quoteCount === 0)
}

interface SortedQuote {
  themeId: string
  themeNumber: number
  title: string
  status: ThemeStatus
  textExcerpt: string
  reason: string | null
  isPinned: boolean
}

/** Where an item is now, and why. */
export async function findSorting(db: Db, projectId: string, itemId: string) {
  const [read, quotes] = await sendTogether([
    db<{ verdict: Verdict }[]>`select verdict from triage_readings
      where project_id = ${projectId} and feedback_item_id = ${itemId}`,
    db<SortedQuote[]>`
      select t.id as "themeId", t.theme_number as "themeNumber", t.title, t.status, q.text_excerpt as "textExcerpt",
        q.reason,
        q.pinned_at is not null as "isPinned"
      from quotes q join themes t on t.project_id = q.project_id and t.id = q.theme_id
      where q.project_id = ${projectId} and q.feedback_item_id = ${itemId} order by q.id`,
  ])
  return { verdict: read[0]?.verdict ?? null, quotes }
}

export interface ThemeEvent {
  kind: string
  createdAt: string
  payload: { theme_id?: string; theme_number?: number; title?: string; reason?: string }
}

/** How a theme came to be what it is, oldest first. */
export const listThemeHistory = (db: Db, projectId: string, themeId: string) => db<ThemeEvent[]>`
  select kind, created_at as "createdAt", payload from events
  where project_id = ${projectId} and subject_id = ${themeId}
    and kind in ('theme.created', 'theme.merged', 'theme.split', 'theme.merged_undone', 'theme.split_undone')
  order by id limit 500`

/** The reports that nobody has sorted or looked at, oldest first. Those without a matter were looked at. */
export const listUnsorted = (db: Db, projectId: string, limit: number) => db<{ id: string; feedbackNumber: number }[]>`
  select i.id, i.feedback_number as "feedbackNumber" ${fromUnsorted(db, projectId)}
  order by i.feedback_number limit ${limit}`

export const countUnsorted = (db: Db, projectId: string) =>
  db<{ count: number }[]>`select count(*)::int as count ${fromUnsorted(db, projectId)}`.map(([row]) => row!.count)

const fromUnsorted = (db: Db, projectId: string) => db`from feedback_items i
  where i.project_id = ${projectId} and i.status = 'to_process' and not exists (
    select 1 from triage_readings r where r.project_id = i.project_id and r.feedback_item_id = i.id)`
