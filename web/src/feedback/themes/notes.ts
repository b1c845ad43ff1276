import { PreconditionFailedError } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { callOf } from '../../lib/client.ts'
import type { DraftStart } from '../../lib/drafts.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'
import { feedbackKey } from '../api.ts'
import type { ThemeRow } from './api.ts'

/** The long text of a theme. Lists do not have it. */
export const notesQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...feedbackKey(projectId), 'theme-notes', id],
    queryFn: () => readNotes(projectId, id),
  })

async function readNotes(projectId: string, id: string): Promise<DraftStart> {
  const { data, meta } = await api.feedback(callOf(projectId)).getTheme(id)
  return { text: data.markdown_content, etag: meta.etag }
}

export interface NotesChange {
  id: string
  code: string
  text: string
  /** The text that the change started from, and the state of the theme then. */
  base: string
  etag: string | undefined
}

const show = (projectId: string, id: string, notes: DraftStart) =>
  queryClient.setQueryData(notesQuery(projectId, id).queryKey, notes)
const readAgain = (projectId: string, id: string) =>
  void queryClient.invalidateQueries({ queryKey: notesQuery(projectId, id).queryKey })

const LAST_CHANGES = 20

const saveNotes = defineWrite<NotesChange, DraftStart>({
  name: 'feedback.theme-notes',
  waits: true,
  words: ({ text }) => [text],
  about: ({ id, code }) => ({ text: `Notes of ${code}`, subjects: [id], part: 'notes' }),
  async send({ id, text, base, etag: first }, { projectId }) {
    let etag = first
    for (;;)
      try {
        const { meta } = await api
          .feedback(callOf(projectId))
          .updateTheme(id, { markdown_content: text }, { ifMatch: etag })
        return { text, etag: meta.etag }
      } catch (err) {
        if (!(err instanceof PreconditionFailedError)) throw err
        // A new quote changes the theme too. Only other notes are compared.
        const now = await readNotes(projectId, id)
        if (now.text !== base || now.etag === etag) throw err
        etag = now.etag
      }
  },
  show: ({ id, text, etag }, projectId) => show(projectId, id, { text, etag }),
  hide({ id, base, etag }, projectId) {
    show(projectId, id, { text: base, etag })
    readAgain(projectId, id)
  },
  saved: (notes, { id }, { projectId }) => show(projectId, id, notes),
  comparison: {
    title: ({ code }) => `Notes of ${code}`,
    base: ({ base }) => base,
    mine: ({ text }) => text,
    async read({ id }, projectId) {
      const { items } = await api.changes(callOf(projectId)).list({ subject_id: id, limit: LAST_CHANGES })
      const by = items.find(({ payload }) => (payload.fields as string[] | undefined)?.includes('markdown_content'))
      return { ...(await readNotes(projectId, id)), by: by?.actor.name }
    },
    rebased: (change, text, { text: base, etag }) => ({ ...change, text, base, etag }),
    showTheirs({ id }, { text, etag }, projectId) {
      show(projectId, id, { text, etag })
      readAgain(projectId, id)
    },
  },
})

export const editNotes = (projectId: string, { id, display_id }: ThemeRow, text: string, from: DraftStart) =>
  saveNotes(projectId, { id, code: display_id, text, base: from.text, etag: from.etag })
