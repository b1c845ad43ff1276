import { represent } from '../kernel/http/representation.ts'
import { type FeedbackItem, presentItem } from './feedback-item.ts'
import { presentTheme, type Theme } from './theme.ts'

/** What a caller sees, and the tag that stands for it. */
export const representTheme = (one: Theme) => represent(presentTheme(one))
export const representItem = (one: FeedbackItem, baseUrl: string) => represent(presentItem(one, baseUrl))
