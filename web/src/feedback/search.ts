const STATUSES = ['processed', 'all'] as const
const SORTS = ['number'] as const

/** What the address of the inbox holds. */
export interface InboxSearch {
  /** Left out, it shows what is still to be processed. */
  status?: (typeof STATUSES)[number] | undefined
  /** The name of a reporting key, or how it was heard by hand. */
  source?: string | undefined
  /** The number of a theme. */
  theme?: string | undefined
  /** The e-mail address of who reported it. */
  person?: string | undefined
  /** Days: 2026-11-18. */
  from?: string | undefined
  to?: string | undefined
  words?: string | undefined
  /** Left out, the newest come first. */
  sort?: (typeof SORTS)[number] | undefined
}

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
const matching = (value: unknown, pattern: RegExp) => (pattern.test(text(value) ?? '') ? (value as string) : undefined)
const oneOf = <T extends string>(values: readonly T[], value: unknown) => values.find((one) => one === value)

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Leaves out what it does not understand, so an old or mistyped address still opens the inbox. */
export function readInboxSearch(raw: Record<string, unknown>): InboxSearch {
  const search: InboxSearch = {
    status: oneOf(STATUSES, raw.status),
    source: text(raw.source),
    theme: matching(raw.theme, /^\d{1,9}$/),
    person: text(raw.person),
    from: matching(raw.from, DAY),
    to: matching(raw.to, DAY),
    words: text(raw.words),
    sort: oneOf(SORTS, raw.sort),
  }
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
