import type { ConnectedAgent } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from '../../lib/client.ts'

export type { ConnectedAgent }

export const agentsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'access', 'agents'],
    queryFn: async ({ signal }) => (await api.access(callOf(projectId)).listAgents({ signal })).items,
  })

/** Calls are no events, so they are looked at again while they are shown. */
export const LOOK_EVERY_MS = 2_000
