import type { WorkOrderValues } from '@slipway/sdk'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../lib/client.ts'
import type { Person, WorkOrder, WorkOrderRow } from './work-order.ts'

const PAGE_SIZE = 100
const AT_ONCE = 4

/** All work orders of the project: filters, groups and counts are computed here, at once, while you type. */
async function fetchRows(projectId: string, signal: AbortSignal): Promise<WorkOrderRow[]> {
  const load = (page: number) => clientOf(projectId).workOrders.list({ page, page_size: PAGE_SIZE }, { signal })
  const first = await load(1)
  const pages = [first.items]
  for (let page = 2; page <= first.total_pages; page += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, first.total_pages - page + 1) }, (_, index) => page + index)
    for (const { items } of await Promise.all(numbers.map(load))) pages.push(items)
  }
  return pages.flat()
}

/** Adds what lists show besides the values: the last change and the number of comments. */
async function fetchRowsWithSigns(projectId: string, signal: AbortSignal): Promise<WorkOrderRow[]> {
  const [rows, signs] = await Promise.all([
    fetchRows(projectId, signal),
    clientOf(projectId).workOrders.listSigns({ signal }),
  ])
  const byId = new Map(signs.items.map((sign) => [sign.work_order_id, sign]))
  return rows.map((row) => {
    const sign = byId.get(row.id)
    return sign ? { ...row, updated_at: sign.updated_at, comment_count: sign.comment_count } : row
  })
}

export const rowsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'work-orders'],
    queryFn: ({ signal }) => fetchRowsWithSigns(projectId, signal),
  })

export const phasesQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'phases'],
    queryFn: async ({ signal }) => (await clientOf(projectId).workOrders.listPhases({ signal })).items,
  })

export const labelsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'labels'],
    queryFn: async ({ signal }) => (await clientOf(projectId).workOrders.listLabels({}, { signal })).items,
  })

export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'members'],
    queryFn: async ({ signal }) => {
      const { items } = await clientOf(projectId).users.list({ page_size: PAGE_SIZE }, { signal })
      return items.map(({ id, display_name, email }): Person => ({ id, name: display_name, email }))
    },
  })

export const workOrderQuery = (projectId: string, number: number) =>
  queryOptions({
    queryKey: [projectId, 'work-order', number],
    queryFn: async ({ signal }): Promise<LoadedWorkOrder> => {
      const { data, meta } = await clientOf(projectId).workOrders.getByNumber(
        number,
        { expand_context: true },
        { signal },
      )
      return { ...data, etag: meta.etag }
    },
  })

export const commentsQuery = (projectId: string, workOrderId: string) =>
  queryOptions({
    queryKey: [projectId, 'comments', workOrderId],
    queryFn: async ({ signal }) => (await clientOf(projectId).workOrders.listComments(workOrderId, { signal })).items,
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
  /** Deletes the work order instead. */
  remove?: true
}

/** Writes many work orders. Each result stands under the id of its work order. */
export async function updateWorkOrders(
  projectId: string,
  updates: Update[],
  key: string,
): Promise<Record<string, OperationResult>> {
  const results: Record<string, OperationResult> = {}
  for (let start = 0; start < updates.length; start += MAX_OPERATIONS) {
    const operations = updates.slice(start, start + MAX_OPERATIONS).map(({ id, number, fields, remove }) => ({
      operation_id: id,
      operation_type: remove ? 'DeleteWorkOrder' : 'UpdateWorkOrder',
      target: { work_order_number: number },
      ...(fields ? { patch: fields } : {}),
    }))
    const body = { request_id: `${key}-${start}`, operations }
    const answer = await clientOf(projectId).workOrders.batchUpdate(body, { idempotencyKey: `${key}-${start}` })
    Object.assign(results, answer.results)
  }
  return results
}

/** Creates one work order. Repeating it with the same key creates nothing more. */
export async function createWorkOrder(projectId: string, fields: WorkOrderFields, key: string) {
  const operation = { operation_id: '1', operation_type: 'CreateWorkOrder', patch: fields }
  const body = { request_id: key, operations: [operation] }
  const { results } = await clientOf(projectId).workOrders.batchCreate(body, { idempotencyKey: key })
  const result = results['1']!
  if (result.status === 'failed') throw new Error(result.message)
  return { id: result.work_order_id!, number: result.work_order_number! }
}
