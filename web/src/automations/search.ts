/* The router reads this before the module is loaded. */

export const RUN_STATUSES = ['scheduled', 'running', 'succeeded', 'failed', 'cancelled'] as const
const SHOWN = ['on', 'off', 'mine', 'waiting'] as const

/** What the address of the list holds. */
export interface ListSearch {
  /** Left out, it shows all. */
  show?: (typeof SHOWN)[number] | undefined
}

/** What the address of the runs holds. Several values are separated by commas. */
export interface RunSearch {
  status?: string | undefined
  automation?: string | undefined
  /** `something` or `nothing`. */
  changed?: 'something' | 'nothing' | undefined
  waiting?: 'yes' | undefined
  /** The least that it cost. */
  cost?: string | undefined
}

export interface NewSearch {
  /** The name of a template. */
  template?: string | undefined
}

const text = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined
const filled = <T extends object>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T

/** Leaves out what it does not understand, so an old or mistyped address still opens the page. */
export const readListSearch = (raw: Record<string, unknown>): ListSearch =>
  filled({ show: SHOWN.find((one) => one === raw.show) })

export const readNewSearch = (raw: Record<string, unknown>): NewSearch => filled({ template: text(raw.template) })

export function readRunSearch(raw: Record<string, unknown>): RunSearch {
  const listed = (value: unknown, isKnown: (one: string) => boolean) =>
    text(value)?.split(',').filter(isKnown).join(',') || undefined
  return filled({
    status: listed(raw.status, (one) => RUN_STATUSES.some((status) => status === one)),
    automation: listed(raw.automation, (one) => /^[0-9a-f-]{36}$/.test(one)),
    changed: (['something', 'nothing'] as const).find((one) => one === raw.changed),
    waiting: raw.waiting === 'yes' ? 'yes' : undefined,
    cost: /^\d{1,7}(\.\d{1,4})?$/.test(text(raw.cost) ?? '') ? text(raw.cost) : undefined,
  } satisfies RunSearch)
}
