import type { Link } from '../../links/index.ts'
import { type Person, PRIORITIES, type Priority } from '../../work-orders/index.ts'

export const THEME_STATUSES = ['unresolved', 'in_progress', 'resolved', 'dismissed'] as const
export const THEME_TYPES = ['bug', 'feature_request', 'improvement', 'performance', 'question', 'other'] as const
export const THEME_PRIORITIES = PRIORITIES

export type ThemeStatus = (typeof THEME_STATUSES)[number]
export type ThemeType = (typeof THEME_TYPES)[number]

export interface ThemeSummary {
  id: string
  themeNumber: number
  title: string
  status: ThemeStatus
  type: ThemeType
  priority: Priority
  quoteCount: number
  linkedWorkOrderCount: number
  featureId: string | null
  assignee: Person | null
}

export interface Theme extends ThemeSummary {
  description: string
  markdownContent: string
  context: Link[]
  /** The door through which it was created. */
  origin: string
  /** Set when a person first changes the theme. Triage leaves it alone from then on. */
  pinnedAt: string | null
}

/** The values that a caller can set on a theme. */
export interface ThemeValues {
  title: string
  description: string
  markdownContent: string
  status: ThemeStatus
  type: ThemeType
  priority: Priority
}

/** The rest is empty and unresolved if it is not given. */
export type NewTheme = Pick<ThemeValues, 'title' | 'type' | 'priority'> & Partial<ThemeValues>

export const displayThemeNumber = (number: number) => `TH-${number}`

export const presentThemeSummary = (theme: ThemeSummary) => ({
  object: 'theme' as const,
  id: theme.id,
  display_id: displayThemeNumber(theme.themeNumber),
  title: theme.title,
  status: theme.status,
  type: theme.type,
  priority: theme.priority,
  quote_count: theme.quoteCount,
  linked_work_order_count: theme.linkedWorkOrderCount,
  feature_requirements_document_id: theme.featureId,
  assignee: theme.assignee,
})

export const presentTheme = (theme: Theme) => ({
  ...presentThemeSummary(theme),
  description: theme.description,
  markdown_content: theme.markdownContent,
  connectedContext: theme.context,
})

/** A feedback item in a theme, with the excerpt that put it there. */
export interface Quote {
  id: string
  themeId: string
  feedbackItemId: string
  textExcerpt: string
  origin: string
  pinnedAt: string | null
  createdAt: string
}

export const presentQuote = (quote: Quote) => ({
  object: 'quote' as const,
  id: quote.id,
  feedback_item_id: quote.feedbackItemId,
  theme_id: quote.themeId,
  text_excerpt: quote.textExcerpt,
  created_at: quote.createdAt,
})
