import type { Connection } from '@slipway/sdk'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../lib/client.ts'
import { onChange } from '../lib/live.ts'
import { queryClient } from '../lib/query-client.ts'

export type { Connection }

export const connectionsQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'connections', id],
    queryFn: async ({ signal }) => (await clientOf(projectId).connections.list(id, { signal })).items,
  })

const FOLLOWED = new Set(['requirements_document', 'blueprint', 'work_order', 'theme', 'feedback_item', 'artifact'])
const AFTER_MS = 400
const TYPED_MS = 3_000
let timer: ReturnType<typeof setTimeout> | undefined
let dueAt = 0

/** Titles, states and versions of what is connected change anywhere, so what is on the screen is read again. */
export function followConnections(): () => void {
  return onChange(({ subject_type, payload }, projectId) => {
    if (!FOLLOWED.has(subject_type)) return
    const due = Date.now() + (payload?.folded ? TYPED_MS : AFTER_MS)
    if (timer !== undefined && dueAt <= due) return
    clearTimeout(timer)
    dueAt = due
    timer = setTimeout(() => {
      timer = undefined
      void queryClient.invalidateQueries({ queryKey: [projectId, 'connections'] })
    }, due - Date.now())
  })
}
