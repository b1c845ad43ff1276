import type { InboxItem, InboxPage, InboxPages } from './api.ts'

interface Read {
  /** Those that were asked for. */
  ids: readonly string[]
  /** Those of them that belong to the list. */
  found: readonly InboxItem[]
  /** How many belong to the list by now. */
  total: number
  isOldestFirst: boolean
}

/**
 * Puts reports that were read again into a list: changed where they are, new in their order, and out if they do not belong
 * to it any more. Those beyond the last page come with the next one.
 */
export function placeRows(list: InboxPages, { ids, found, total, isOldestFirst }: Read): InboxPages {
  const asked = new Set(ids)
  const fresh = new Map(found.map((row) => [row.id, row]))
  const known = new Set<string>()
  const pages = list.pages.map((page): InboxPage => {
    if (!page.items.some(({ id }) => asked.has(id))) return page.total === total ? page : { ...page, total }
    const items = page.items.flatMap((row) => {
      if (!asked.has(row.id)) return [row]
      const now = known.has(row.id) ? undefined : fresh.get(row.id)
      known.add(row.id)
      return now ? [now] : []
    })
    return { ...page, items, total }
  })
  for (const row of found) if (!known.has(row.id)) insertRow(pages, row, isOldestFirst)
  return { ...list, pages }
}

function insertRow(pages: InboxPage[], row: InboxItem, isOldestFirst: boolean): void {
  const isBefore = (other: InboxItem) => (isOldestFirst ? row.number < other.number : row.number > other.number)
  const inside = pages.findIndex(({ items }) => items.some(isBefore))
  const last = pages.length - 1
  const at = inside < 0 && pages[last]?.next === null ? last : inside
  const page = pages[at]
  if (!page) return
  const place = page.items.findIndex(isBefore)
  pages[at] = { ...page, items: page.items.toSpliced(place < 0 ? page.items.length : place, 0, row) }
}
