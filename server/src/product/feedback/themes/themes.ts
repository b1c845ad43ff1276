import type { Ctx } from '../../../kernel/context.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { recordEvent, recordEvents } from '../../../kernel/events.ts'
import { checkExpected } from '../../../kernel/expected.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { lockLinks, removeResources } from '../../links/index.ts'
import { authorizeWrite, releaseNumbers } from '../../projects/index.ts'
import { themeEvents } from '../events.ts'
import { lockItems } from '../items/item-queries.ts'
import { refreshItemStatuses } from '../items/items.ts'
import { isPerson, refuseToTouch } from '../policy.ts'
import { connectFeature, holdFeature } from './connections.ts'
import { loadTheme, openTheme } from './open-theme.ts'
import { listQuotedItems } from './quote-queries.ts'
import type { NewTheme, Theme, ThemeValues } from './theme.ts'
import * as queries from './theme-queries.ts'

export function createTheme(ctx: Ctx, values: NewTheme, featureId: string | null = null): Promise<Theme> {
  authorizeWrite(ctx.actor)
  return inTransaction(ctx, async (ctx) => {
    const { projectId, origin } = ctx.actor
    if (featureId !== null) await lockLinks(ctx.db, projectId)
    const id = uuidv7()
    const defaults = { description: '', markdownContent: '', status: 'unresolved' as const }
    const theme = { ...defaults, ...values, id, origin, byPerson: isPerson(ctx.actor) }
    const themeNumber = await queries.insertTheme(ctx.db, projectId, theme)
    if (featureId !== null) await connectFeature(ctx, id, null, await holdFeature(ctx, featureId))
    await recordEvent(ctx, themeEvents.created(id, { theme_number: themeNumber, title: values.title }))
    return loadTheme(ctx, id)
  })
}

interface SeenTexts {
  title?: string | undefined
  description?: string | undefined
}

/** Changes only what is given, and no text that is not as it was `seen`. */
export function changeTheme(ctx: Ctx, id: string, change: Partial<ThemeValues>, seen: SeenTexts = {}): Promise<Theme> {
  return inTransaction(ctx, async (ctx) => {
    const theme = await openTheme(ctx, id)
    for (const field of ['title', 'description'] as const)
      checkExpected(field, theme[field], change[field], seen[field])
    const fields = (Object.keys(change) as (keyof ThemeValues)[]).filter(
      (field) => change[field] !== undefined && change[field] !== theme[field],
    )
    if (fields.length === 0) return theme
    refuseToTouch(ctx, 'theme', theme)
    const { projectId } = ctx.actor
    const values = { ...theme }
    for (const field of fields) Object.assign(values, { [field]: change[field] })
    await queries.updateTheme(ctx.db, projectId, id, values)
    await queries.touchTheme(ctx.db, projectId, id, isPerson(ctx.actor))
    await recordEvents(ctx, [
      themeEvents.updated(id, { fields: fields.map(wireName) }),
      ...(fields.includes('status') ? [themeEvents.status_changed(id, { from: theme.status, to: values.status })] : []),
    ])
    return loadTheme(ctx, id)
  })
}

const wireName = (field: keyof ThemeValues) => (field === 'markdownContent' ? 'markdown_content' : field)

/** Deletes its quotes too. Items that are in no other theme become unprocessed again. */
export function deleteTheme(ctx: Ctx, id: string): Promise<void> {
  return inTransaction(ctx, async (ctx) => {
    const { projectId } = ctx.actor
    await lockLinks(ctx.db, projectId)
    const theme = await openTheme(ctx, id)
    refuseToTouch(ctx, 'theme', theme)
    const items = await listQuotedItems(ctx.db, projectId, theme.id)
    await lockItems(ctx.db, projectId, items)
    await queries.deleteThemeRow(ctx.db, projectId, theme.id)
    await removeResources(ctx.db, projectId, [theme.id])
    await releaseNumbers(ctx.db, projectId, queries.THEMES, 1)
    await refreshItemStatuses(ctx, items)
    await recordEvent(ctx, themeEvents.deleted(theme.id, { theme_number: theme.themeNumber, title: theme.title }))
  })
}
