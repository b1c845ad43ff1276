import { onChange } from '../lib/live.ts'
import { queryClient } from '../lib/query-client.ts'

const GATHER_MS = 120
const KINDS = new Set(['work_order', 'work_order_comment', 'work_order_view', 'label', 'phase'])
let timer: ReturnType<typeof setTimeout> | undefined

/** Reads again what others changed. Changes that arrive together cost one request. */
export const followWorkOrders = () =>
  onChange((change, projectId) => {
    if (!KINDS.has(change.subject_type)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      // Rows take their names from labels and phases.
      for (const name of ['labels', 'phases', 'views', 'work-orders', 'work-order', 'comments'])
        void queryClient.invalidateQueries({ queryKey: [projectId, name] })
    }, GATHER_MS)
  })
