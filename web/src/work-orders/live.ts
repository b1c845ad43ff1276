import { onChange } from '../lib/live.ts'
import { queryClient } from '../lib/query-client.ts'

const GATHER_MS = 120
const KINDS = new Set(['work_order', 'work_order_comment', 'label', 'phase'])
let timer: ReturnType<typeof setTimeout> | undefined

/** Reads again what others changed. Changes that arrive together cost one request. */
export const followWorkOrders = () =>
  onChange((change, projectId) => {
    if (!KINDS.has(change.subject_type)) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      for (const name of ['work-orders', 'work-order', 'comments', 'labels', 'phases'])
        void queryClient.invalidateQueries({ queryKey: [projectId, name] })
    }, GATHER_MS)
  })
