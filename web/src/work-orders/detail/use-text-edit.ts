import { useWrites } from '../../lib/outbox/index.ts'
import { useLongText } from '../../ui/use-long-text.ts'
import type { LoadedWorkOrder } from '../api.ts'
import { editText, startOf, type TextChange, type TextField } from '../texts.ts'

/** Editing the description or the plan. */
export function useTextEdit(projectId: string, workOrder: LoadedWorkOrder, field: TextField) {
  return useLongText({
    draft: `${workOrder.id}-${field}`,
    start: startOf(workOrder, field),
    write: useWrites(workOrder.id).find(({ kind, part }) => kind === 'work-orders.text' && part === field),
    lost({ input }) {
      const { text, base, etag } = input as TextChange
      return { text, from: { text: base, etag } }
    },
    send: (text, from) => void editText(projectId, workOrder, field, text, from),
  })
}
