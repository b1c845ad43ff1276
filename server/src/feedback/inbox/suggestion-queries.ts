import { FEATURES_VERSION } from '../../engines/meaning/features.ts'
import { type Db, json } from '../../kernel/database/index.ts'
import type { StoredReading } from '../triage/triage-queries.ts'

export interface Suggestion {
  itemId: string
  themes: { theme_id: string; score: number; is_near: boolean; shared: string[]; excerpt: string }[]
  similar: { item_id: string; score: number }[]
}

export const storeSuggestions = (db: Db, projectId: string, suggestions: Suggestion[]) => db`
  insert into feedback_suggestions (project_id, feedback_item_id, computed_at, themes, similar_items)
  select ${projectId}, r."itemId", clock_timestamp(), r.themes, r."similar"
  from jsonb_to_recordset(${json(suggestions)}) as r ("itemId" uuid, themes jsonb, "similar" jsonb) order by r."itemId"
  on conflict (project_id, feedback_item_id) do update set computed_at = excluded.computed_at,
    themes = excluded.themes, similar_items = excluded.similar_items`

/** What triage has read of them already. */
export const listReadings = (db: Db, projectId: string, itemIds: string[]) => db<StoredReading[]>`
  select feedback_item_id as "itemId", encoder, verdict, matters from triage_readings
  where project_id = ${projectId} and feedback_item_id = any(${itemIds}::uuid[]) and version = ${FEATURES_VERSION}`
