import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { defineWrite, discardWrite, retryWrite, type Write, writes } from '../lib/outbox/index.ts'
import { createStore } from '../lib/store.ts'
import { showToast } from '../lib/toasts.ts'
import { type BatchAnswer, type OperationResult, updateWorkOrders, type WorkOrderFields } from './api.ts'
import { hideRows, refreshDetail, refreshRows, showValues } from './rows/cache.ts'
import { codeOf, isNew, type WorkOrder, type WorkOrderRow } from './work-order.ts'

/** A change of one work order: what to send, and what to show until the server has answered. */
export interface Edit {
  row: WorkOrderRow
  fields: WorkOrderFields
  shows: Partial<WorkOrder>
  /** What an Undo takes back. If somebody has changed it since, their change stays. */
  expected?: WorkOrderFields
}

export interface BatchOutcome {
  projectId: string
  /** What was changed, in words: "Status to In review". */
  summary: string
  edits: Edit[]
  results: Map<string, OperationResult>
  requestId: string | undefined
  at: string
}

/** The last change of several rows that did not fully succeed. */
export const batchOutcome = createStore<BatchOutcome | undefined>(undefined)

interface Change {
  summary: string
  edits: Edit[]
}
const UNDONE = 'Undone'
const PARTS: Record<string, string> = { phase_id: 'phase', assignee_id: 'assignee', label_ids: 'label' }

const partOf = ({ edits }: Change) => {
  const [name = 'change'] = Object.keys(edits[0]?.fields ?? {})
  return PARTS[name] ?? name
}
const nameOf = (rows: WorkOrderRow[]) => (rows.length === 1 ? codeOf(rows[0]!) : `${rows.length} work orders`)
const rowsOf = ({ edits }: Change) => edits.map(({ row }) => row)

const textOf = (change: Change) =>
  `${nameOf(rowsOf(change))}${change.summary === UNDONE ? ': change undone' : `: ${change.summary}`}`

const saveValues = defineWrite<Change, BatchAnswer>({
  name: 'work-orders.values',
  waits: true,
  words: ({ edits }) => edits.flatMap(({ fields }) => [fields.title, fields.markdown_content]),
  about: (change) => ({
    text: textOf(change),
    subjects: rowsOf(change).map(({ id }) => id),
    part: partOf(change),
  }),
  async send({ summary, edits }, { projectId, key }) {
    const answer = await updateWorkOrders(
      projectId,
      edits.map(({ row, fields, expected }) => ({
        id: row.id,
        number: row.work_order_number,
        fields,
        ...(expected && { expected }),
      })),
      key,
    )
    if (summary === UNDONE) return answer
    const [only] = edits
    const refusal = edits.length === 1 && answer.results[only!.row.id]
    if (refusal && refusal.status === 'failed') throw new Error(refusal.message)
    return answer
  },
  show({ edits }, projectId) {
    const updated_at = new Date().toISOString()
    showValues(projectId, new Map(edits.map(({ row, shows }) => [row.id, { ...shows, updated_at }])))
  },
  hide(change, projectId) {
    showBefore(projectId, change.edits)
    // Others may have changed them since.
    refreshRows(projectId)
  },
  saved({ results, requestId }, { summary, edits }, { projectId }) {
    const failed = edits.filter(({ row }) => results[row.id]?.status !== 'succeeded')
    const done = edits.filter((edit) => !failed.includes(edit))
    showBefore(projectId, failed)
    for (const { row } of done) refreshDetail(projectId, row.work_order_number)
    if (failed.length > 0) refreshRows(projectId)
    if (failed.length > 0 && summary === UNDONE) return void tellNotUndone(projectId, failed, results)
    if (failed.length > 0)
      return batchOutcome.set({
        projectId,
        summary,
        edits,
        results: new Map(Object.entries(results)),
        requestId,
        at: new Date().toISOString(),
      })
    const name = nameOf(edits.map(({ row }) => row))
    if (summary === UNDONE) return showToast({ text: `${name}: change undone` })
    const undo = () => void editWorkOrders(projectId, UNDONE, done.map(reverse))
    showToast({ text: `${name}: ${summary}`, undo })
  },
  failure: (change) => `${textOf(change)} was not saved`,
})

