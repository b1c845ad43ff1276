import * as api from '@slipway/sdk/resources'
import { restoreVersion as restore } from '../../history/restore.ts'
import { callOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'
import { type HistoryEntry, historyQuery, versionsQuery } from '../api.ts'
import { documentsOf, type Kind } from '../kind.ts'

interface Place {
  projectId: string
  kind: Kind
  id: string
}

const reload = ({ projectId, kind, id }: Place) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: historyQuery(projectId, kind, id).queryKey }),
    queryClient.invalidateQueries({ queryKey: versionsQuery(projectId, kind, id).queryKey }),
  ])

export const restoreVersion = (place: Place, version: HistoryEntry, current: HistoryEntry | undefined) =>
  restore(
    {
      send: (versionId) => documentsOf(place.projectId, place.kind).restoreVersion(place.id, versionId),
      reload: () => reload(place),
    },
    version,
    current,
  )

/** Shows the name at once. Null takes it away. */
export async function nameVersion(place: Place, version: HistoryEntry, name: string | null, isUndo = false) {
  const { projectId, kind, id } = place
  const before = version.name
  if (name === before) return
  const { queryKey } = historyQuery(projectId, kind, id)
  await queryClient.cancelQueries({ queryKey })
  queryClient.setQueryData(queryKey, (all) =>
    all?.map((one) => (one.version_id === version.version_id ? { ...one, name } : one)),
  )
  try {
    const body = { version_name: name }
    const call = callOf(projectId)
    if (kind === 'requirements') await api.requirements(call).nameVersion(id, version.version_id, body)
    else await api.blueprints(call).nameVersion(id, version.version_id, body)
    const run = () => void nameVersion(place, { ...version, name }, before, true)
    const text = name ? `Version ${version.version_number} is named “${name}”` : 'The name was taken away'
    showToast(isUndo ? { text } : { text, undo: run })
  } catch (err) {
    const run = () => void nameVersion(place, version, name, isUndo)
    showToast({
      text: `Version ${version.version_number} could not be named`,
      detail: (err as Error).message,
      tone: 'error',
      action: { label: 'Retry', run },
    })
  }
  await reload(place)
}
