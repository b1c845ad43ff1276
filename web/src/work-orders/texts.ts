import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import type { DraftStart } from '../lib/drafts.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { showToast } from '../lib/toasts.ts'
import type { LoadedWorkOrder, WorkOrderFields } from './api.ts'
import { refreshDetail, showValuesOf } from './rows/cache.ts'
import type { Plan, WorkOrder } from './work-order.ts'

/** The texts of a work order that people edit at length. Nobody's version is overwritten unseen. */
export type TextField = 'title' | 'description' | 'plan'

export interface TextChange {
  id: string
  number: number
  field: TextField
  text: string
  /** The text that the change started from, and the state of the work order then. */
  base: string
  etag: string | undefined
  /** Kept with the plan. */
  files: Plan['files']
}

export const FIELD_NAMES: Record<TextField, string> = {
  title: 'Title',
  description: 'Description',
  plan: 'Implementation plan',
}

export const textOf = (workOrder: WorkOrder, field: TextField): string =>
  field === 'title'
    ? workOrder.title
    : field === 'description'
      ? workOrder.markdown_content
      : (workOrder.implementation_plan?.markdown_content ?? '')

/** As events name them. */
const NAMES: Record<TextField, string> = {
  title: 'title',
  description: 'markdown_content',
  plan: 'implementation_plan',
}
const LAST_CHANGES = 20

const valuesOf = ({ field, files }: TextChange, text: string): Partial<WorkOrder> & WorkOrderFields =>
  field === 'title'
    ? { title: text }
    : field === 'description'
      ? { markdown_content: text }
      : { implementation_plan: { files, markdown_content: text } }

const saveText = defineWrite<TextChange, LoadedWorkOrder | undefined>({
  name: 'work-orders.text',
  waits: true,
  words: ({ text }) => [text],
  about: ({ id, number, field }) => ({
    text: `${FIELD_NAMES[field]} of WO-${number}`,
    subjects: [id],
    part: field,
  }),
  async send(change, { projectId }) {
    const { data, meta } = await api.workOrders(callOf(projectId)).update(change.id, valuesOf(change, change.text), {
      ifMatch: change.etag,
    })
    return { ...data, etag: meta.etag }
  },
  show: (change, projectId) => showText(projectId, change, change.text, change.etag),
  hide(change, projectId) {
    showText(projectId, change, change.base, change.etag)
    // Others may have changed it since.
    refreshDetail(projectId, change.number)
  },
  saved(answer, change, { projectId }) {
    if (answer) {
      const { connectedContext: _, ...values } = answer
      showValuesOf(projectId, change.id, values)
    } else refreshDetail(projectId, change.number)
    if (change.field !== 'title' || change.text === change.base || !answer) return
    const { text, base } = change
    const undo = () => void saveText(projectId, { ...change, text: base, base: text, etag: answer.etag })
    showToast({ text: `WO-${change.number}: new title`, undo })
  },
  comparison: {
    title: ({ number, field }) => `${FIELD_NAMES[field]} of WO-${number}`,
    base: ({ base }) => base,
    mine: ({ text }) => text,
    async read({ id, field }, projectId) {
      const call = callOf(projectId)
      const { data, meta } = await api.workOrders(call).get(id)
      const { items } = await api.changes(call).list({ subject_id: id, limit: LAST_CHANGES })
      const by = items.find(({ payload }) => (payload.fields as string[] | undefined)?.includes(NAMES[field]))?.actor
        .name
      return { text: textOf(data, field), etag: meta.etag, by, beside: data.implementation_plan?.files }
    },
    rebased: (change, text, { text: base, etag, beside }) => ({
      ...change,
      text,
      base,
      etag,
      files: (beside as Plan['files'] | undefined) ?? change.files,
    }),
    showTheirs(change, { text, etag }, projectId) {
      showText(projectId, change, text, etag)
      refreshDetail(projectId, change.number)
    },
  },
})

/** A text and the state that it belongs to are shown together: the next edit starts from both. */
const showText = (projectId: string, change: TextChange, text: string, etag: string | undefined) =>
  showValuesOf(projectId, change.id, { ...valuesOf(change, text), etag })

export const startOf = (workOrder: LoadedWorkOrder, field: TextField): DraftStart => ({
  text: textOf(workOrder, field),
  etag: workOrder.etag,
})

export const editText = (
  projectId: string,
  workOrder: LoadedWorkOrder,
  field: TextField,
  text: string,
  from = startOf(workOrder, field),
) =>
  saveText(projectId, {
    id: workOrder.id,
    number: workOrder.work_order_number,
    field,
    text,
    base: from.text,
    etag: from.etag,
    files: workOrder.implementation_plan?.files ?? [],
  })
