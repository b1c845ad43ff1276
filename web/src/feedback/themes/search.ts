const STATUSES = ['resolved', 'dismissed', 'all'] as const

/** What the address of the themes holds. */
export interface ThemeSearch {
  /** Left out, it shows those that are open. */
  status?: (typeof STATUSES)[number] | undefined
}

/** Leaves out what it does not understand, so an old or mistyped address still opens the list. */
export function readThemeSearch(raw: Record<string, unknown>): ThemeSearch {
  const status = STATUSES.find((one) => one === raw.status)
  return status ? { status } : {}
}
