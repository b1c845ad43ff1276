/** What the address of the search holds. */
export interface TextSearch {
  /** The regular expression. */
  q?: string | undefined
  /** Set if upper and lower case differ. */
  case?: '1' | undefined
  /** Lines before and after a match. */
  context?: string | undefined
  /** A group, or a document with everything below it. */
  in?: string | undefined
  /** The chosen line: the id of its document and its number. */
  at?: string | undefined
}

export const DEFAULT_CONTEXT = 1
export const CONTEXTS = [0, 1, 2, 5, 10]
export const MAX_PATTERN = 1_000

/** Leaves out what it does not understand, so an old or mistyped address still opens the search. */
export function readTextSearch(raw: Record<string, unknown>): TextSearch {
  const search: TextSearch = {}
  if (typeof raw.q === 'string' && raw.q !== '') search.q = raw.q.slice(0, MAX_PATTERN)
  if (raw.case === '1') search.case = '1'
  if (CONTEXTS.some((one) => one !== DEFAULT_CONTEXT && String(one) === raw.context)) search.context = `${raw.context}`
  if (typeof raw.in === 'string' && /^[0-9a-f-]{36}$/.test(raw.in)) search.in = raw.in
  if (typeof raw.at === 'string' && /^[0-9a-f-]{36}\.\d{1,9}$/.test(raw.at)) search.at = raw.at
  return search
}
