import { queryOptions } from '@tanstack/react-query'
import { clientOf } from './client.ts'

/** How much the project holds, in one answer for all that say so. */
export const countsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'counts'],
    queryFn: async ({ signal }) => {
      const { meta: _, ...counts } = await clientOf(projectId).search.count({ signal })
      return counts
    },
  })
