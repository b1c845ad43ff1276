import type { Restorable } from '../../../kernel/context.ts'
import { recordEvent } from '../../../kernel/events.ts'
import { lockLinks } from '../../links/index.ts'
import { adjustLive } from '../../projects/index.ts'
import { themeEvents } from '../events.ts'
import { lockItems } from '../items/item-queries.ts'
import { refreshItemStatuses } from '../items/items.ts'
import { loadTheme, openTheme } from './open-theme.ts'
import { listQuotedItems } from './quote-queries.ts'
import { recountTheme, THEMES } from './theme-queries.ts'

/** With its quotes and links. Its items are in it again. */
export const restorableTheme: Restorable = {
  root: 'resources',
  async together(ctx, id) {
    await lockLinks(ctx.db, ctx.actor.projectId)
    return [(await openTheme(ctx, id)).id]
  },
  async restored(ctx, [id]) {
    const { projectId } = ctx.actor
    await recountTheme(ctx.db, projectId, id!)
    await adjustLive(ctx.db, projectId, THEMES, 1)
    const items = await listQuotedItems(ctx.db, projectId, id!)
    await lockItems(ctx.db, projectId, items)
    await refreshItemStatuses(ctx, items)
    const { themeNumber, title } = await loadTheme(ctx, id!)
    const payload = { theme_number: themeNumber, title }
    await recordEvent(ctx, themeEvents.restored(id!, payload))
  },
}
