import { countsQuery } from '../../lib/counts.ts'
import { queryClient } from '../../lib/query-client.ts'
import { feedbackKey } from '../api.ts'
import { type InboxFilter, type InboxItem, type InboxPages, type InboxReport, inboxKey, reportKey } from './api.ts'
import { readRowsSoon } from './read-rows.ts'

type Shown = Partial<Pick<InboxItem, 'status' | 'themes' | 'suggested_theme'>>

/** Shows what became of reports in every list and where they are open. A list of those with another status loses them. */
export function showItems(projectId: string, items: readonly { id: string; number: number }[], shown: Shown): void {
  const ids = new Set(items.map(({ id }) => id))
  for (const [key] of queryClient.getQueriesData<InboxPages>({ queryKey: inboxKey(projectId) })) {
    const { status } = key[2] as InboxFilter
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

/** A report that a list shows in this theme or suggests for it. */
export const isAbout = (themeId: string) => (row: InboxItem) =>
  row.suggested_theme?.id === themeId || row.themes.some(({ id }) => id === themeId)

/** The reports of the lists that match. */
export function findRows(projectId: string, matches: (row: InboxItem) => boolean): string[] {
  const lists = queryClient.getQueriesData<InboxPages>({ queryKey: inboxKey(projectId) })
  const rows = lists.flatMap(([, list]) => list?.pages.flatMap(({ items }) => items.filter(matches)) ?? [])
  return rows.map(({ id }) => id)
}

/** After a theme was opened, no suggestion is complete. The list asks again for those in view. */
export const outdateSuggestions = (projectId: string): void =>
  void queryClient.setQueriesData<InboxPages>({ queryKey: inboxKey(projectId) }, (old) => {
    const outdated = (row: InboxItem) => ({ ...row, is_suggestion_due: row.status === 'to_process' })
    return old && { ...old, pages: old.pages.map((page) => ({ ...page, items: page.items.map(outdated) })) }
  })

/** Reads everything again that a decision about these reports changed. */
export function readAgain(projectId: string, items: readonly { id: string }[]): void {
  void readRowsSoon(
    projectId,
    items.map(({ id }) => id),
  )
  void queryClient.invalidateQueries({ queryKey: feedbackKey(projectId) })
  void queryClient.invalidateQueries({ queryKey: countsQuery(projectId).queryKey })
}
