import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { compareTitles } from '../../lib/outbox/compare-titles.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { sendDeletion } from '../../lib/outbox/send-deletion.ts'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'
import { undoUnlessChanged } from '../../lib/undo-unless-changed.ts'
import { phasesQuery, rowsQuery } from '../api.ts'
import { NONE } from '../properties.tsx'
import { giveTo, refreshVocabulary, setPhases, setRows } from '../vocabulary.ts'
import { isNew, type Phase, phaseName, temporaryId } from '../work-order.ts'

/** The subject of every write of phases. */
export const PHASES = 'phases'

interface NewPhase {
  phase: Phase
  /** The work orders that move to it, with the phases that they leave. */
  rows: { id: string; phase: Phase | null }[]
}

const phaseBefore = (rows: NewPhase['rows']) => new Map(rows.map(({ id, phase }) => [id, phase]))

const addPhase = defineWrite<NewPhase, Phase>({
  name: 'phases.create',
  waits: true,
  words: ({ phase }) => [phase.title],
  about: ({ phase, rows }) => ({
    text: `New phase “${phase.title}”`,
    subjects: [PHASES, ...rows.map(({ id }) => id)],
    part: 'phase',
  }),
  send: async ({ phase: { title } }, { projectId, key }) =>
    (await api.workOrders(callOf(projectId)).addPhase({ title }, { idempotencyKey: key })).data,
  show({ phase, rows }, projectId) {
    setPhases(projectId, (all) => (all.some(({ id }) => id === phase.id) ? all : numbered([...all, phase])))
    const moves = new Set(rows.map(({ id }) => id))
    setRows(projectId, (row) => (moves.has(row.id) && row.phase?.id !== phase.id ? { phase } : undefined))
  },
  hide({ phase, rows }, projectId) {
    setPhases(projectId, (all) => numbered(all.filter(({ id }) => id !== phase.id)))
    const before = phaseBefore(rows)
    setRows(projectId, (row) => (row.phase?.id === phase.id ? { phase: before.get(row.id) ?? null } : undefined))
  },
  saved(created, { phase, rows }, { projectId }) {
    setPhases(projectId, (all) => [...all.filter(({ id }) => id !== phase.id && id !== created.id), created])
    const before = phaseBefore(rows)
    void giveTo(projectId, [...before.keys()], `phase ${phaseName(created)}`, (row) => {
      const isAsBefore = [phase.id, before.get(row.id)?.id].includes(row.phase?.id)
      return isAsBefore ? { fields: { phase_id: created.id }, shows: { phase: created } } : undefined
    })
  },
})

/** Adds a phase at the end, and moves these work orders to it. */
export function createPhase(projectId: string, title: string, rows: NewPhase['rows'] = []) {
  const count = queryClient.getQueryData(phasesQuery(projectId).queryKey)?.length ?? 0
  const id = temporaryId()
  const phase: Phase = { object: 'phase', id, phase_id: id, phase_number: count + 1, title }
  return addPhase(projectId, { phase, rows: rows.map(({ id, phase }) => ({ id, phase })) })
}

const saveTitle = defineWrite<{ phase: Phase; title: string }, unknown>({
  name: 'phases.rename',
  waits: true,
  words: ({ title }) => [title],
  about: ({ phase, title }) => ({
    text: `Phase “${phase.title}” to “${title}”`,
    subjects: [PHASES, phase.id],
    part: 'phase',
  }),
  send: ({ phase, title }, { projectId }) =>
    api.workOrders(callOf(projectId)).renamePhase(phase.id, { title, expected_title: phase.title }),
  show: ({ phase, title }, projectId) => showTitle(projectId, phase, title),
  hide({ phase }, projectId) {
    showTitle(projectId, phase, phase.title)
    void refreshVocabulary(projectId)
  },
  saved: (_, __, { projectId }) => void refreshVocabulary(projectId),
  comparison: compareTitles({
    of: ({ phase, title }) => ({ id: phase.id, title, before: phase.title }),
    rebased: ({ phase }, title, before) => ({ phase: { ...phase, title: before }, title }),
    read: async ({ phase }, projectId) =>
      (await api.workOrders(callOf(projectId)).listPhases()).items.find(({ id }) => id === phase.id)?.title,
    isRenaming: ({ kind }) => kind === 'phase.updated',
    show({ phase }, title, projectId) {
      showTitle(projectId, phase, title)
      void refreshVocabulary(projectId)
    },
  }),
})
export const renamePhase = (projectId: string, phase: Phase, title: string) =>
  void saveTitle(projectId, { phase, title })

const showTitle = (projectId: string, phase: Phase, title: string) =>
  showPhases(projectId, (one) => (one.id === phase.id ? { title } : undefined))

