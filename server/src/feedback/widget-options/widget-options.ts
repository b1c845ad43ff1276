import type { Ctx } from '../../kernel/context.ts'
import { type Db, inTransaction } from '../../kernel/database/index.ts'
import { recordEvent } from '../../kernel/events.ts'
import { authorizeWrite } from '../../projects/index.ts'

export const POSITIONS = ['right', 'left'] as const
export const WIDGET_THEMES = ['auto', 'light', 'dark'] as const

/** How the widget looks on the pages of a project. */
export interface WidgetOptions {
  label: string
  position: (typeof POSITIONS)[number]
  /** Null for the color of Slipway. */
  accent: string | null
  theme: (typeof WIDGET_THEMES)[number]
  /** Whether people can attach pictures. */
  screenshots: boolean
}

export const DEFAULT_OPTIONS: WidgetOptions = {
  label: 'Feedback',
  position: 'right',
  accent: null,
  theme: 'auto',
  screenshots: true,
}

export async function findWidgetOptions(db: Db, projectId: string): Promise<WidgetOptions> {
  const [row] = await db<WidgetOptions[]>`select label, position, accent, theme, screenshots from widget_options
    where project_id = ${projectId}`
  return row ?? DEFAULT_OPTIONS
}

/** Changes only what is given. */
export function setWidgetOptions(ctx: Ctx, change: Partial<WidgetOptions>): Promise<WidgetOptions> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    await ctx.db`insert into widget_options (project_id, label, position, accent, theme, screenshots)
      values (${projectId}, ${DEFAULT_OPTIONS.label}, ${DEFAULT_OPTIONS.position}, ${DEFAULT_OPTIONS.accent},
        ${DEFAULT_OPTIONS.theme}, ${DEFAULT_OPTIONS.screenshots})
      on conflict (project_id) do update set project_id = excluded.project_id`
    const options = { ...(await findWidgetOptions(ctx.db, projectId)), ...change }
    await ctx.db`update widget_options set label = ${options.label}, position = ${options.position},
      accent = ${options.accent}, theme = ${options.theme}, screenshots = ${options.screenshots}
      where project_id = ${projectId}`
    const payload = { fields: Object.keys(change) }
    await recordEvent(ctx, { kind: 'project.widget_changed', subjectType: 'project', subjectId: projectId, payload })
    return options
  })
}
