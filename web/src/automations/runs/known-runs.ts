import type { ListedAutomationRun } from '@slipway/sdk'

export interface RunsPage {
  items: ListedAutomationRun[]
  total: number | null
  next_before: string | null
}

/** Runs that were changed after they were read. */
const outdated = new Set<string>()

export const isActive = ({ status }: Pick<ListedAutomationRun, 'status'>) =>
  status === 'scheduled' || status === 'running'

/** The runs that a change is about are read again, those beside them are not. */
export function outdateRuns(pages: readonly RunsPage[], isAbout: (run: ListedAutomationRun) => boolean): void {
  for (const { items } of pages) for (const run of items) if (isAbout(run)) outdated.add(run.id)
}

export const wereRead = ({ items }: RunsPage): void => {
  for (const { id } of items) outdated.delete(id)
}

/**
 * The page after a run, from the pages that were read before. Undefined if one of its runs is missing, goes on or was
 * changed. So a list of thousands of runs asks for its beginning only.
 */
export function knownPage(pages: readonly RunsPage[], before: string, size: number): RunsPage | undefined {
  const rows = pages.flatMap(({ items }) => items)
  const begin = rows.findIndex(({ id }) => id === before) + 1
  const items = rows.slice(begin, begin + size)
  const isAll = pages.at(-1)?.next_before === null
  if (begin === 0 || (items.length < size && !isAll)) return undefined
  if (items.some((run) => isActive(run) || outdated.has(run.id))) return undefined
  const isEnd = isAll && begin + items.length === rows.length
  return { items, total: null, next_before: isEnd ? null : (items.at(-1)?.id ?? null) }
}
