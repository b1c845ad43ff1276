import type { Counts } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from './client.ts'

export type { Counts }

/** How much the project holds, in one answer for all that say so. */
export const countsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'counts'],
    queryFn: ({ signal }): Promise<Counts> => api.search(callOf(projectId)).count({ signal }),
  })
