import { type Filter as AnyFilter, filtersIn, readFilter } from '../lib/filters.ts'
import {
  CARD_PARTS,
  type CardPart,
  DEFAULT_SORT,
  FIELDS,
  type Field,
  GROUPS,
  type Group,
  PRIORITIES,
  SORTS,
  type Sort,
  STATUSES,
  TYPES,
} from './work-order.ts'

export { writeFilter } from '../lib/filters.ts'

/** What the address of the list holds. */
export interface WorkOrderSearch {
  view?: 'board' | 'phases' | undefined
  status?: string | undefined
  priority?: string | undefined
  type?: string | undefined
  phase?: string | undefined
  assignee?: string | undefined
  label?: string | undefined
  /** `agents`: somebody's agent works on it now. */
  claim?: string | undefined
  title?: string | undefined
  updated?: string | undefined
  sort?: Sort | undefined
  group?: Group | undefined
  /** Lanes of phases leave completed work out, unless it is asked for. */
  completed?: 'shown' | undefined
  /** What cards of the board show: `labels,type`, or `none`. */
  show?: string | undefined
  /** The number of the work order that is open beside the list. */
  beside?: string | undefined
  /** The id of the saved view that the list was opened from. */
  saved?: string | undefined
}

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T => values.includes(value as T)

/** The values of fields that do not depend on the project. Those of the others are ids, or `none`. */
const VALUES: Partial<Record<Field, readonly string[]>> = {
  status: STATUSES,
  priority: PRIORITIES,
  type: TYPES,
  claim: ['agents', 'none'],
  updated: ['today', 'week', 'month'],
}
const ID = /^([0-9a-f-]{36}|none)$/

const readField = (field: Field, text: string): string | undefined =>
  field === 'title' ? text || undefined : readFilter(text, (value) => VALUES[field]?.includes(value) ?? ID.test(value))

/**
 * Leaves out what it does not understand, so an old or mistyped address still opens the list. What is left out is named,
 * because the router would keep it otherwise.
 */
export function readWorkOrderSearch(raw: Record<string, unknown>): WorkOrderSearch {
  const search: WorkOrderSearch = Object.fromEntries(Object.keys(raw).map((name) => [name, undefined]))
  if (raw.view === 'board' || raw.view === 'phases') search.view = raw.view
  for (const field of FIELDS) {
    const value = raw[field]
    if (typeof value === 'string') search[field] = readField(field, value)
  }
  if (isOneOf(SORTS, raw.sort) && raw.sort !== DEFAULT_SORT) search.sort = raw.sort
  if (isOneOf(GROUPS, raw.group) && raw.group !== 'status') search.group = raw.group
  if (raw.completed === 'shown') search.completed = 'shown'
  if (typeof raw.show === 'string') {
    const parts = readCardParts(raw.show)
    if (parts.size > 0 || raw.show === 'none') search.show = writeCardParts(parts)
  }
  if (typeof raw.beside === 'string' && /^\d+$/.test(raw.beside)) search.beside = raw.beside
  if (typeof raw.saved === 'string' && /^[0-9a-f-]{36}$/.test(raw.saved)) search.saved = raw.saved
  return search
}

const DEFAULT_SHOW = 'labels,phase,comments,assignee'

export function readCardParts(show = DEFAULT_SHOW): ReadonlySet<CardPart> {
  const names = show.split(',')
  return new Set(CARD_PARTS.filter((part) => names.includes(part)))
}

export function writeCardParts(parts: ReadonlySet<CardPart>): string | undefined {
  const show = CARD_PARTS.filter((part) => parts.has(part)).join(',') || 'none'
  return show === DEFAULT_SHOW ? undefined : show
}

export type Filter = AnyFilter<Field>

export const filtersOf = (search: WorkOrderSearch): Filter[] => filtersIn(search, FIELDS, (field) => field === 'title')
