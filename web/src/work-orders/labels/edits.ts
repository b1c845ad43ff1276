import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { compareTitles } from '../../lib/outbox/compare-titles.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { sendDeletion } from '../../lib/outbox/send-deletion.ts'
import { queryClient } from '../../lib/query-client.ts'
import { createStore } from '../../lib/store.ts'
import { showToast } from '../../lib/toasts.ts'
import { rowsQuery } from '../api.ts'
import { giveTo, refreshVocabulary, setLabels, setRows } from '../vocabulary.ts'
import { isNew, type Label, temporaryId } from '../work-order.ts'

export const COLORS = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const
const CHOSEN_FIRST = ['blue', 'purple', 'green', 'yellow', 'red', 'teal', 'orange', 'pink', 'gray'] as const

/** Whether the dialog of all labels is open. */
export const isManagingLabels = createStore(false)

/** The subject of every write of labels. */
export const LABELS = 'labels'

const byTitle = (a: Label, b: Label) => a.title.localeCompare(b.title)
const isTitled = (title: string) => (one: Label) => one.title.toLowerCase() === title.toLowerCase()

interface NewLabel {
  label: Label
  /** The work orders that get it. */
  rowIds: string[]
}

const addLabel = defineWrite<NewLabel, Label>({
  name: 'labels.create',
  waits: true,
  words: ({ label }) => [label.title],
  about: ({ label, rowIds }) => ({ text: `New label “${label.title}”`, subjects: [LABELS, ...rowIds], part: 'label' }),
  send: async ({ label: { title, color } }, { projectId, key }) =>
    (await api.workOrders(callOf(projectId)).addLabel({ title, color }, { idempotencyKey: key })).data,
  show({ label, rowIds }, projectId) {
    setLabels(projectId, (all) => (all.some(isTitled(label.title)) ? all : [...all, label]))
    const has = new Set(rowIds)
    setRows(projectId, ({ id, labels }) =>
      has.has(id) && !labels.some(isTitled(label.title)) ? { labels: [...labels, label].sort(byTitle) } : undefined,
    )
  },
  hide({ label }, projectId) {
    setLabels(projectId, (all) => all.filter(({ id }) => id !== label.id))
    takeOff(projectId, label.id)
  },
  saved(created, { label, rowIds }, { projectId }) {
    setLabels(projectId, (all) => [...all.filter(({ id }) => id !== label.id && id !== created.id), created])
    takeOff(projectId, label.id)
    void giveTo(projectId, rowIds, `label ${created.title}`, ({ labels }) => {
      if (labels.some(({ id }) => id === created.id)) return undefined
      const next = [...labels, created].sort(byTitle)
      return { fields: { label_ids: next.filter((one) => !isNew(one)).map(({ id }) => id) }, shows: { labels: next } }
    })
  },
})

/** The color that the fewest labels have. */
export function leastUsedColor(labels: Label[]): Label['color'] {
  const uses = (color: string) => labels.filter((label) => label.color === color).length
  return [...CHOSEN_FIRST].sort((a, b) => uses(a) - uses(b))[0]!
}

/** Adds a label, in the color that is used least unless one was chosen, and gives it to these work orders. */
export function createLabel(
  projectId: string,
  title: string,
  labels: Label[],
  rowIds: string[] = [],
  color = leastUsedColor(labels),
) {
  const label: Label = { object: 'label', id: temporaryId(), title, color, archived: false }
  return addLabel(projectId, { label, rowIds })
}

type Change = Partial<Pick<Label, 'title' | 'color'>>

const saveLabel = defineWrite<{ label: Label; change: Change }, unknown>({
  name: 'labels.change',
  waits: true,
  words: ({ change }) => [change.title],
  about: ({ label, change: { title, color } }) => ({
    text: title ? `Label “${label.title}” to “${title}”` : `Label “${label.title}” in ${color}`,
    subjects: [LABELS, label.id],
    part: 'label',
  }),
  send: ({ label, change }, { projectId }) =>
    api.workOrders(callOf(projectId)).updateLabel(label.id, {
      ...change,
      ...(change.title !== undefined && { expected_title: label.title }),
    }),
  show: ({ label, change }, projectId) => showLabel(projectId, label.id, change),
  hide({ label, change }, projectId) {
    showLabel(projectId, label.id, change.title ? { title: label.title } : { color: label.color })
    void refreshVocabulary(projectId)
  },
  saved: (_, __, { projectId }) => void refreshVocabulary(projectId),
  comparison: compareTitles({
    of: ({ label, change }) => ({ id: label.id, title: change.title!, before: label.title }),
    rebased: ({ label }, title, before) => ({ label: { ...label, title: before }, change: { title } }),
    read: async ({ label }, projectId) =>
      (await api.workOrders(callOf(projectId)).listLabels({ include_archived: true })).items.find(
        ({ id }) => id === label.id,
      )?.title,
    isRenaming: ({ payload }) => payload.title !== undefined,
    show({ label }, title, projectId) {
      showLabel(projectId, label.id, { title })
      void refreshVocabulary(projectId)
    },
  }),
})
export const changeLabel = (projectId: string, label: Label, change: Change) =>
  void saveLabel(projectId, { label, change })

const removeLabel = defineWrite<{ label: Label; rowIds: string[] }, void>({
  name: 'labels.delete',
  waits: true,
  about: ({ label, rowIds }) => ({
    text: `Delete the label “${label.title}”`,
    // After what gives it to work orders.
    subjects: [LABELS, label.id, ...rowIds],
    part: 'label',
  }),
  send: ({ label }, { projectId }) => sendDeletion(() => api.workOrders(callOf(projectId)).deleteLabel(label.id)),
  show({ label }, projectId) {
    setLabels(projectId, (all) => all.filter(({ id }) => id !== label.id))
    takeOff(projectId, label.id)
  },
  hide({ label, rowIds }, projectId) {
    setLabels(projectId, (all) => [...all.filter(({ id }) => id !== label.id), label])
    const had = new Set(rowIds)
    setRows(projectId, ({ id, labels }) =>
      had.has(id) && !labels.some((one) => one.id === label.id)
        ? { labels: [...labels, label].sort(byTitle) }
        : undefined,
    )
  },
  saved(_, { label }, { projectId }) {
    showToast({ text: `The label ${label.title} was deleted` })
    void refreshVocabulary(projectId)
  },
})
export function deleteLabel(projectId: string, label: Label): void {
  const rows = queryClient.getQueryData(rowsQuery(projectId).queryKey) ?? []
  const rowIds = rows.filter(({ labels }) => labels.some(({ id }) => id === label.id)).map(({ id }) => id)
  void removeLabel(projectId, { label, rowIds })
}

function showLabel(projectId: string, id: string, values: Change): void {
  const apply = (one: Label) => (one.id === id ? { ...one, ...values } : one)
  setLabels(projectId, (all) => all.map(apply))
  setRows(projectId, ({ labels }) =>
    labels.some((one) => one.id === id) ? { labels: labels.map(apply).sort(byTitle) } : undefined,
  )
}

const takeOff = (projectId: string, labelId: string) =>
  setRows(projectId, ({ labels }) =>
    labels.some(({ id }) => id === labelId) ? { labels: labels.filter(({ id }) => id !== labelId) } : undefined,
  )
