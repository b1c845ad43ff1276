import { countsQuery } from '../../lib/counts.ts'
import { queryClient } from '../../lib/query-client.ts'
import { feedbackKey } from '../api.ts'
import { type InboxFilter, type InboxItem, type InboxPages, type InboxReport, inboxKey, reportKey } from './api.ts'

type Shown = Partial<Pick<InboxItem, 'status' | 'themes' | 'suggested_theme'>>

/** Shows what became of reports in every list and where they are open. A list of those with another status loses them. */
export function showItems(projectId: string, items: readonly { id: string; number: number }[], shown: Shown): void {
  const ids = new Set(items.map(({ id }) => id))
  for (const [key] of queryClient.getQueriesData<InboxPages>({ queryKey: inboxKey(projectId) })) {
    const { status } = key[3] as InboxFilter
    const isGone = status !== undefined && shown.status !== undefined && status !== shown.status
    queryClient.setQueryData<InboxPages>(key, (old) => old && { ...old, pages: old.pages.map(changed) })
    function changed(page: InboxPages['pages'][number]): InboxPages['pages'][number] {
      const found = page.items.filter(({ id }) => ids.has(id)).length
      if (found === 0) return page
      if (!isGone) return { ...page, items: page.items.map((one) => (ids.has(one.id) ? { ...one, ...shown } : one)) }
      return { ...page, items: page.items.filter(({ id }) => !ids.has(id)), total: Math.max(0, page.total - found) }
    }
  }
  for (const { number } of items)
    queryClient.setQueryData<InboxReport>(reportKey(projectId, number), (old) => old && { ...old, ...shown })
}

/** A report as one of the lists has it. */
export function findItem(projectId: string, id: string): InboxItem | undefined {
  for (const [, pages] of queryClient.getQueriesData<InboxPages>({ queryKey: inboxKey(projectId) }))
    for (const { items } of pages?.pages ?? []) {
      const found = items.find((one) => one.id === id)
      if (found) return found
    }
  return undefined
}

/** Reads everything again that a decision changed. */
export function readAgain(projectId: string): void {
  void queryClient.invalidateQueries({ queryKey: feedbackKey(projectId) })
  void queryClient.invalidateQueries({ queryKey: countsQuery(projectId).queryKey })
}
