/** What the address of a conversation holds. */
export interface ConversationSearch {
  /** A regular expression. */
  q?: string | undefined
  origin?: 'user' | 'automation' | undefined
  /** What a new one is about, as a link in markdown. */
  about?: string | undefined
  /** The address of what is open beside it. */
  beside?: string | undefined
}

const LONGEST = 1_000

/** Leaves out what it does not understand, so an old or mistyped address still opens the page. */
export function readConversationSearch(raw: Record<string, unknown>): ConversationSearch {
  const search: ConversationSearch = {}
  for (const name of ['q', 'about', 'beside'] as const) {
    const value = raw[name]
    if (typeof value === 'string' && value.trim() !== '') search[name] = value.slice(0, LONGEST)
  }
  if (raw.origin === 'user' || raw.origin === 'automation') search.origin = raw.origin
  return search
}
