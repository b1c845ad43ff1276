import type { InboxItem, InboxReport } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callOf } from '../../lib/client.ts'
import { feedbackKey } from '../api.ts'
import type { InboxSearch } from '../search.ts'

export type { InboxItem, InboxReport }
export type InboxPage = Awaited<ReturnType<ReturnType<typeof api.feedback>['listInbox']>>
export type InboxPages = InfiniteData<InboxPage, number | undefined>

/** The first page is small, because somebody waits for it. */
const FIRST_PAGE = 50
const NEXT_PAGE = 100
/** Suggestions are computed within a second or two of the first look. */
export const AGAIN_MS = 1_500
export const MOST_AGAIN = 40

const startOf = (day: string, plusDays = 0) => {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return new Date(year, month - 1, date + plusDays).toISOString()
}

/** The filters of an address, as the API calls them. */
function filterOf({ status, source, theme, person, from, to, words, sort }: InboxSearch) {
  return {
    ...(status === 'all' ? {} : { status: status ?? ('to_process' as const) }),
    ...(source && { source }),
    ...(theme && { theme_number: Number(theme) }),
    ...(person && { end_user_email: person }),
    ...(from && { from: startOf(from) }),
    ...(to && { before: startOf(to, 1) }),
    ...(words && { words }),
    ...(sort && { sort }),
  }
}

export type InboxFilter = ReturnType<typeof filterOf>

/** Not one of the queries that a change reads again as a whole: `readRowsSoon` reads the rows that it names. */
export const inboxKey = (projectId: string) => [projectId, 'inbox'] as const

export function inboxQuery(projectId: string, search: InboxSearch) {
  const filter = filterOf(search)
  return infiniteQueryOptions({
    queryKey: [...inboxKey(projectId), filter] as const,
    queryFn: ({ signal, pageParam: after }) => {
      const page = after === undefined ? { limit: FIRST_PAGE } : { limit: NEXT_PAGE, after }
      return api.feedback(callOf(projectId)).listInbox({ ...filter, ...page }, { signal })
    },
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

export const reportKey = (projectId: string, number: number) => [...feedbackKey(projectId), 'report', number] as const

export const reportQuery = (projectId: string, number: number) =>
  queryOptions({
    queryKey: reportKey(projectId, number),
    queryFn: async ({ signal }) => (await api.feedback(callOf(projectId)).getReport(number, { signal })).data,
    refetchInterval: ({ state }) =>
      state.data?.is_suggestion_due && state.dataUpdateCount < MOST_AGAIN ? AGAIN_MS : false,
  })

export const sourcesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'sources'],
    queryFn: async ({ signal }) => (await api.feedback(callOf(projectId)).listSources({ signal })).items,
  })
