import { showToast } from '../app/toasts.tsx'
import { queryClient } from '../lib/query-client.ts'
import { createStore } from '../lib/store.ts'
import { type OperationResult, rowsQuery, updateWorkOrders, type WorkOrderFields, workOrderQuery } from './api.ts'
import { codeOf, type WorkOrder, type WorkOrderRow } from './work-order.ts'

/** A change of one work order: what to send, and what to show until the server has answered. */
export interface Edit {
  row: WorkOrderRow
  fields: WorkOrderFields
  shows: Partial<WorkOrder>
}

export interface BatchOutcome {
  projectId: string
  /** What was changed, in words: "Status to In review". */
  summary: string
  edits: Edit[]
  results: Map<string, OperationResult>
}

/** The last change of several rows that did not fully succeed. */
export const batchOutcome = createStore<BatchOutcome | undefined>(undefined)
/** Rows whose last change was refused, with what to do about it. They stay marked until it is retried or dismissed. */
export const failedEdits = createStore<Map<string, { message: string; retry(): void }>>(new Map())

/** Applies changes at once and sends them. What the server refuses is shown as it was, with the reason. */
export async function editWorkOrders(projectId: string, summary: string, edits: Edit[]): Promise<void> {
  const before = new Map(edits.map(({ row }) => [row.id, row]))
  clearFailures(edits)
  show(projectId, new Map(edits.map(({ row, shows }) => [row.id, shows])))
  const results = await send(projectId, edits)
  const failed = edits.filter(({ row }) => results.get(row.id)?.status !== 'succeeded')
  const done = edits.filter((edit) => !failed.includes(edit))
  show(projectId, new Map(failed.map(({ row, shows }) => [row.id, valuesBefore(before.get(row.id)!, shows)])))
  const undo = () => void editWorkOrders(projectId, 'Undone', done.map(reverse))
  if (failed.length === 0) {
    const name = edits.length === 1 ? codeOf(edits[0]!.row) : `${edits.length} work orders`
    const text = summary === 'Undone' ? `${name} as before` : `${name}: ${summary}`
    showToast(summary === 'Undone' ? { text } : { text, action: { label: 'Undo', run: undo } })
  } else if (edits.length > 1) batchOutcome.set({ projectId, summary, edits, results })
  else markFailed(projectId, summary, edits[0]!, results.get(edits[0]!.row.id)?.message ?? 'It was not saved.')
  void queryClient.invalidateQueries({ queryKey: [projectId, 'work-orders'] })
  for (const { row } of edits)
    void queryClient.invalidateQueries({ queryKey: workOrderQuery(projectId, row.work_order_number).queryKey })
}

async function send(projectId: string, edits: Edit[]): Promise<Map<string, OperationResult>> {
  await queryClient.cancelQueries({ queryKey: rowsQuery(projectId).queryKey })
  try {
    return await updateWorkOrders(
      projectId,
      edits.map(({ row, fields }) => ({ id: row.id, number: row.work_order_number, fields })),
    )
  } catch (err) {
    const { message } = err as Error
    const failed = { status: 'failed' as const, work_order_id: null, work_order_number: null, message }
    return new Map(edits.map(({ row }) => [row.id, failed]))
  }
}

/** Changes what is shown, without asking the server. */
function show(projectId: string, changes: Map<string, Partial<WorkOrder>>): void {
  if (changes.size === 0) return
  queryClient.setQueryData(rowsQuery(projectId).queryKey, (rows) =>
    rows?.map((row) => (changes.has(row.id) ? { ...row, ...changes.get(row.id) } : row)),
  )
  for (const query of queryClient.getQueryCache().findAll({ queryKey: [projectId, 'work-order'] })) {
    const one = query.state.data as WorkOrder | undefined
    if (one && changes.has(one.id)) queryClient.setQueryData(query.queryKey, { ...one, ...changes.get(one.id) })
  }
}

const valuesBefore = (row: WorkOrderRow, shows: Partial<WorkOrder>): Partial<WorkOrder> =>
  Object.fromEntries(Object.keys(shows).map((name) => [name, (row as unknown as Record<string, unknown>)[name]]))

/** The change that takes this one back. */
export function reverse({ row, fields, shows }: Edit): Edit {
  const old: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    if (name === 'assignee_id') old[name] = row.assignee?.id ?? null
    else if (name === 'phase_id') old[name] = row.phase?.id ?? null
    else if (name === 'label_ids') old[name] = row.labels.map(({ id }) => id)
    else old[name] = (row as unknown as Record<string, unknown>)[name]
  }
  return { row: { ...row, ...shows }, fields: old as WorkOrderFields, shows: valuesBefore(row, shows) }
}

function clearFailures(edits: Edit[]): void {
  const ids = new Set(edits.map(({ row }) => row.id))
  failedEdits.set((all) => new Map([...all].filter(([id]) => !ids.has(id))))
}

function markFailed(projectId: string, summary: string, edit: Edit, message: string): void {
  const retry = () => void editWorkOrders(projectId, summary, [edit])
  failedEdits.set((all) => new Map(all).set(edit.row.id, { message, retry }))
  const text = `${codeOf(edit.row)}: ${summary} was not saved`
  showToast({ text, detail: message, tone: 'error', action: { label: 'Retry', run: retry } })
}

/** Deletes work orders. The caller has asked for confirmation. */
export async function deleteWorkOrders(projectId: string, rows: WorkOrderRow[]): Promise<void> {
  const ids = new Set(rows.map(({ id }) => id))
  queryClient.setQueryData(rowsQuery(projectId).queryKey, (all) => all?.filter(({ id }) => !ids.has(id)))
  try {
    await updateWorkOrders(
      projectId,
      rows.map(({ id, work_order_number }) => ({ id, number: work_order_number, remove: true })),
    )
    showToast({
      text: rows.length === 1 ? `${codeOf(rows[0]!)} was deleted` : `${rows.length} work orders were deleted`,
    })
  } catch (err) {
    showToast({ text: 'Nothing was deleted.', detail: (err as Error).message, tone: 'error' })
  }
  void queryClient.invalidateQueries({ queryKey: [projectId, 'work-orders'] })
}
