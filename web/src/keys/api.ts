import type { ApiKey } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'

export type { ApiKey }

/** All keys of a project, of both kinds. */
export const keysQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'access', 'keys'],
    queryFn: async ({ signal }) => (await api.access(callOf(projectId)).listKeys({ signal })).items,
  })
