import { openAddress } from '../../lib/navigate.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import { createWorkOrder, type WorkOrderFields } from '../api.ts'
import { refreshRows } from '../rows/cache.ts'
import { codeOf } from '../work-order.ts'

interface NewWorkOrder {
  fields: WorkOrderFields & { title: string }
}

export const addWorkOrder = defineWrite<NewWorkOrder, { id: string; number: number }>({
  name: 'work-orders.create',
  waits: true,
  words: ({ fields }) => [fields.title, fields.markdown_content],
  about: ({ fields }) => ({ text: `Create “${fields.title}”`, subjects: [], part: 'creation' }),
  send: ({ fields }, { projectId, key }) => createWorkOrder(projectId, fields, key),
  saved({ number }, _, { projectId }) {
    refreshRows(projectId)
    const open = () => openAddress(`/p/${projectId}/work-orders/${number}`)
    showToast({ text: `${codeOf({ work_order_number: number })} created`, action: { label: 'Open', run: open } })
  },
})
