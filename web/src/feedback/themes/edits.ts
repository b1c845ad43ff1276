import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { inWords } from '../../lib/kinds.ts'
import { openAddress } from '../../lib/navigate.ts'
import { compareTitles } from '../../lib/outbox/compare-titles.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { showToast } from '../../lib/toasts.ts'
import { undoUnlessChanged } from '../../lib/undo-unless-changed.ts'
import type { Person } from '../../people/Avatar.tsx'
import type { ThemeRow } from './api.ts'
import { reloadFeedback, showTheme } from './cache.ts'

export type Values = Pick<ThemeRow, 'title' | 'description' | 'status' | 'type' | 'priority'>
type Field = 'title' | 'description'

const nameOf = ({ display_id, title }: ThemeRow) => `${display_id} “${title}”`

interface TextChange {
  row: ThemeRow
  field: Field
  text: string
  isUndo?: boolean
}

/** A text that somebody else has changed since is compared, not replaced. */
const saveText = defineWrite<TextChange, unknown>({
  name: 'feedback.theme-text',
  waits: true,
  words: ({ text }) => [text],
  about: ({ row, field, text }) => ({ text: textWords(row, field, text), subjects: [row.id], part: field }),
  send: ({ row, field, text }, { projectId, key }) => {
    const change =
      field === 'title'
        ? { title: text, expected_title: row.title }
        : { description: text, expected_description: row.description }
    return api.feedback(callOf(projectId)).updateTheme(row.id, change, { idempotencyKey: key })
  },
  show: ({ row, field, text }, projectId) => showTheme(projectId, row.id, { [field]: text }),
  hide({ row, field }, projectId) {
    showTheme(projectId, row.id, { [field]: row[field] })
    reloadFeedback(projectId)
  },
  saved(_, { row, field, text, isUndo }, { projectId }) {
    reloadFeedback(projectId)
    if (isUndo) return showToast({ text: `${row.display_id}: change undone` })
    const now = { ...row, [field]: text }
    offerUndo(projectId, now, { [field]: text }, textWords(row, field, text), () =>
      saveText(projectId, { row: now, field, text: row[field], isUndo: true }),
    )
  },
  failure: ({ row }) => `${row.display_id} could not be changed`,
  comparison: compareTitles({
    of: ({ row, field, text }) => ({ id: row.id, title: text, before: row[field] }),
    called: ({ row, field }) => `${inWords(field)} of ${row.display_id}`,
    rebased: ({ row, field }, text, before) => ({ row: { ...row, [field]: before }, field, text }),
    read: async ({ row, field }, projectId) => (await api.feedback(callOf(projectId)).getTheme(row.id)).data[field],
    isRenaming: ({ kind }) => kind === 'theme.updated',
    show({ row, field }, text, projectId) {
      showTheme(projectId, row.id, { [field]: text })
      reloadFeedback(projectId)
    },
  }),
})

const textWords = ({ display_id }: ThemeRow, field: Field, text: string) =>
  field === 'title' ? `${display_id} renamed to “${text}”` : `${display_id}: description changed`

type Choice = Partial<Omit<Values, Field>>

interface Change {
  row: ThemeRow
  change: Choice
  isUndo?: boolean
}

const wordsOf = ({ row, change: { status, type, priority } }: Change) =>
  row.status !== 'unresolved' && status === 'unresolved'
    ? `${row.display_id} opened again`
    : `${row.display_id}: ${inWords(status ?? type ?? priority ?? '')}`

const before = ({ row, change }: Change): Choice =>
  Object.fromEntries(Object.keys(change).map((field) => [field, row[field as keyof Choice]]))

const saveValues = defineWrite<Change, unknown>({
  name: 'feedback.theme-values',
  waits: true,
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
    const { row } = change
    if (change.isUndo) return showToast({ text: `${row.display_id}: change undone` })
    const now = { ...row, ...change.change }
    offerUndo(projectId, now, change.change, wordsOf(change), () =>
      saveValues(projectId, { row: now, change: before(change), isUndo: true }),
    )
  },
  failure: ({ row }) => `${row.display_id} could not be changed`,
})

/** Undo leaves alone what somebody else has changed since. */
function offerUndo(projectId: string, now: ThemeRow, left: Partial<Values>, text: string, run: () => unknown): void {
  const undo = () =>
    void undoUnlessChanged({
      projectId,
      what: nameOf(now),
      isAsLeft: async () => {
        const { data } = await api.feedback(callOf(projectId)).getTheme(now.id)
        return Object.entries(left).every(([field, value]) => data[field as keyof Values] === value)
      },
      isSuch: ({ subject_id, kind }) => subject_id === now.id && kind === 'theme.updated',
      run: () => void run(),
    })
  showToast({ text, undo })
}

/** Texts are writes by themselves, so that one which is compared does not hold up the rest. */
export function changeTheme(projectId: string, row: ThemeRow, change: Partial<Values>): void {
  const { title, description, ...choice } = change
  if (title !== undefined) void saveText(projectId, { row, field: 'title', text: title })
  if (description !== undefined) void saveText(projectId, { row, field: 'description', text: description })
  if (Object.keys(choice).length > 0) void saveValues(projectId, { row, change: choice })
}

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
    if (isUndo) return showToast({ text: `${row.display_id}: change undone` })
    const undo = () => void assignTheme(projectId, { row: { ...row, assignee }, assignee: row.assignee, isUndo: true })
    showToast({ text: `${row.display_id} assigned to ${assignee?.name ?? 'nobody'}`, undo })
  },
  failure: ({ row }) => `The owner of ${row.display_id} could not be changed`,
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
