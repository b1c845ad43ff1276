import { skipToken, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { showWrites } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'
import { membersQuery } from '../../people/members.ts'
import { type LoadedWorkOrder, rowsQuery, workOrderQuery } from '../api.ts'
import type { WorkOrder, WorkOrderRow } from '../work-order.ts'

/** Changes what is shown of work orders, without asking the server. */
export function showValues(projectId: string, changes: Map<string, Partial<LoadedWorkOrder>>): void {
  if (changes.size === 0) return
  queryClient.setQueryData(rowsQuery(projectId).queryKey, (rows) =>
    rows?.map((row) => {
      const { etag: _, ...values } = changes.get(row.id) ?? {}
      return changes.has(row.id) ? { ...row, ...values } : row
    }),
  )
  for (const query of queryClient.getQueryCache().findAll({ queryKey: [projectId, 'work-order'] })) {
    const one = query.state.data as LoadedWorkOrder | undefined
    if (one && changes.has(one.id)) queryClient.setQueryData(query.queryKey, { ...one, ...changes.get(one.id) })
  }
}

export const showValuesOf = (projectId: string, id: string, values: Partial<LoadedWorkOrder>) =>
  showValues(projectId, new Map([[id, values]]))

/** Shows a work order in the lists as the server has it, or adds it to them. */
export function showRow(projectId: string, { ...workOrder }: WorkOrder): void {
  if (!queryClient.getQueryData(rowsQuery(projectId).queryKey)) refreshRows(projectId)
  queryClient.setQueryData(rowsQuery(projectId).queryKey, (rows) => {
    if (!rows) return rows
    const { markdown_content: _, implementation_plan: __, connectedContext: ___, created_at: ____, ...rest } = workOrder
    const people = queryClient.getQueryData(membersQuery(projectId).queryKey)
    const row = { ...rest, assignee: people?.find(({ id }) => id === rest.assignee?.id) ?? rest.assignee }
    const known = rows.some(({ id }) => id === row.id)
    return known
      ? rows.map((one) => (one.id === row.id ? { ...one, ...row } : one))
      : [...rows, { ...row, comment_count: 0 }]
  })
  showWrites(projectId)
}

export function hideRows(projectId: string, ids: Set<string>): void {
  queryClient.setQueryData(rowsQuery(projectId).queryKey, (all) => all?.filter(({ id }) => !ids.has(id)))
}

export function changeCommentCount(projectId: string, id: string, by: number): void {
  queryClient.setQueryData(rowsQuery(projectId).queryKey, (rows) =>
    rows?.map((row) => (row.id === id ? { ...row, comment_count: Math.max(0, (row.comment_count ?? 0) + by) } : row)),
  )
}

/** Reads one again that is on screen in full. */
export const refreshDetail = (projectId: string, number: number) =>
  void queryClient.invalidateQueries({ queryKey: workOrderQuery(projectId, number).queryKey })

export const refreshRows = (projectId: string) =>
  void queryClient.invalidateQueries({ queryKey: rowsQuery(projectId).queryKey })

export const findRow = (projectId: string, id: string): WorkOrderRow | undefined =>
  queryClient.getQueryData(rowsQuery(projectId).queryKey)?.find((row) => row.id === id) ??
  queryClient.getQueryData<LoadedWorkOrder>(findDetail(projectId, id) ?? [])

export const findByNumber = (projectId: string, number: number): WorkOrderRow | undefined =>
  queryClient.getQueryData(rowsQuery(projectId).queryKey)?.find((row) => row.work_order_number === number) ??
  queryClient.getQueryData(workOrderQuery(projectId, number).queryKey)

/** What the list or a page shows of these work orders. Nothing is loaded for it. */
export function useShownRows(projectId: string, ids: string[]): WorkOrderRow[] {
  const listed = useQuery({ ...rowsQuery(projectId), enabled: false }).data
  const opened = useQuery<LoadedWorkOrder>({
    queryKey: findDetail(projectId, ids[0] ?? '') ?? [projectId, 'work-order', 'none'],
    queryFn: skipToken,
  }).data
  return useMemo(() => {
    const wanted = new Set(ids)
    const found = (listed ?? []).filter(({ id }) => wanted.has(id))
    return found.length === 0 && opened ? [opened] : found
  }, [listed, opened, ids])
}

/** The key under which a work order is held in full. */
export const findDetail = (projectId: string, id: string) =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: [projectId, 'work-order'] })
    .find(({ state }) => (state.data as LoadedWorkOrder | null | undefined)?.id === id)?.queryKey
