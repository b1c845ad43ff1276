import { representing } from '../../kernel/http/answers/representation.ts'
import type { Linking } from '../../kernel/http/links.ts'
import { type FeedbackItem, presentItem } from './items/feedback-item.ts'
import { ItemData, ThemeData } from './schema.ts'
import { presentTheme, type Theme } from './themes/theme.ts'

const byTheme = representing(ThemeData)
const byItem = representing(ItemData)

/** The answer for a theme, with its entity tag. */
export const representTheme = (one: Theme) => byTheme(presentTheme(one))
export const representItem = (one: FeedbackItem, ctx: Linking) => byItem(presentItem(one, ctx))
