import type { Transfer } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'

export type { DocumentsImportPreview, Transfer, WorkOrdersImportPreview } from '@slipway/sdk'

const ASK_EVERY_MS = 1_000
/** A large file takes as long as it takes. */
export const PATIENT = { timeoutMs: 0, retries: 0 }

export const isGoingOn = ({ state }: Transfer) => state === 'waiting' || state === 'running'

export const transfersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'transfers'],
    queryFn: async ({ signal }) => (await api.transfers(callOf(projectId)).list({ signal })).items,
    refetchInterval: ({ state }) => (state.data?.some(isGoingOn) ? ASK_EVERY_MS : false),
  })

/** Shows what has begun. An import of a whole project changes everything, so all is read again once it is over. */
export const showTransfers = (projectId: string) =>
  queryClient.invalidateQueries({ queryKey: transfersQuery(projectId).queryKey })

export const readEverythingAgain = (projectId: string) => queryClient.invalidateQueries({ queryKey: [projectId] })

const UNITS = ['bytes', 'KB', 'MB', 'GB'] as const

export function sizeOf(bytes: number): string {
  const power = Math.min(UNITS.length - 1, bytes > 0 ? Math.floor(Math.log2(bytes) / 10) : 0)
  const value = bytes / 1024 ** power
  return `${value >= 10 || power === 0 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`
}
