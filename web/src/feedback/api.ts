import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'

/** What every query of the module begins with, so that a change reads all that is shown again. */
export const feedbackKey = (projectId: string) => [projectId, 'feedback'] as const

export const themesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'themes'],
    queryFn: async ({ signal }) => (await api.feedback(callOf(projectId)).listThemes({}, { signal })).items,
  })
