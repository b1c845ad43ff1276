import { represent } from '../../kernel/http/answers/representation.ts'
import type { Linking } from '../../kernel/http/links.ts'
import { type FeedbackItem, presentItem } from './items/feedback-item.ts'
import { presentTheme, type Theme } from './themes/theme.ts'

/** The answer for a theme, with its entity tag. */
export const representTheme = (one: Theme) => represent(presentTheme(one))
export const representItem = (one: FeedbackItem, ctx: Linking) => represent(presentItem(one, ctx))
