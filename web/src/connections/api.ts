import type { Connection } from '@slipway/sdk'
import { queryOptions } from '@tanstack/react-query'
import { clientOf } from '../lib/client.ts'
import { onChange } from '../lib/live.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'

export type { Connection }

export const connectionsQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'connections', id],
    queryFn: async ({ signal }) => (await clientOf(projectId).connections.list(id, { signal })).items,
  })

const FOLLOWED = new Set(['requirements_document', 'blueprint', 'work_order', 'theme', 'feedback_item', 'artifact'])

/** Titles, states and versions of what is connected change anywhere, so what is on the screen is read again. */
export function followConnections(): () => void {
  return onChange(({ subject_type, payload }, projectId) => {
    if (FOLLOWED.has(subject_type))
      void refreshSoon([[projectId, 'connections']], { isTyping: Boolean(payload?.folded) })
  })
}
