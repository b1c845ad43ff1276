import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import type { DraftStart } from '../lib/drafts.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { queryClient } from '../lib/query-client.ts'
import { textQuery } from './api.ts'
import { reloadRows } from './shown-rows.ts'

export interface TextChange {
  id: string
  name: string
  text: string
  /** The text that the change started from, and the state of the document then. */
  base: string
  etag: string | undefined
}

const LAST_CHANGES = 20

const showText = (projectId: string, id: string, text: string, etag: string | undefined) =>
  void queryClient.setQueryData(textQuery(projectId, id).queryKey, { text, etag })

const saveText = defineWrite<TextChange, string | undefined>({
  name: 'knowledge-base.text',
  waits: true,
  words: ({ text }) => [text],
  about: ({ id, name }) => ({ text: `Text of “${name}”`, subjects: [id], part: 'text' }),
  send: async ({ id, text, etag }, { projectId }) =>
    (await api.artifacts(callOf(projectId)).update(id, { markdown_content: text }, { ifMatch: etag })).meta.etag,
  show: ({ id, text, etag }, projectId) => showText(projectId, id, text, etag),
  hide({ id, base, etag }, projectId) {
    showText(projectId, id, base, etag)
    // Others may have changed it since.
    void queryClient.invalidateQueries({ queryKey: textQuery(projectId, id).queryKey })
  },
  saved(etag, { id, text }, { projectId }) {
    showText(projectId, id, text, etag)
    void reloadRows(projectId)
  },
  comparison: {
    title: ({ name }) => `Text of “${name}”`,
    base: ({ base }) => base,
    mine: ({ text }) => text,
    async read({ id }, projectId) {
      const call = callOf(projectId)
      const { data, meta } = await api.artifacts(call).get(id)
      const { items } = await api.changes(call).list({ subject_id: id, limit: LAST_CHANGES })
      const by = items.find(({ payload }) => (payload.fields as string[] | undefined)?.includes('markdown_content'))
      return { text: data.markdown_content ?? '', etag: meta.etag, by: by?.actor.name }
    },
    rebased: (change, text, { text: base, etag }) => ({ ...change, text, base, etag }),
    showTheirs: ({ id }, { text, etag }, projectId) => showText(projectId, id, text, etag),
  },
})

export const editText = (
  projectId: string,
  { id, name }: { id: string; name: string },
  text: string,
  from: DraftStart,
) => saveText(projectId, { id, name, text, base: from.text, etag: from.etag })
