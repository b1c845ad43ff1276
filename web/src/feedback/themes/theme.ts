import type { ThemeRow } from '@slipway/sdk'
import type { SORTS } from './search.ts'

export { PRIORITIES, SORTS, STATUSES, TYPES } from './search.ts'

export type Status = ThemeRow['status']
export type Type = ThemeRow['type']
export type Priority = ThemeRow['priority']
export type Sort = (typeof SORTS)[number]

export const OPEN: readonly Status[] = ['unresolved', 'in_progress']

export const SORT_NAMES: Record<Sort, string> = {
  people: 'Distinct people',
  quotes: 'Quotes',
  newest: 'Newest',
  updated: 'Last change',
}

export const numberOf = ({ display_id }: Pick<ThemeRow, 'display_id'>) => display_id.slice(3)
