import type { Db, Tx } from '../../../kernel/database/index.ts'
import type { Quote } from '../themes/theme.ts'

export const REGROUPINGS = ['merged', 'split', 'moved', 'deleted'] as const

export interface Regrouping {
  id: string
  kind: (typeof REGROUPINGS)[number]
  fromThemeId: string
  intoThemeId: string
  /** What `keepRows` read before the change. */
  kept: string
  connectedIds: string[]
}

export const insertRegrouping = (db: Tx, projectId: string, one: Regrouping) => db`
  insert into theme_regroupings (project_id, id, kind, from_theme_id, into_theme_id, kept, connected_ids)
  values (${projectId}, ${one.id}, ${one.kind}, ${one.fromThemeId}, ${one.intoThemeId}, ${one.kept},
    ${one.connectedIds}::uuid[])`

/** Locked, so that it is undone once. */
export async function lockRegrouping(db: Tx, projectId: string, id: string): Promise<Regrouping | undefined> {
  const [row] = await db<Regrouping[]>`
    select id, kind, from_theme_id as "fromThemeId", into_theme_id as "intoThemeId", kept, connected_ids as "connectedIds"
    from theme_regroupings where project_id = ${projectId} and id = ${id} for update`
  return row
}

export const deleteRegrouping = (db: Tx, projectId: string, id: string) =>
  db`delete from theme_regroupings where project_id = ${projectId} and id = ${id}`

export const UNDO_DAYS = 30

export async function forgetRegroupings(db: Db): Promise<void> {
  await db`delete from theme_regroupings where created_at < now() - make_interval(days => ${UNDO_DAYS})`
}

type Place = Pick<Quote, 'id' | 'themeId' | 'feedbackItemId'>

/** The quotes of a theme, or those of some of its items. */
export const listPlaces = (db: Tx, projectId: string, themeId: string, itemIds: string[] | undefined) => db<Place[]>`
  select q.id, q.theme_id as "themeId", q.feedback_item_id as "feedbackItemId" from quotes q
  where q.project_id = ${projectId} and q.theme_id = ${themeId}
    ${itemIds ? db`and q.feedback_item_id = any(${itemIds}::uuid[])` : db``} order by q.id`

/** Each row as JSON. */
export async function readQuoteRows(db: Tx, projectId: string, ids: string[]): Promise<string[]> {
  const rows = await db<{ row: string }[]>`
    select to_jsonb(q)::text as row from quotes q where q.project_id = ${projectId} and q.id = any(${ids}::uuid[])`
  return rows.map(({ row }) => row)
}

/** The theme that each of these quotes is in now. Those that are gone are not among them. */
export async function findThemesOfQuotes(db: Tx, projectId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await db<{ id: string; themeId: string }[]>`
    select id, theme_id as "themeId" from quotes where project_id = ${projectId} and id = any(${ids}::uuid[])`
  return new Map(rows.map(({ id, themeId }) => [id, themeId]))
}

/** A person chose where these quotes belong, so triage leaves them there. */
export const pinQuotes = (db: Tx, projectId: string, ids: string[]) => db`
  update quotes set pinned_at = coalesce(pinned_at, now()), reason = null
  where project_id = ${projectId} and id = any(${ids}::uuid[])`

/** The same as `learn` for many items: they do not belong to this theme. */
export const learnAll = (db: Tx, projectId: string, itemIds: string[], themeId: string) => db`
  insert into triage_lessons (project_id, feedback_item_id, theme_id, created_at)
  select ${projectId}, id, ${themeId}, now() from unnest(${itemIds}::uuid[]) as i (id)
  on conflict (project_id, feedback_item_id, theme_id) do update set created_at = excluded.created_at`

/** Undoes `learnAll`. */
export const unlearnAll = (db: Tx, projectId: string, itemIds: string[], themeId: string) => db`
  delete from triage_lessons where project_id = ${projectId} and feedback_item_id = any(${itemIds}::uuid[])
    and (theme_id is null or theme_id = ${themeId})`
