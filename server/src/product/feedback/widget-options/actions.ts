import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { authorizeWrite } from '../../projects/index.ts'
import { feedbackOfProjectEvents } from '../events.ts'
import { lockWidgetOptions, updateWidgetOptions } from './queries.ts'
import type { WidgetOptions } from './widget-options.ts'

/** Changes only what is given. */
export function setWidgetOptions(ctx: Ctx, change: Partial<WidgetOptions>): Promise<WidgetOptions> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    const options = { ...(await lockWidgetOptions(ctx.db, projectId)), ...change }
    await updateWidgetOptions(ctx.db, projectId, options)
    const payload = { fields: Object.keys(change) }
    await recordEvent(ctx, feedbackOfProjectEvents.widget_changed(projectId, payload))
    return options
  })
}
