import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from '../lib/client.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { showToast } from '../lib/toasts.ts'
import { undoUnlessChanged } from '../lib/undo-unless-changed.ts'
import { readRow, reloadRows } from './shown-rows.ts'

/** What a file had before its content was replaced, the newest first. */
export const earlierQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [projectId, 'artifact', id, 'earlier'],
    queryFn: async ({ signal }) => (await api.artifacts(callOf(projectId)).listEarlierContents(id, { signal })).items,
  })

interface File {
  id: string
  name: string
}

const restore = defineWrite<File & { earlierId: string }, { updated_at: string }>({
  name: 'knowledge-base.content',
  // Sent later, it would replace what others have uploaded since.
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id, earlierId }, { projectId, key }) =>
    (await api.artifacts(callOf(projectId)).restoreEarlierContent(id, earlierId, { idempotencyKey: key })).data,
  saved({ updated_at }, { id, name }, { projectId }) {
    void reloadRows(projectId)
    const undo = () => undoReplacement(projectId, { id, name }, updated_at)
    showToast({ text: `“${name}” has its earlier content again`, undo })
  },
  failure: ({ name }) => `The earlier content of “${name}” was not restored`,
})

export const restoreContent = (projectId: string, file: File, earlierId: string) =>
  void restore(projectId, { ...file, earlierId })

/** Restores what a file had before the replacement at this time, unless it was changed since. */
export const undoReplacement = (projectId: string, { id, name }: File, updatedAt: string) =>
  void undoUnlessChanged({
    projectId,
    what: `“${name}”`,
    isAsLeft: async () => (await readRow(projectId, id))?.updated_at === updatedAt,
    isSuch: ({ subject_id, kind }) => subject_id === id && /updated|deleted/.test(kind),
    async run() {
      const [last] = (await api.artifacts(callOf(projectId)).listEarlierContents(id)).items
      if (last) restoreContent(projectId, { id, name }, last.id)
    },
  })
