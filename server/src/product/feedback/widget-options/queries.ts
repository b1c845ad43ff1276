import type { Db, Tx } from '../../../kernel/database/index.ts'
import { DEFAULT_OPTIONS, type WidgetOptions } from './widget-options.ts'

export async function findWidgetOptions(db: Db, projectId: string): Promise<WidgetOptions> {
  const [row] = await db<WidgetOptions[]>`select label, position, accent, theme, screenshots from widget_options
    where project_id = ${projectId}`
  return row ?? DEFAULT_OPTIONS
}

/** Locks them too: a project has no row before its first choice. */
export async function lockWidgetOptions(db: Tx, projectId: string): Promise<WidgetOptions> {
  const [row] = await db<WidgetOptions[]>`
    insert into widget_options (project_id, label, position, accent, theme, screenshots)
    values (${projectId}, ${DEFAULT_OPTIONS.label}, ${DEFAULT_OPTIONS.position}, ${DEFAULT_OPTIONS.accent},
      ${DEFAULT_OPTIONS.theme}, ${DEFAULT_OPTIONS.screenshots})
    on conflict (project_id) do update set project_id = excluded.project_id
    returning label, position, accent, theme, screenshots`
  return row!
}

export const updateWidgetOptions = (db: Tx, projectId: string, options: WidgetOptions) => db`
  update widget_options set label = ${options.label}, position = ${options.position}, accent = ${options.accent},
    theme = ${options.theme}, screenshots = ${options.screenshots}
  where project_id = ${projectId}`
