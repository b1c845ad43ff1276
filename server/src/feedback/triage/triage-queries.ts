import { FEATURES_VERSION, type Features, READ_CHARACTERS } from '../../engines/meaning/features.ts'
import { type Db, json, type Tx } from '../../kernel/database/index.ts'

/** Serializes the decisions about a project on all nodes: two at once could open two themes for the same thing. */
export const lockTriage = (db: Tx, projectId: string) =>
  db`select pg_advisory_xact_lock(hashtextextended(${`triage ${projectId}`}, 0))`

export interface ThemeMark {
  id: string
  themeNumber: number
  title: string
  updatedAt: string
}

/** Returns the themes changed since then, or all. */
export const listThemeMarks = (db: Db, projectId: string, since: string = '-infinity') => db<ThemeMark[]>`
  select id, theme_number as "themeNumber", title, updated_at as "updatedAt" from themes
  where project_id = ${projectId} and updated_at >= ${since}::timestamptz`

/** Returns those of the themes that have no quotes. */
export const listEmptyThemes = (db: Db, projectId: string, ids: string[]) => db<Omit<ThemeMark, 'updatedAt'>[]>`
  select id, theme_number as "themeNumber", title from themes
  where project_id = ${projectId} and id = any(${ids}::uuid[]) and quote_count = 0`

export const countThemes = (db: Db, projectId: string) =>
  db<{ count: number }[]>`select count(*)::int as count from themes where project_id = ${projectId}`.map(
    ([row]) => row!.count,
  )

export interface Placed {
  itemId: string
  themeId: string
  isPinned: boolean
}

export const listPlaced = (db: Db, projectId: string, themeIds: string[]) => db<Placed[]>`
  select feedback_item_id as "itemId", theme_id as "themeId", pinned_at is not null as "isPinned" from quotes
  where project_id = ${projectId} and theme_id = any(${themeIds}::uuid[]) order by id`

export async function readFeatures(db: Db, projectId: string, itemIds: string[]): Promise<Map<string, Features>> {
  const rows = await db<{ id: string; meaning: Buffer; terms: string[] }[]>`
    select feedback_item_id as id, meaning, terms from triage_features
    where project_id = ${projectId} and feedback_item_id = any(${itemIds}::uuid[]) and version = ${FEATURES_VERSION}`
  return new Map(rows.map(({ id, meaning, terms }) => [id, { meaning: new Int8Array(meaning), terms }]))
}

/** Returns those without features, cut to the length that is read. */
export const listUnreadTexts = (db: Db, projectId: string, itemIds: string[]) => db<{ id: string; text: string }[]>`
  select i.id, left(i.markdown_content, ${READ_CHARACTERS}) as text from feedback_items i
  where i.project_id = ${projectId} and i.id = any(${itemIds}::uuid[]) and not exists (
    select 1 from triage_features f
    where f.project_id = i.project_id and f.feedback_item_id = i.id and f.version = ${FEATURES_VERSION})`

/** Writes in the order of ids, so two callers that store the same items cannot deadlock. */
export function storeFeatures(db: Db, projectId: string, features: (Features & { itemId: string })[]) {
  const rows = features.map(({ itemId, meaning, terms }) => ({
    id: itemId,
    meaning: Buffer.from(meaning.buffer).toString('base64'),
    terms,
  }))
  return db`
    insert into triage_features (project_id, feedback_item_id, version, meaning, terms)
    select ${projectId}, f.id, ${FEATURES_VERSION}, decode(f.meaning, 'base64'), f.terms
    from jsonb_to_recordset(${json(rows)}) as f (id uuid, meaning text, terms text[]) order by f.id
    on conflict (project_id, feedback_item_id) do update
      set version = excluded.version, meaning = excluded.meaning, terms = excluded.terms`
}

/** Counts one more sorted item. Returns how many have been sorted since the last regrouping. */
export async function countSorted(db: Db, projectId: string): Promise<number> {
  const [row] = await db<{ sortedSince: number }[]>`
    insert into triage_progress as p (project_id, sorted_since) values (${projectId}, 1)
    on conflict (project_id) do update set sorted_since = p.sorted_since + 1
    returning sorted_since as "sortedSince"`
  return row!.sortedSince
}

/** Resets the counter and returns its value. */
export async function takeSorted(db: Tx, projectId: string): Promise<number> {
  const [row] = await db<{ sortedSince: number }[]>`
    select sorted_since as "sortedSince" from triage_progress where project_id = ${projectId} for update`
  await db`update triage_progress set sorted_since = 0 where project_id = ${projectId}`
  return row?.sortedSince ?? 0
}

export interface Free extends Placed {
  quoteId: string
}

/**
 * Returns the items that may be regrouped: their only quote was made by triage, in a theme that triage made and that
 * nobody has changed or connected since. Newest first.
 */
export const listFree = (db: Db, projectId: string, limit: number) => db<Free[]>`
  select q.id as "quoteId", q.feedback_item_id as "itemId", q.theme_id as "themeId", false as "isPinned"
  from quotes q join themes t on t.project_id = q.project_id and t.id = q.theme_id
  where q.project_id = ${projectId} and q.pinned_at is null and q.origin in ('automation', 'system') and ${isFree(db)}
    and not exists (select 1 from quotes o
      where o.project_id = q.project_id and o.feedback_item_id = q.feedback_item_id and o.id <> q.id)
  order by q.id desc limit ${limit}`

/** Locks the themes in order and returns those that may still be changed. */
export async function lockFreeThemes(db: Tx, projectId: string, ids: string[]): Promise<Set<string>> {
  const rows = await db<{ id: string; free: boolean }[]>`
    select t.id, ${isFree(db)} as free from themes t
    where t.project_id = ${projectId} and t.id = any(${ids}::uuid[]) order by t.id for update`
  return new Set(rows.filter((row) => row.free).map((row) => row.id))
}

const isFree = (db: Db) => db`(t.pinned_at is null and t.origin in ('automation', 'system')
  and t.status = 'unresolved' and t.assignee_id is null and t.feature_id is null
  and not exists (select 1 from context_links l where l.project_id = t.project_id and l.from_id = t.id))`

export interface Move {
  quoteId: string
  to: string
}

/** Returns the moved quotes and where they were. */
export async function moveFreeQuotes(db: Tx, projectId: string, moves: Move[]) {
  const moved = await db<{ quoteId: string; itemId: string; from: string; to: string }[]>`
    update quotes q set theme_id = m.to_id
    from (select q.id, q.theme_id as from_id, m.to_id
      from jsonb_to_recordset(${json(moves.map((one) => ({ id: one.quoteId, to_id: one.to })))})
        as m (id uuid, to_id uuid)
      join quotes q on q.project_id = ${projectId} and q.id = m.id
      where q.pinned_at is null) m
    where q.project_id = ${projectId} and q.id = m.id
    returning q.id as "quoteId", q.feedback_item_id as "itemId", m.from_id as "from", m.to_id as "to"`
  const touched = [...new Set(moved.flatMap(({ from, to }) => [from, to]))]
  await db`update themes t set
      quote_count = (select count(*) from quotes q where q.project_id = t.project_id and q.theme_id = t.id),
      updated_at = greatest(now(), t.updated_at + interval '1 millisecond')
    where t.project_id = ${projectId} and t.id = any(${touched}::uuid[])`
  return moved
}
