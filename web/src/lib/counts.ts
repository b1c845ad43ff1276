import type { SessionClient } from '@slipway/sdk'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from './client.ts'

export type Count = (client: SessionClient, signal: AbortSignal) => Promise<number>

/** How many things a module has: the number beside its name, on every screen. */
export const countQuery = (projectId: string, moduleId: string, count: Count) =>
  queryOptions({
    queryKey: [projectId, 'count', moduleId],
    queryFn: ({ signal }) => count(clientOf(projectId), signal),
  })
