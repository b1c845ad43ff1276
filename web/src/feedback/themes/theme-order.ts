import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { createStore, useStore } from '../../lib/store.ts'
import { useSteadyOrder } from '../../lib/use-steady-order.ts'
import { themeRowsQuery } from './api.ts'
import type { ThemeFilters } from './search.ts'
import { numberOf } from './theme.ts'

/** What the list of themes showed last. The pages of its themes go through them in this order. */
const lastShown = createStore<{ projectId: string; filters: ThemeFilters } | undefined>(undefined)

export const useRememberFilters = (projectId: string, filters: ThemeFilters) =>
  useEffect(() => void lastShown.set({ projectId, filters }), [projectId, filters])

const OPEN_THEMES: ThemeFilters = {}

/** Where a theme stands in the list: the numbers of those that are loaded, and how many there are. */
export function useThemeOrder(projectId: string, number: string) {
  const last = useStore(lastShown)
  const filters = last?.projectId === projectId ? last.filters : OPEN_THEMES
  const query = useInfiniteQuery(themeRowsQuery(projectId, filters))
  const { data, hasNextPage, isFetching, fetchNextPage } = query
  const loaded = useMemo(() => data?.pages.flatMap(({ items }) => items.map(numberOf)) ?? [], [data])
  const order = useSteadyOrder(loaded, number, !hasNextPage)
  const at = order.indexOf(number)
  useEffect(() => {
    if (at >= 0 && at === order.length - 1 && hasNextPage && !isFetching) void fetchNextPage()
  })
  return { filters, order, at, total: hasNextPage ? (data?.pages[0]?.total ?? order.length) : order.length }
}
