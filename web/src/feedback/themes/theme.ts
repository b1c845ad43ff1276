import type { ThemeSummary } from '@slipway/sdk'

export type Status = ThemeSummary['status']
export type Type = ThemeSummary['type']
export type Priority = ThemeSummary['priority']

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
