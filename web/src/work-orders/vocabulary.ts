import { showToast } from '../app/toasts.tsx'
import { clientOf } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'
import { labelsQuery, phasesQuery, rowsQuery } from './api.ts'
import type { Label, Phase } from './work-order.ts'

export const COLORS = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink'] as const
const CHOSEN_FIRST = ['blue', 'purple', 'green', 'yellow', 'red', 'teal', 'orange', 'pink', 'gray'] as const

/** Adds a label in the colour that is used least. Returns undefined after saying why it could not. */
export async function createLabel(projectId: string, title: string, labels: Label[]): Promise<Label | undefined> {
  const uses = (color: string) => labels.filter((label) => label.color === color).length
  const color = [...CHOSEN_FIRST].sort((a, b) => uses(a) - uses(b))[0]!
  return attempt(`The label ${title} was not created.`, async () => {
    const { data } = await clientOf(projectId).workOrders.addLabel({ title, color })
    setLabels(projectId, (all) => [...all, data])
    return data
  })
}

export async function createPhase(projectId: string, title: string): Promise<Phase | undefined> {
  return attempt(`The phase ${title} was not created.`, async () => {
    const { data } = await clientOf(projectId).workOrders.addPhase({ title })
    setPhases(projectId, (all) => [...all, data])
    return data
  })
}

/** Shows the new values at once, and the old ones again if they are refused. */
export async function changeLabel(projectId: string, label: Label, change: Partial<Pick<Label, 'title' | 'color'>>) {
  const set = (values: Label) => setLabels(projectId, (all) => all.map((one) => (one.id === label.id ? values : one)))
  set({ ...label, ...change })
  const saved = await attempt(`The label ${label.title} was not changed.`, () =>
    clientOf(projectId).workOrders.updateLabel(label.id, change),
  )
  if (!saved) set(label)
  void refresh(projectId)
}

export async function deleteLabel(projectId: string, label: Label): Promise<void> {
  await attempt(`The label ${label.title} was not deleted.`, async () => {
    await clientOf(projectId).workOrders.deleteLabel(label.id)
    setLabels(projectId, (all) => all.filter(({ id }) => id !== label.id))
    showToast({ text: `The label ${label.title} was deleted` })
  })
  void refresh(projectId)
}

export async function renamePhase(projectId: string, phase: Phase, title: string): Promise<void> {
  const set = (name: string) =>
    setPhases(projectId, (all) => all.map((one) => (one.id === phase.id ? { ...one, title: name } : one)))
  set(title)
  const saved = await attempt(`The phase ${phase.title} was not renamed.`, () =>
    clientOf(projectId).workOrders.renamePhase(phase.id, { title }),
  )
  if (!saved) set(phase.title)
  void refresh(projectId)
}

/** Numbers the phases in the order of their ids. */
export async function reorderPhases(projectId: string, ids: string[], isUndo = false): Promise<void> {
  const before = queryClient.getQueryData(phasesQuery(projectId).queryKey) ?? []
  const byId = new Map(before.map((one) => [one.id, one]))
  setPhases(projectId, () => ids.map((id, index) => ({ ...byId.get(id)!, phase_number: index + 1 })))
  const saved = await attempt('The phases were not reordered.', () =>
    clientOf(projectId).workOrders.reorderPhases({ phase_ids: ids }),
  )
  if (!saved) setPhases(projectId, () => before)
  else {
    const undo = () =>
      void reorderPhases(
        projectId,
        before.map(({ id }) => id),
        true,
      )
    showToast(
      isUndo ? { text: 'Phases as before' } : { text: 'Phases renumbered', action: { label: 'Undo', run: undo } },
    )
  }
  void refresh(projectId)
}

/** Its work orders move to another phase, or to none. */
export async function deletePhase(projectId: string, phase: Phase, moveTo: string | undefined): Promise<boolean> {
  const done = await attempt(`The phase ${phase.title} was not deleted.`, async () => {
    await clientOf(projectId).workOrders.deletePhase(phase.id, { move_to: moveTo })
    showToast({ text: `The phase ${phase.title} was deleted` })
    return true
  })
  void refresh(projectId)
  return done === true
}

/** Says why something failed. Returns undefined then. */
async function attempt<T>(failure: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run()
  } catch (err) {
    showToast({ text: failure, detail: (err as Error).message, tone: 'error' })
    return undefined
  }
}

const setLabels = (projectId: string, next: (all: Label[]) => Label[]) =>
  queryClient.setQueryData(labelsQuery(projectId).queryKey, (all) =>
    next(all ?? []).toSorted((a, b) => a.title.toLowerCase().localeCompare(b.title.toLowerCase())),
  )
const setPhases = (projectId: string, next: (all: Phase[]) => Phase[]) =>
  queryClient.setQueryData(phasesQuery(projectId).queryKey, (all) => next(all ?? []))

/** Rows get their names from phases and labels, so those are read first. */
async function refresh(projectId: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: phasesQuery(projectId).queryKey }),
    queryClient.invalidateQueries({ queryKey: labelsQuery(projectId).queryKey }),
  ])
  await queryClient.invalidateQueries({ queryKey: rowsQuery(projectId).queryKey })
  await queryClient.invalidateQueries({ queryKey: [projectId, 'work-order'] })
}
