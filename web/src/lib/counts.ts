import type { Counts } from '@slipway/sdk'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from './client.ts'

export type { Counts }

/** How much the project holds, in one answer for all that say so. */
export const countsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'counts'],
    queryFn: ({ signal }): Promise<Counts> => clientOf(projectId).search.count({ signal }),
  })
