import type { Db } from '../../kernel/database/index.ts'
import { ITEMS, PROCESSED } from './items/item-queries.ts'

export interface FeedbackCounts {
  items: number
  toProcess: number
  themes: number
  /** Neither resolved nor dismissed. */
  openThemes: number
}

/** Reports come in hundreds of thousands, so their numbers are kept; themes are few and counted. */
export function countFeedback(db: Db, projectId: string) {
  const live = (name: string) =>
    db`coalesce((select live from counters where project_id = ${projectId} and name = ${name}), 0)`
  return db<FeedbackCounts[]>`select ${live(ITEMS)} as items,
    ${live(ITEMS)} - ${live(PROCESSED)} as "toProcess", count(*)::int as themes,
    (count(*) filter (where status in ('unresolved', 'in_progress')))::int as "openThemes"
    from themes where project_id = ${projectId}`.map(([counts]) => counts!)
}
