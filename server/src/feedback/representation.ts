import { representationOf } from '../kernel/http/representation.ts'
import { type FeedbackItem, presentItem } from './feedback-item.ts'
import { FeedbackItem as ItemShape, Theme as ThemeShape } from './schema.ts'
import { presentTheme, type Theme } from './theme.ts'

const theme = representationOf<ReturnType<typeof presentTheme>>(ThemeShape)
const item = representationOf<ReturnType<typeof presentItem>>(ItemShape)

/** What a caller sees, and the tag that stands for it. */
export const representTheme = (one: Theme) => theme(presentTheme(one))
export const representItem = (one: FeedbackItem, baseUrl: string) => item(presentItem(one, baseUrl))
