import type { QuotedReport, ThemeRow } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { infiniteQueryOptions, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { callOf } from '../../lib/client.ts'
import { useSettled } from '../../lib/use-settled.ts'
import { feedbackKey } from '../api.ts'
import type { ThemeFilters } from './search.ts'
import { OPEN, STATUSES } from './theme.ts'

export type { QuotedReport, ThemeRow }

const PAGE = 50
const REPORTS = 30

const listed = <T extends string>(value: string | undefined) => value?.split(',') as T[] | undefined

/** The themes that an address shows, page by page. */
export const themeRowsQuery = (projectId: string, filters: ThemeFilters) =>
  infiniteQueryOptions({
    queryKey: [...feedbackKey(projectId), 'theme-rows', filters],
    queryFn: ({ signal, pageParam: page }) => {
      const { status, words, rank, assignee, feature, type, priority } = filters
      return api.feedback(callOf(projectId)).listThemeRows(
        {
          status: status === 'all' ? [...STATUSES] : (listed(status) ?? [...OPEN]),
          type: listed(type),
          priority: listed(priority),
          assignee: listed(assignee),
          feature: listed(feature),
          search: words,
          sort: rank,
          page,
          page_size: PAGE,
        },
        { signal },
      )
    },
    initialPageParam: 1,
    getNextPageParam: ({ page, total_pages }) => (page < total_pages ? page + 1 : undefined),
    placeholderData: (before) => before,
  })

/** A theme by its number. Null if there is none. */
export const themeQuery = (projectId: string, number: number) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'theme', number],
    queryFn: async ({ signal }): Promise<ThemeRow | null> =>
      (await api.feedback(callOf(projectId)).listThemeRows({ number: [number] }, { signal })).items[0] ?? null,
  })

export const themeCountsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'theme-counts'],
    queryFn: async ({ signal }) => (await api.feedback(callOf(projectId)).countThemes({ signal })).data,
  })

export const reportsQuery = (projectId: string, themeId: string) =>
  infiniteQueryOptions({
    queryKey: [...feedbackKey(projectId), 'theme-reports', themeId],
    queryFn: ({ signal, pageParam: before }) =>
      api.feedback(callOf(projectId)).listQuotedReports(themeId, { limit: REPORTS, before }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
  })

/** Only themes with some quotes are worth reading all of them. */
const FEWEST_QUOTES = 6

export const splitSuggestionQuery = (projectId: string, { id, quote_count }: ThemeRow) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'split-suggestion', id, quote_count],
    enabled: quote_count >= FEWEST_QUOTES,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await api.feedback(callOf(projectId)).getSplitSuggestion(id, { signal })).data,
  })

/** A theme that says the same, and why. */
export const mergeSuggestionQuery = (projectId: string, { id, title, quote_count }: ThemeRow) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'merge-suggestion', id, title, quote_count],
    enabled: quote_count >= 2,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => (await api.feedback(callOf(projectId)).getMergeSuggestion(id, { signal })).data,
  })

const FOUND = 20

/** Themes by their words or their code, those of the most people first. */
export const findThemes = (projectId: string, words: string) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'find-themes', words],
    queryFn: async ({ signal }) => {
      const number = /^th-(\d{1,9})$/i.exec(words)?.[1]
      const wanted = number ? { number: [Number(number)] } : { search: words }
      return (await api.feedback(callOf(projectId)).listThemeRows({ ...wanted, page_size: FOUND }, { signal })).items
    },
    placeholderData: (before) => before,
  })

/** The themes that match what is typed. The server searches them, because there can be thousands. */
export function useFoundThemes(projectId: string) {
  const [text, setText] = useState('')
  const { data } = useQuery(findThemes(projectId, useSettled(text.trim())))
  return { rows: data, text, setText }
}
