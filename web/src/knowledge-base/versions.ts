import * as api from '@slipway/sdk/resources'
import type { HistoryEntry } from '../history/entry.ts'
import { restoreVersion as restore } from '../history/restore.ts'
import { callOf } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'

/** Writes an earlier version of a document as a new one. */
export const restoreVersion = (
  projectId: string,
  id: string,
  version: HistoryEntry,
  current: HistoryEntry | undefined,
): Promise<boolean> =>
  restore(
    {
      send: (versionId) => api.artifacts(callOf(projectId)).restoreVersion(id, versionId),
      reload: () => queryClient.invalidateQueries({ queryKey: [projectId, 'artifact', id] }),
    },
    version,
    current,
  )
