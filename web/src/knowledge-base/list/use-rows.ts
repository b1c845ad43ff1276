import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSettled } from '../../lib/use-settled.ts'
import { type Browsing, rowsQuery } from '../api.ts'
import { type KnowledgeSearch, kindsOf } from '../search.ts'

export const browsingOf = (search: KnowledgeSearch): Browsing => ({
  q: search.q?.trim() || undefined,
  kinds: kindsOf(search),
  sort: search.order ?? 'name',
})

/** What a folder shows with these filters, as far as it was read. */
export function useRows(projectId: string, folderId: string | undefined, search: KnowledgeSearch) {
  const q = useSettled(search.q ?? '')
  const query = useInfiniteQuery(rowsQuery(projectId, folderId, browsingOf({ ...search, q })))
  const pages = query.data?.pages
  // What moved from one page to the next between two reads is listed once.
  const rows = useMemo(
    () => pages && [...new Map(pages.flatMap(({ items }) => items).map((row) => [row.id, row])).values()],
    [pages],
  )
  return { ...query, rows, total: pages?.[0]?.total ?? 0 }
}
