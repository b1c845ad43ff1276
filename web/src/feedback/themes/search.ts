/*
 * The router reads this before the module is loaded, so the values that an address can have are here.
 */
export const STATUSES = ['unresolved', 'in_progress', 'resolved', 'dismissed'] as const
export const TYPES = ['bug', 'feature_request', 'improvement', 'performance', 'question', 'other'] as const
export const PRIORITIES = ['urgent', 'high', 'medium', 'low', 'no_priority'] as const
export const SORTS = ['people', 'quotes', 'newest', 'updated'] as const

/** What the address of the themes holds. Several values of a filter are separated by commas. */
export interface ThemeSearch {
  /** Left out, it shows those that are open. */
  status?: string | undefined
  type?: string | undefined
  priority?: string | undefined
  /** The id of a person, or `none`. */
  assignee?: string | undefined
  /** The id of a feature, or `none`. */
  feature?: string | undefined
  words?: string | undefined
  /** Left out, those of the most people come first. */
  rank?: (typeof SORTS)[number] | undefined
  /** The number of the theme that is open beside the list. */
  beside?: string | undefined
}

export type ThemeFilters = Omit<ThemeSearch, 'beside'>

const text = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
const known = (values: readonly string[], value: unknown) =>
  text(value)
    ?.split(',')
    .filter((one) => values.includes(one))
    .join(',') || undefined
const matching = (value: unknown, pattern: RegExp) => (pattern.test(text(value) ?? '') ? text(value) : undefined)

const ID = /^(none|[0-9a-f-]{36})$/

/** Leaves out what it does not understand, so an old or mistyped address still opens the list. */
export function readThemeSearch(raw: Record<string, unknown>): ThemeSearch {
  const search: ThemeSearch = {
    status: raw.status === 'all' ? 'all' : known(STATUSES, raw.status),
    type: known(TYPES, raw.type),
    priority: known(PRIORITIES, raw.priority),
    assignee: matching(raw.assignee, ID),
    feature: matching(raw.feature, ID),
    words: text(raw.words),
    rank: SORTS.find((one) => one === raw.rank),
    beside: matching(raw.beside, /^\d{1,9}$/),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
