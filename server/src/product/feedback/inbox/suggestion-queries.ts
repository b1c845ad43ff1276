import { FEATURES_VERSION } from '../../../engines/meaning/features.ts'
import { type Db, json } from '../../../kernel/database/index.ts'
import type { StoredReading } from '../triage/triage-queries.ts'

export interface Suggestion {
  itemId: string
  themes: { theme_id: string; score: number; is_near: boolean; shared: string[]; excerpt: string }[]
  similar: { item_id: string; score: number }[]
}

/** A request that nothing came of is repeated after this long. */
const REPEATED_AFTER_S = 60

/** Notes that somebody waits for suggestions. Returns the items for which nobody has asked in the last minute. */
export const requestSuggestions = (db: Db, projectId: string, itemIds: string[]) =>
  db<{ id: string }[]>`
  insert into feedback_suggestions as s (project_id, feedback_item_id, requested_at)
  select ${projectId}, id, now() from unnest(${itemIds}::uuid[]) as i (id) order by id
  on conflict (project_id, feedback_item_id) do update set requested_at = excluded.requested_at
    where s.requested_at < now() - ${REPEATED_AFTER_S}::int * interval '1 second'
      or s.computed_at >= s.requested_at
  returning s.feedback_item_id as id`.map((rows) => rows.map((one) => one.id))

export const storeSuggestions = (db: Db, projectId: string, suggestions: Suggestion[]) => db`
  insert into feedback_suggestions (project_id, feedback_item_id, requested_at, computed_at, themes, similar_items)
  select ${projectId}, r."itemId", now(), clock_timestamp(), r.themes, r."similar"
  from jsonb_to_recordset(${json(suggestions)}) as r ("itemId" uuid, themes jsonb, "similar" jsonb) order by r."itemId"
  on conflict (project_id, feedback_item_id) do update set computed_at = excluded.computed_at,
    themes = excluded.themes, similar_items = excluded.similar_items`

/** What triage has read of them already. */
export const listReadings = (db: Db, projectId: string, itemIds: string[]) => db<StoredReading[]>`
  select feedback_item_id as "itemId", encoder, verdict, matters from triage_readings
  where project_id = ${projectId} and feedback_item_id = any(${itemIds}::uuid[]) and version = ${FEATURES_VERSION}`
