import type { InfiniteData } from '@tanstack/react-query'
import { queryClient } from '../../lib/query-client.ts'
import { feedbackKey } from '../api.ts'
import type { ThemeRow } from './api.ts'

interface Page {
  items: ThemeRow[]
}

/** Shows a change of a theme wherever it is listed or open. */
export function showTheme(projectId: string, id: string, change: Partial<ThemeRow>): void {
  const changed = (row: ThemeRow) => (row.id === id ? { ...row, ...change } : row)
  queryClient.setQueriesData<InfiniteData<Page>>(
    { queryKey: [...feedbackKey(projectId), 'theme-rows'] },
    (all) => all && { ...all, pages: all.pages.map((page) => ({ ...page, items: page.items.map(changed) })) },
  )
  queryClient.setQueriesData<ThemeRow | null>(
    { queryKey: [...feedbackKey(projectId), 'theme'] },
    (row) => row && changed(row),
  )
}

export const reloadFeedback = (projectId: string) =>
  void queryClient.invalidateQueries({ queryKey: feedbackKey(projectId) })
