import { queryOptions } from '@tanstack/react-query'
import { request } from '../lib/http.ts'
import type { Comment, Label, Person, Phase, WorkOrder, WorkOrderRow } from './work-order.ts'

const PAGE_SIZE = 100
const AT_ONCE = 4

interface Page {
  items: WorkOrderRow[]
  total_pages: number
}

/** All work orders of the project: filters, groups and counts are computed here, at once, while you type. */
async function fetchRows(projectId: string, signal: AbortSignal): Promise<WorkOrderRow[]> {
  const load = (page: number) =>
    request<Page>('GET', '/work_orders', { projectId, signal, query: { page, page_size: PAGE_SIZE } })
  const first = await load(1)
  const pages = [first.items]
  for (let page = 2; page <= first.total_pages; page += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, first.total_pages - page + 1) }, (_, index) => page + index)
    for (const { items } of await Promise.all(numbers.map(load))) pages.push(items)
  }
  return pages.flat()
}

const list = <T>(projectId: string, name: string, path: string) =>
  queryOptions({
    queryKey: [projectId, name],
    queryFn: async ({ signal }) => (await request<{ items: T[] }>('GET', path, { projectId, signal })).items,
  })

export const rowsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'work-orders'],
    queryFn: ({ signal }) => fetchRows(projectId, signal),
  })

export const phasesQuery = (projectId: string) => list<Phase>(projectId, 'phases', '/work_orders/phases')
export const labelsQuery = (projectId: string) => list<Label>(projectId, 'labels', '/work_orders/labels')

export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'members'],
    queryFn: async ({ signal }) => {
      const query = { page_size: PAGE_SIZE }
      const { items } = await request<{ items: Member[] }>('GET', '/users', { projectId, signal, query })
      return items.map((one): Person => ({ id: one.id, name: one.display_name, email: one.email }))
    },
  })

interface Member {
  id: string
  email: string
  display_name: string
}

export const workOrderQuery = (projectId: string, number: number) =>
  queryOptions({
    queryKey: [projectId, 'work-order', number],
    queryFn: async ({ signal }) => {
      const path = `/work_orders/by_number/${number}`
      const query = { expand_context: true }
      return (await request<{ data: WorkOrder }>('GET', path, { projectId, signal, query })).data
    },
  })

export const commentsQuery = (projectId: string, workOrderId: string) =>
  list<Comment>(projectId, `comments-${workOrderId}`, `/work_orders/${workOrderId}/comments`)

export const addComment = (projectId: string, workOrderId: string, text: string, idempotencyKey: string) =>
  request<{ data: Comment }>('POST', `/work_orders/${workOrderId}/comments`, {
    projectId,
    idempotencyKey,
    body: { markdown_content: text },
  })

export const deleteComment = (projectId: string, workOrderId: string, commentId: string) =>
  request<void>('DELETE', `/work_orders/${workOrderId}/comments/${commentId}`, { projectId })

/** The fields that a write may set. Null clears one. */
export interface WorkOrderFields {
  title?: string
  markdown_content?: string
  status?: string
  priority?: string
  type?: string
  assignee_id?: string | null
  phase_id?: string | null
  label_ids?: string[]
  implementation_plan?: WorkOrder['implementation_plan']
  connectedContext?: { resourceType: string; resourceId: string }[]
}

export interface OperationResult {
  status: 'succeeded' | 'failed'
  work_order_id: string | null
  work_order_number: number | null
  message: string
}

interface BatchAnswer {
  request_id: string
  results: Record<string, OperationResult>
}

const MAX_OPERATIONS = 500

export interface Update {
  id: string
  fields?: WorkOrderFields
  /** Deletes the work order instead. */
  remove?: true
}

/** Writes many work orders. Each result stands under the id of its work order. */
export async function updateWorkOrders(projectId: string, updates: Update[]): Promise<Map<string, OperationResult>> {
  const results = new Map<string, OperationResult>()
  for (let start = 0; start < updates.length; start += MAX_OPERATIONS) {
    const operations = updates.slice(start, start + MAX_OPERATIONS).map(({ id, fields, remove }) => ({
      operation_id: id,
      operation_type: remove ? 'DeleteWorkOrder' : 'UpdateWorkOrder',
      target: { work_order_id: id },
      ...(fields ? { patch: fields } : {}),
    }))
    const body = { request_id: crypto.randomUUID(), operations }
    const answer = await request<BatchAnswer>('POST', '/work_orders/batch_update', { projectId, body })
    for (const [id, result] of Object.entries(answer.results)) results.set(id, result)
  }
  return results
}

/** Creates one work order and returns its number. Repeating it with the same request id creates nothing more. */
export async function createWorkOrder(projectId: string, fields: WorkOrderFields, requestId: string): Promise<number> {
  const operation = { operation_id: '1', operation_type: 'CreateWorkOrder', patch: fields }
  const body = { request_id: requestId, operations: [operation] }
  const { results } = await request<BatchAnswer>('POST', '/work_orders/batch_create', { projectId, body })
  const result = results['1']!
  if (result.status === 'failed') throw new Error(result.message)
  return result.work_order_number!
}
