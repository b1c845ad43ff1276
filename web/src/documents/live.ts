import { type Change, onChange } from '../lib/live.ts'
import { refreshSoon } from '../lib/refresh-soon.ts'
import { countQuery, documentQuery, treeQuery } from './api.ts'
import { type Kind, kindOfResource } from './kind.ts'

/** Keeps trees and documents current. */
export function followDocuments(): () => void {
  return onChange((change, projectId) => {
    const kind = kindOfResource(change.subject_type)
    if (kind) follow(change, projectId, kind)
  })
}

function follow({ kind: event, subject_id: id, payload }: Change, projectId: string, kind: Kind): void {
  const keys = [
    treeQuery(projectId, kind).queryKey,
    documentQuery(projectId, kind, id).queryKey,
    [projectId, 'document-review', id],
  ]
  void refreshSoon(keys, { isTyping: Boolean(payload?.folded) })
  if (/\.(created|deleted)$/.test(event)) void refreshSoon([countQuery(projectId, kind).queryKey])
}
