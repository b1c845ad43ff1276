import type { Connection } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { onChange } from '../lib/changes.ts'
import { callOf } from '../lib/client.ts'
import { isKind } from '../lib/kinds.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'

export type { Connection }

export const connectionsQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'connections', id],
    queryFn: async ({ signal }) => (await api.connections(callOf(projectId)).list(id, { signal })).items,
  })

/** Titles, states and versions of what is connected change anywhere, so what is on the screen is read again. */
export function followConnections(): () => void {
  return onChange(({ subject_type, payload }, projectId) => {
    if (isKind(subject_type)) void refreshSoon([[projectId, 'connections']], { isTyping: Boolean(payload?.folded) })
  })
}
