import type { ApiKey } from '@slipway/sdk'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../lib/client.ts'

export type { ApiKey }

/** All keys of a project, of both kinds. */
export const keysQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'access', 'keys'],
    queryFn: async ({ signal }) => (await clientOf(projectId).access.listKeys({ signal })).items,
  })
