import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { inWords } from '../../lib/kinds.ts'
import { openAddress } from '../../lib/navigate.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import { undoUnlessChanged } from '../../lib/undo-unless-changed.ts'
import type { Person } from '../../people/Avatar.tsx'
import type { ThemeRow } from './api.ts'
import { reloadFeedback, showTheme } from './cache.ts'

export type Values = Pick<ThemeRow, 'title' | 'description' | 'status' | 'type' | 'priority'>

interface Change {
  row: ThemeRow
  change: Partial<Values>
  isUndo?: boolean
}

const nameOf = ({ display_id, title }: ThemeRow) => `${display_id} “${title}”`

const wordsOf = ({ row, change }: Change) => {
  const { title, status, type, priority } = change
  const value = status ?? type ?? priority
  if (status && row.status !== 'unresolved' && status === 'unresolved') return `${row.display_id} opened again`
  if (value) return `${row.display_id}: ${inWords(value)}`
  return title === undefined ? `${row.display_id}: description changed` : `${row.display_id} renamed to “${title}”`
}

const before = ({ row, change }: Change): Partial<Values> =>
  Object.fromEntries(Object.keys(change).map((field) => [field, row[field as keyof Values]]))

const saveValues = defineWrite<Change, unknown>({
  name: 'feedback.theme-values',
  waits: true,
  words: ({ change }) => [change.title, change.description],
  about: (change) => ({
    text: wordsOf(change),
    subjects: [change.row.id],
    part: Object.keys(change.change)[0] ?? 'theme',
  }),
  send: ({ row, change }, { projectId, key }) =>
    api.feedback(callOf(projectId)).updateTheme(row.id, change, { idempotencyKey: key }),
  show: ({ row, change }, projectId) => showTheme(projectId, row.id, change),
  hide(change, projectId) {
    showTheme(projectId, change.row.id, before(change))
    reloadFeedback(projectId)
  },
  saved(_, change, { projectId }) {
    reloadFeedback(projectId)
    if (change.isUndo) return showToast({ text: `${change.row.display_id} as before` })
    const { row } = change
    const undo = () =>
      void undoUnlessChanged({
        projectId,
        what: nameOf(row),
        isAsLeft: async () => {
          const { data } = await api.feedback(callOf(projectId)).getTheme(row.id)
          return Object.entries(change.change).every(([field, value]) => data[field as keyof Values] === value)
        },
        isSuch: ({ subject_id, kind }) => subject_id === row.id && kind === 'theme.updated',
        run: () =>
          void saveValues(projectId, { row: { ...row, ...change.change }, change: before(change), isUndo: true }),
      })
    showToast({ text: wordsOf(change), undo })
  },
  failure: ({ row }) => `${row.display_id} is as before`,
})

export const changeTheme = (projectId: string, row: ThemeRow, change: Partial<Values>) =>
  saveValues(projectId, { row, change })

interface Assignment {
  row: ThemeRow
  assignee: Person | null
  isUndo?: boolean
}

export const assignTheme = defineWrite<Assignment, unknown>({
  name: 'feedback.theme-assignee',
  waits: true,
  about: ({ row, assignee }) => ({
    text: `${row.display_id} to ${assignee?.name ?? 'nobody'}`,
    subjects: [row.id],
    part: 'assignee',
  }),
  send: ({ row, assignee }, { projectId, key }) =>
    assignee
      ? api.feedback(callOf(projectId)).assignTheme(row.id, { user_id: assignee.id }, { idempotencyKey: key })
      : api.feedback(callOf(projectId)).unassignTheme(row.id, { idempotencyKey: key }),
  show: ({ row, assignee }, projectId) => showTheme(projectId, row.id, { assignee }),
  hide({ row }, projectId) {
    showTheme(projectId, row.id, { assignee: row.assignee })
    reloadFeedback(projectId)
  },
  saved(_, { row, assignee, isUndo }, { projectId }) {
    reloadFeedback(projectId)
    if (isUndo) return showToast({ text: `${row.display_id} as before` })
    const undo = () => void assignTheme(projectId, { row: { ...row, assignee }, assignee: row.assignee, isUndo: true })
    showToast({ text: `${row.display_id} assigned to ${assignee?.name ?? 'nobody'}`, undo })
  },
  failure: ({ row }) => `${row.display_id} is assigned as before`,
})

export type NewTheme = Pick<Values, 'title' | 'description' | 'type' | 'priority'>

/** Sent now: the answer has its number, and whoever makes it goes there. */
export const createTheme = defineWrite<NewTheme, { id: string; display_id: string }>({
  name: 'feedback.theme-create',
  waits: false,
  about: ({ title }) => ({ text: `New theme “${title}”`, subjects: [] }),
  send: async (theme, { projectId, key }) =>
    (await api.feedback(callOf(projectId)).createTheme(theme, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => reloadFeedback(projectId),
})

export const deleteTheme = defineWrite<ThemeRow, unknown>({
  name: 'feedback.theme-delete',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.feedback(callOf(projectId)).deleteTheme(id),
  saved(_, row, { projectId }) {
    reloadFeedback(projectId)
    showToast({ text: `${nameOf(row)} deleted` })
  },
  failure: (row) => `${nameOf(row)} was not deleted`,
})

type Made = 'work_order' | 'requirement'

/** Creates a work order or a requirement with what the theme says, linked to it. */
export const createFromTheme = defineWrite<{ row: ThemeRow; what: Made }, { name: string; address: string }>({
  name: 'feedback.theme-create-from',
  waits: false,
  about: ({ row }) => ({ subjects: [row.id] }),
  async send({ row, what }, { projectId, key }) {
    const feedback = api.feedback(callOf(projectId))
    if (what === 'requirement') {
      const { data } = await feedback.createRequirement(row.id, { idempotencyKey: key })
      return { name: `Requirement “${data.title}”`, address: `requirements/${data.id}` }
    }
    const { data } = await feedback.createWorkOrder(row.id, { idempotencyKey: key })
    return { name: `WO-${data.work_order_number}`, address: `work-orders/${data.work_order_number}` }
  },
  saved({ name, address }, { row }, { projectId }) {
    reloadFeedback(projectId)
    const open = { label: 'Open', run: () => openAddress(`/p/${projectId}/${address}`) }
    showToast({ text: `${name} created from ${row.display_id}`, action: open })
  },
  failure: ({ row, what }) =>
    `No ${what === 'requirement' ? 'requirement' : 'work order'} was created from ${row.display_id}`,
})
