import { queryClient } from '../lib/query-client.ts'
import { labelsQuery, phasesQuery, rowsQuery, type WorkOrderFields } from './api.ts'
import { editWorkOrders } from './edits.ts'
import { findRow } from './rows/cache.ts'
import type { Label, Phase, WorkOrder, WorkOrderRow } from './work-order.ts'

export const setLabels = (projectId: string, next: (all: Label[]) => Label[]) =>
  queryClient.setQueryData(labelsQuery(projectId).queryKey, (all) =>
    next(all ?? []).toSorted((a, b) => a.title.toLowerCase().localeCompare(b.title.toLowerCase())),
  )

export const setPhases = (projectId: string, next: (all: Phase[]) => Phase[]) =>
  queryClient.setQueryData(phasesQuery(projectId).queryKey, (all) => next(all ?? []))

type Values = Partial<Pick<WorkOrder, 'labels' | 'phase'>>

/** Shows rows with other labels, or in another phase. A row that stays the same is not drawn again. */
export function setRows(projectId: string, change: (row: WorkOrderRow) => Values | undefined): void {
  const apply = <T extends WorkOrderRow>(row: T): T => {
    const values = change(row)
    return values ? { ...row, ...values } : row
  }
  queryClient.setQueryData(rowsQuery(projectId).queryKey, (rows) => rows?.map(apply))
  const open = queryClient.getQueryCache().findAll({ queryKey: [projectId, 'work-order'] })
  for (const { queryKey, state } of open) {
    const one = state.data as WorkOrder | null | undefined
    if (one?.object === 'work_order') queryClient.setQueryData(queryKey, apply(one))
  }
}

/** Gives what was just created to the rows that it was created for, unless they have got something else meanwhile. */
export async function giveTo(
  projectId: string,
  ids: string[],
  summary: string,
  change: (row: WorkOrderRow) => { fields: WorkOrderFields; shows: Values } | undefined,
): Promise<void> {
  if (ids.length === 0) return
  const shown = ids.map((id) => findRow(projectId, id))
  const all = shown.includes(undefined) ? await queryClient.ensureQueryData(rowsQuery(projectId)) : []
  const edits = ids.flatMap((id, index) => {
    const row = shown[index] ?? all.find((one) => one.id === id)
    const values = row && change(row)
    return row && values ? [{ row, ...values }] : []
  })
  if (edits.length > 0) void editWorkOrders(projectId, summary, edits)
}

/** Rows get their names from phases and labels, so those are read first. */
export async function refreshVocabulary(projectId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: phasesQuery(projectId).queryKey }),
    queryClient.invalidateQueries({ queryKey: labelsQuery(projectId).queryKey }),
  ])
  await queryClient.invalidateQueries({ queryKey: rowsQuery(projectId).queryKey })
  await queryClient.invalidateQueries({ queryKey: [projectId, 'work-order'] })
}
