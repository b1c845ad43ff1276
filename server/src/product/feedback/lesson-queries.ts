import type { Db } from '../../kernel/database/index.ts'

/** Notes that a person took an item from a theme or, without a theme, that it is not feedback. */
export const learn = (db: Db, projectId: string, itemId: string, themeId: string | null) => db`
  insert into triage_lessons (project_id, feedback_item_id, theme_id, created_at)
  values (${projectId}, ${itemId}, ${themeId}, now())
  on conflict (project_id, feedback_item_id, theme_id) do update set created_at = excluded.created_at`

/** Undoes `learn`. An item that is put into a theme is feedback after all. */
export const unlearn = (db: Db, projectId: string, itemId: string, themeId: string | null) => db`
  delete from triage_lessons
  where project_id = ${projectId} and feedback_item_id = ${itemId} and (theme_id is null or theme_id = ${themeId}::uuid)`