/** Applies changes at once and sends them. What the server refuses is shown as it was, with the reason. */
export async function editWorkOrders(projectId: string, summary: string, edits: Edit[]): Promise<void> {
  const ids = new Set(edits.map(({ row }) => row.id))
  // A newer change replaces one that was not saved.
  for (const write of failedOf(writes.get()))
    if (write.part === partOf({ summary, edits }) && write.subjects.every((id) => ids.has(id))) discardWrite(write.id)
  await saveValues(projectId, { summary, edits })
}

const showBefore = (projectId: string, edits: Edit[]) =>
  showValues(
    projectId,
    new Map(edits.map(({ row, shows }) => [row.id, { ...valuesBefore(row, shows), updated_at: row.updated_at! }])),
  )

const valuesBefore = (row: WorkOrderRow, shows: Partial<WorkOrder>): Partial<WorkOrder> =>
  Object.fromEntries(Object.keys(shows).map((name) => [name, (row as unknown as Record<string, unknown>)[name]]))

/** The change that takes this one back. */
export function reverse({ row, fields, shows }: Edit): Edit {
  const old: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    if (name === 'assignee_id') old[name] = row.assignee?.id ?? null
    else if (name === 'phase_id') old[name] = row.phase?.id ?? null
    else if (name === 'label_ids') old[name] = row.labels.filter((one) => !isNew(one)).map(({ id }) => id)
    else old[name] = (row as unknown as Record<string, unknown>)[name]
  }
  const before = valuesBefore(row, shows)
  return { row: { ...row, ...shows }, fields: old as WorkOrderFields, shows: before, expected: fields }
}

const LAST_CHANGES = 20

/** Says whose newer change an Undo has left alone. */
async function tellNotUndone(projectId: string, failed: Edit[], results: BatchAnswer['results']): Promise<void> {
  const [{ row, fields }] = failed as [Edit]
  // "label_ids" are "labels" in an event.
  const names = Object.keys(fields).map((name) => name.replace(/_ids?$/, ''))
  const { items } = await api
    .changes(callOf(projectId))
    .list({ subject_id: row.id, limit: LAST_CHANGES })
    .catch(() => ({ items: [] }))
  const last = items.find(({ payload }) =>
    (payload.fields as string[] | undefined)?.some((field) => names.some((name) => field.startsWith(name))),
  )
  const who = last ? `${last.actor.name} changed ${failed.length === 1 ? 'it' : codeOf(row)} since` : 'Changed since'
  showToast({
    text: `${nameOf(failed.map((edit) => edit.row))} not undone. ${who}.`,
    detail: results[row.id]?.message ?? '',
    tone: 'error',
  })
}

const failedOf = (all: readonly Write[]) =>
  all.filter(({ kind, state }) => kind === 'work-orders.values' && state === 'failed')

/** Rows whose last change was refused, with what to do about it. They stay marked until it is retried or dismissed. */
export const failedEdits = createStore<Map<string, { message: string; retry(): void; dismiss(): void }>>(new Map())
writes.subscribe(() => {
  const failed = failedOf(writes.get())
  if (failed.length === 0 && failedEdits.get().size === 0) return
  failedEdits.set(
    new Map(
      failed.flatMap(({ id, subjects, text, fault }) => {
        const mark = {
          message: `${text} was not saved. ${fault!.message}`,
          retry: () => retryWrite(id),
          dismiss: () => discardWrite(id),
        }
        return subjects.map((subject) => [subject, mark] as const)
      }),
    ),
  )
})

const removeRows = defineWrite<{ rows: WorkOrderRow[] }, BatchAnswer>({
  name: 'work-orders.delete',
  waits: true,
  about: ({ rows }) => ({ text: `Delete ${nameOf(rows)}`, subjects: rows.map(({ id }) => id), part: 'deletion' }),
  send: ({ rows }, { projectId, key }) =>
    updateWorkOrders(
      projectId,
      rows.map(({ id, work_order_number }) => ({ id, number: work_order_number, remove: true })),
      key,
    ),
  show: ({ rows }, projectId) => hideRows(projectId, new Set(rows.map(({ id }) => id))),
  hide: (_, projectId) => refreshRows(projectId),
  saved: (_, { rows }) =>
    showToast({ text: rows.length === 1 ? `${nameOf(rows)} was deleted` : `${nameOf(rows)} were deleted` }),
  failure: () => 'Nothing was deleted.',
})

/** Deletes work orders. The caller has asked for confirmation. */
export const deleteWorkOrders = async (projectId: string, rows: WorkOrderRow[]): Promise<void> =>
  void (await removeRows(projectId, { rows }))
