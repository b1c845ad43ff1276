import type { WorkOrderValues } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { type FetchQueryOptions, type QueryKey, queryOptions } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'
import { membersQuery } from '../people/members.ts'
import { loadRows } from './rows/load-rows.ts'
import type { Label, WorkOrder } from './work-order.ts'

/** All work orders of the project: filters, groups and counts are computed here, at once, while you type. */
export const rowsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'work-orders'],
    queryFn: ({ signal }) => loadRows(projectId, signal, fetchVocabulary(projectId)),
    // Rows that did not change stay the same objects; comparing thousands of them in depth would take longer.
    structuralSharing: false,
  })

/** All rows, read only if nobody has read them. */
export const loadAllRows = (projectId: string) => queryClient.ensureQueryData(rowsQuery(projectId))

/** What others change is marked as such, so it is not read again for its age. */
const fetchIfChanged = <T, K extends QueryKey>(options: FetchQueryOptions<T, Error, T, K>) =>
  queryClient.fetchQuery({ ...options, staleTime: Number.POSITIVE_INFINITY })

const fetchVocabulary = async (projectId: string) => {
  const [phases, labels, people] = await Promise.all([
    fetchIfChanged(phasesQuery(projectId)),
    fetchIfChanged(labelsQuery(projectId)),
    fetchIfChanged(membersQuery(projectId)),
  ])
  return { phases, labels, people }
}

export const phasesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'phases'],
    queryFn: async ({ signal }) => (await api.workOrders(callOf(projectId)).listPhases({ signal })).items,
  })

const isInUse = (labels: Label[]) => labels.filter(({ archived }) => !archived)

/** Archived labels stay on the work orders that have them, but are not offered. */
export const labelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'labels'],
    queryFn: async ({ signal }) =>
      (await api.workOrders(callOf(projectId)).listLabels({ include_archived: true }, { signal })).items,
    select: isInUse,
  })

export const viewsQuery = (projectId: string) =>
  queryOptions({
    // Read again with the phases, whose changes go to everyone too.
    queryKey: [projectId, 'views'],
    queryFn: async ({ signal }) => (await api.workOrders(callOf(projectId)).listViews({ signal })).items,
  })

const CLAIM_EVERY_MS = 30_000

/** Who has claimed a work order, or null. A renewal makes no event, so it is asked for while it is shown. */
export const claimQuery = (projectId: string, workOrderId: string) =>
  queryOptions({
    queryKey: [projectId, 'work-order', 'claim', workOrderId],
    queryFn: async ({ signal }) => (await api.workOrders(callOf(projectId)).getClaim(workOrderId, { signal })).data,
    refetchInterval: ({ state }) => (state.data ? CLAIM_EVERY_MS : false),
  })

/** All claims of the project that hold now. */
export const claimsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'claims'],
    queryFn: async ({ signal }) => (await api.workOrders(callOf(projectId)).listClaims({ signal })).items,
    refetchInterval: ({ state }) => (state.data?.length ? CLAIM_EVERY_MS : false),
  })

/** Asks for what the list shows. */
export function prefetchRows(projectId: string): void {
  void queryClient.prefetchQuery(rowsQuery(projectId))
  void queryClient.prefetchQuery(viewsQuery(projectId))
  void queryClient.prefetchQuery(claimsQuery(projectId))
}

/** The commits and pull requests that name a work order. */
export const codeQuery = (projectId: string, workOrderId: string) =>
  queryOptions({
    queryKey: [projectId, 'work-order', 'code', workOrderId],
    queryFn: async ({ signal }) =>
      (await api.codeHosts(callOf(projectId)).listOfWorkOrder(workOrderId, { signal })).items,
  })

export const workOrderQuery = (projectId: string, number: number) =>
  queryOptions({
    queryKey: [projectId, 'work-order', number],
    queryFn: async ({ signal }): Promise<LoadedWorkOrder> => {
      const { data, meta } = await api
        .workOrders(callOf(projectId))
        .getByNumber(number, { expand_context: true }, { signal })
      return { ...data, etag: meta.etag }
    },
  })

export const commentsQuery = (projectId: string, workOrderId: string) =>
  queryOptions({
    queryKey: [projectId, 'comments', workOrderId],
    queryFn: async ({ signal }) =>
      (await api.workOrders(callOf(projectId)).listComments(workOrderId, { signal })).items,
  })

/** With the state it was read in, which a change of its texts names. */
export type LoadedWorkOrder = WorkOrder & { etag?: string | undefined }

/** The fields that a write may set. Null clears one. */
export type WorkOrderFields = WorkOrderValues

export interface OperationResult {
  status: 'succeeded' | 'failed'
  work_order_id: string | null
  work_order_number: number | null
  message: string
}

const MAX_OPERATIONS = 500

export interface Update {
  id: string
  /** Messages name it by its number, which people know. */
  number: number
  fields?: WorkOrderFields
  /** It is changed only if it still has these values. */
  expected?: WorkOrderFields
  /** Deletes the work order instead. */
  remove?: true
}

export interface BatchAnswer {
  /** Each under the id of its work order. */
  results: Record<string, OperationResult>
  /** By which the log of the server knows the last request. */
  requestId: string | undefined
}

/** Writes many work orders. */
export async function updateWorkOrders(projectId: string, updates: Update[], key: string): Promise<BatchAnswer> {
  const results: Record<string, OperationResult> = {}
  let requestId: string | undefined
  for (let start = 0; start < updates.length; start += MAX_OPERATIONS) {
    const operations = updates.slice(start, start + MAX_OPERATIONS).map(({ id, number, fields, expected, remove }) => ({
      operation_id: id,
      operation_type: remove ? 'DeleteWorkOrder' : 'UpdateWorkOrder',
      target: { work_order_number: number },
      ...(fields ? { patch: fields } : {}),
      ...(expected ? { expected } : {}),
    }))
    const body = { request_id: `${key}-${start}`, operations }
    const answer = await api.workOrders(callOf(projectId)).batchUpdate(body, { idempotencyKey: `${key}-${start}` })
    Object.assign(results, answer.results)
    requestId = answer.meta.requestId
  }
  return { results, requestId }
}

/** Creates one work order. Repeating it with the same key creates nothing more. */
export async function createWorkOrder(projectId: string, fields: WorkOrderFields, key: string) {
  const operation = { operation_id: '1', operation_type: 'CreateWorkOrder', patch: fields }
  const body = { request_id: key, operations: [operation] }
  const { results } = await api.workOrders(callOf(projectId)).batchCreate(body, { idempotencyKey: key })
  const result = results['1']!
  if (result.status === 'failed') throw new Error(result.message)
  return { id: result.work_order_id!, number: result.work_order_number! }
}
