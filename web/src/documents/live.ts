import { type Change, onChange } from '../lib/live.ts'
import { queryClient } from '../lib/query-client.ts'
import { countQuery, documentQuery, treeQuery } from './api.ts'
import { type Kind, kindOfResource } from './kind.ts'

const waiting = new Map<string, ReturnType<typeof setTimeout>>()
const TYPED_MS = 3_000
const CHANGED_MS = 150

/** Keeps trees and documents current. Typing changes a document every second, so it is followed at a distance. */
export function followDocuments(): () => void {
  return onChange((change, projectId) => {
    const kind = kindOfResource(change.subject_type)
    if (kind) follow(change, projectId, kind)
  })
}

function follow({ kind: event, subject_id: id, payload }: Change, projectId: string, kind: Kind): void {
  const afterMs = payload?.folded ? TYPED_MS : CHANGED_MS
  soon(`${projectId} ${kind}`, afterMs, () => {
    void queryClient.invalidateQueries({ queryKey: treeQuery(projectId, kind).queryKey })
    if (/\.(created|deleted)$/.test(event))
      void queryClient.invalidateQueries({ queryKey: countQuery(projectId, kind).queryKey })
  })
  soon(id, afterMs, () => {
    void queryClient.invalidateQueries({ queryKey: documentQuery(projectId, kind, id).queryKey })
    void queryClient.invalidateQueries({ queryKey: [projectId, 'document-review', id] })
  })
}

function soon(name: string, afterMs: number, run: () => void): void {
  if (waiting.has(name) && afterMs >= TYPED_MS) return
  clearTimeout(waiting.get(name))
  waiting.set(
    name,
    setTimeout(() => {
      waiting.delete(name)
      run()
    }, afterMs),
  )
}
