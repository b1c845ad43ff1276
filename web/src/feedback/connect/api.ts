import type { WidgetOptions } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { type ApiKey, keysQuery } from '../../keys/api.ts'
import { callOf } from '../../lib/client.ts'
import { createStore } from '../../lib/store.ts'
import { feedbackKey } from '../api.ts'

export type { ApiKey, WidgetOptions }

/** A key that was made just now. It is kept until the page is reloaded, because nobody can see it again. */
export interface ReadyKey {
  id: string
  name: string
  key: string
}
export const readyKey = createStore<(ReadyKey & { projectId: string }) | undefined>(undefined)

export const reportingKeysQuery = (projectId: string) => ({
  ...keysQuery(projectId),
  select: (keys: ApiKey[]) => keys.filter(({ kind }) => kind === 'reporting'),
})

const MOST_NAMES = 100

/** How many reports came through each key lately. A rotated key goes on under its name. */
export const sourceReportsQuery = (projectId: string, keys: ApiKey[]) => {
  const name = [...new Set(keys.map((one) => one.name))].slice(0, MOST_NAMES)
  return queryOptions({
    queryKey: [...feedbackKey(projectId), 'source-reports', name],
    enabled: name.length > 0,
    queryFn: async ({ signal }) =>
      (await api.feedback(callOf(projectId)).countSourceReports({ name }, { signal })).items,
  })
}

export type SourceReports = Awaited<ReturnType<ReturnType<typeof api.feedback>['countSourceReports']>>['items'][number]

export const widgetQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'widget'],
    queryFn: async ({ signal }) => (await api.feedback(callOf(projectId)).getWidgetOptions({ signal })).data,
  })

export interface FirstReport {
  number: number
  title: string
  email: string
  at: string
}

const LAST = 100

/** The first report that came through a key that was made just now. */
export const firstReportQuery = (projectId: string, keyId: string | undefined) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'first-report', keyId],
    enabled: keyId !== undefined,
    queryFn: async ({ signal }): Promise<FirstReport | null> => {
      const filter = { kind: 'feedback_item.submitted', limit: LAST }
      const { items } = await api.changes(callOf(projectId)).list(filter, { signal })
      const found = items.findLast(({ actor }) => actor.id === keyId)
      if (!found) return null
      const { data } = await api.feedback(callOf(projectId)).getItem(found.subject_id, { signal })
      return {
        number: Number(found.payload.feedback_number),
        title: data.title,
        email: data.end_user_email,
        at: data.created_at,
      }
    },
  })
