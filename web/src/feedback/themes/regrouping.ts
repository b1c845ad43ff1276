import type { ThemeRegrouping } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { countOf } from '../../lib/numbers.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import type { ThemeRow } from './api.ts'
import { reloadFeedback } from './cache.ts'

/*
 * Merging and splitting is sent now or not at all: what it would do hours later, nobody can foresee. The server keeps what
 * was before, so Undo is one request.
 */

type Named = Pick<ThemeRow, 'id' | 'display_id' | 'title'>

const undoRegrouping = defineWrite<{ id: string; text: string }, unknown>({
  name: 'feedback.theme-undo-regrouping',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId, key }) => api.feedback(callOf(projectId)).undoRegrouping(id, { idempotencyKey: key }),
  saved(_, { text }, { projectId }) {
    reloadFeedback(projectId)
    showToast({ text: `Undone: ${text}` })
  },
  failure: ({ text }) => `Not undone: ${text}`,
})

function offer(projectId: string, { id }: ThemeRegrouping, text: string): void {
  reloadFeedback(projectId)
  showToast({ text, undo: () => void undoRegrouping(projectId, { id, text }) })
}

interface Merge {
  from: Named
  into: Named
  reason?: string | undefined
}

export const mergeTheme = defineWrite<Merge, ThemeRegrouping>({
  name: 'feedback.theme-merge',
  waits: false,
  about: ({ from, into }) => ({ subjects: [from.id, into.id] }),
  send: async ({ from, into, reason }, { projectId, key }) => {
    const body = { into_theme_id: into.id, ...(reason && { reason }) }
    return (await api.feedback(callOf(projectId)).mergeTheme(from.id, body, { idempotencyKey: key })).data
  },
  saved: (done, { from, into }, { projectId }) =>
    offer(projectId, done, `${from.display_id} merged into ${into.display_id}`),
  failure: ({ from }) => `${from.display_id} was not merged`,
})

interface Split {
  from: Named
  title: string
  itemIds: string[]
  reason?: string | undefined
}

export const splitTheme = defineWrite<Split, ThemeRegrouping>({
  name: 'feedback.theme-split',
  waits: false,
  about: ({ from }) => ({ subjects: [from.id] }),
  send: async ({ from, title, itemIds, reason }, { projectId, key }) => {
    const body = { title, feedback_item_ids: itemIds, ...(reason && { reason }) }
    return (await api.feedback(callOf(projectId)).splitTheme(from.id, body, { idempotencyKey: key })).data
  },
  saved: (done, { title }, { projectId }) =>
    offer(projectId, done, `${countOf(done.quote_count, 'quote')} split off to “${title}”`),
  failure: ({ from }) => `${from.display_id} was not split`,
})

interface Move {
  from: Named
  into: Named
  itemIds: string[]
}

export const moveQuotes = defineWrite<Move, ThemeRegrouping>({
  name: 'feedback.theme-move-quotes',
  waits: false,
  about: ({ from, into }) => ({ subjects: [from.id, into.id] }),
  send: async ({ from, into, itemIds }, { projectId, key }) => {
    const body = { into_theme_id: into.id, feedback_item_ids: itemIds }
    return (await api.feedback(callOf(projectId)).moveQuotes(from.id, body, { idempotencyKey: key })).data
  },
  saved: (done, { into }, { projectId }) =>
    offer(projectId, done, `${countOf(done.quote_count, 'quote')} moved to ${into.display_id}`),
  failure: ({ from }) => `The quotes of ${from.display_id} could not be moved`,
})

/** The server keeps it, so Undo brings it back with its quotes and links. */
export const deleteTheme = defineWrite<Named, ThemeRegrouping>({
  name: 'feedback.theme-delete',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id }, { projectId, key }) =>
    (await api.feedback(callOf(projectId)).removeTheme(id, { idempotencyKey: key })).data,
  saved: (done, { display_id, title }, { projectId }) => offer(projectId, done, `${display_id} “${title}” deleted`),
  failure: ({ display_id, title }) => `${display_id} “${title}” was not deleted`,
})
