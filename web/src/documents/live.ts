import { activityQuery } from '../activity/api.ts'
import { type Change, followChanges } from '../lib/changes.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { documentQuery, treeQuery } from './api.ts'
import { KINDS, type Kind } from './kind.ts'

/** Keeps tree and documents of a kind current. */
export function followDocuments(kind: Kind): void {
  followChanges((change, projectId) => {
    if (change.subject_type === KINDS[kind].resource) follow(change, projectId, kind)
  })
}

function follow({ subject_id: id, payload }: Change, projectId: string, kind: Kind): void {
  const keys = [
    treeQuery(projectId, kind).queryKey,
    documentQuery(projectId, kind, id).queryKey,
    [projectId, 'document-review', id],
    activityQuery(projectId, id).queryKey,
  ]
  void refreshSoon(keys, { isTyping: Boolean(payload?.folded) })
}
