import { type Change, onChange } from '../lib/live.ts'
import { queryClient } from '../lib/query-client.ts'
import { soon } from '../lib/soon.ts'
import { documentQuery, treeQuery } from './api.ts'
import { KINDS, type Kind } from './kind.ts'

const TYPED_MS = 3_000
const CHANGED_MS = 150

/** Keeps tree and documents of a kind current. Typing changes a document every second, so it is followed at a distance. */
export function followDocuments(kind: Kind): void {
  onChange((change, projectId) => {
    if (change.subject_type === KINDS[kind].resource) follow(change, projectId, kind)
  })
}

function follow({ subject_id: id, payload }: Change, projectId: string, kind: Kind): void {
  const afterMs = payload?.folded ? TYPED_MS : CHANGED_MS
  soon(`tree ${projectId} ${kind}`, afterMs, () =>
    queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey }),
  )
  soon(`document ${id}`, afterMs, () => {
    void queryClient.invalidateQueries({ queryKey: documentQuery(projectId, kind, id).queryKey })
    void queryClient.invalidateQueries({ queryKey: [projectId, 'document-review', id] })
  })
}
