import type { ThemeRow } from '@slipway/sdk'

export type Status = ThemeRow['status']
export type Type = ThemeRow['type']
export type Priority = ThemeRow['priority']

export const STATUSES = ['unresolved', 'in_progress', 'resolved', 'dismissed'] as const satisfies Status[]
export const OPEN: readonly Status[] = ['unresolved', 'in_progress']
export const TYPES = [
  'bug',
  'feature_request',
  'improvement',
  'performance',
  'question',
  'other',
] as const satisfies Type[]
export const PRIORITIES = ['urgent', 'high', 'medium', 'low', 'no_priority'] as const satisfies Priority[]
export const SORTS = ['people', 'quotes', 'newest', 'updated'] as const
export type Sort = (typeof SORTS)[number]

export const SORT_NAMES: Record<Sort, string> = {
  people: 'Distinct people',
  quotes: 'Quotes',
  newest: 'Newest',
  updated: 'Last change',
}

export const numberOf = ({ display_id }: Pick<ThemeRow, 'display_id'>) => display_id.slice(3)