interface Order {
  ids: string[]
  before: string[]
  isUndo?: boolean
}

const saveOrder = defineWrite<Order, unknown>({
  name: 'phases.order',
  waits: true,
  about: () => ({ text: 'Order of the phases', subjects: [PHASES], part: 'order' }),
  send: ({ ids }, { projectId }) => api.workOrders(callOf(projectId)).reorderPhases({ phase_ids: ids }),
  show: ({ ids }, projectId) => showOrder(projectId, ids),
  hide: ({ before }, projectId) => showOrder(projectId, before),
  saved(_, { ids, before, isUndo }, { projectId }) {
    const undo = () =>
      void undoUnlessChanged({
        projectId,
        what: 'the phases',
        async isAsLeft() {
          const fresh = await queryClient.fetchQuery({ ...phasesQuery(projectId), staleTime: 0 })
          return fresh.map(({ id }) => id).join() === ids.join()
        },
        isSuch: ({ kind }) => /^phase\.(?:created|reordered|deleted)$/.test(kind),
        run: () => void saveOrder(projectId, { ids: before, before: ids, isUndo: true }),
      })
    showToast(isUndo ? { text: 'Order of phases restored' } : { text: 'Phases renumbered', undo })
    void refreshVocabulary(projectId)
  },
})

/** Numbers the phases in the order of their ids. */
export function reorderPhases(projectId: string, ids: string[]): void {
  const all = queryClient.getQueryData(phasesQuery(projectId).queryKey) ?? []
  const before = all.filter((one) => !isNew(one)).map(({ id }) => id)
  void saveOrder(projectId, { ids, before })
}

interface Deletion {
  phase: Phase
  /** Where its work orders go: a phase, or none. */
  target: Phase | null
  rowIds: string[]
}

const removePhase = defineWrite<Deletion, void>({
  name: 'phases.delete',
  waits: true,
  about: ({ phase, rowIds }) => ({
    text: `Delete the phase “${phase.title}”`,
    // After what moves work orders to it.
    subjects: [PHASES, phase.id, ...rowIds],
    part: 'phase',
  }),
  send: ({ phase, target, rowIds }, { projectId }) =>
    sendDeletion(() =>
      api.workOrders(callOf(projectId)).deletePhase(phase.id, {
        move_to: rowIds.length > 0 ? (target?.id ?? NONE) : undefined,
      }),
    ),
  show({ phase, target }, projectId) {
    setRows(projectId, (row) => (row.phase?.id === phase.id ? { phase: target } : undefined))
    setPhases(projectId, (all) => all.filter(({ id }) => id !== phase.id))
    renumber(projectId)
  },
  hide({ phase, rowIds }, projectId) {
    setPhases(projectId, (all) =>
      all.some(({ id }) => id === phase.id) ? all : all.toSpliced(phase.phase_number - 1, 0, phase),
    )
    const had = new Set(rowIds)
    setRows(projectId, (row) => (had.has(row.id) ? { phase } : undefined))
    renumber(projectId)
  },
  saved(_, { phase }, { projectId }) {
    showToast({ text: `The phase ${phase.title} was deleted` })
    void refreshVocabulary(projectId)
  },
})

/** Its work orders move to another phase, or to none. */
export function deletePhase(projectId: string, phase: Phase, target: Phase | null): void {
  const rows = queryClient.getQueryData(rowsQuery(projectId).queryKey) ?? []
  const rowIds = rows.filter((row) => row.phase?.id === phase.id).map(({ id }) => id)
  void removePhase(projectId, { phase, target, rowIds })
}

const numbered = (phases: Phase[]) =>
  phases.map((one, index) => (one.phase_number === index + 1 ? one : { ...one, phase_number: index + 1 }))

/** Changes phases, and the rows that name them. */
function showPhases(projectId: string, change: (phase: Phase) => Partial<Phase> | undefined): void {
  const apply = (one: Phase): Phase => {
    const values = change(one)
    return values ? { ...one, ...values } : one
  }
  setPhases(projectId, (all) => all.map(apply).sort((a, b) => a.phase_number - b.phase_number))
  setRows(projectId, ({ phase }) => (phase && change(phase) ? { phase: apply(phase) } : undefined))
}

function showOrder(projectId: string, ids: string[]): void {
  const places = new Map(ids.map((id, index) => [id, index + 1]))
  showPhases(projectId, ({ id }) => {
    const place = places.get(id)
    return place === undefined ? undefined : { phase_number: place }
  })
}

const renumber = (projectId: string) =>
  showOrder(
    projectId,
    (queryClient.getQueryData(phasesQuery(projectId).queryKey) ?? []).map(({ id }) => id),
  )
