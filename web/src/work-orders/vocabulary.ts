import { showToast } from '../app/toasts.tsx'
import { clientOf } from '../lib/client.ts'
import { queryClient } from '../lib/query-client.ts'
import { labelsQuery, phasesQuery } from './api.ts'
import type { Label, Phase } from './work-order.ts'

const COLORS = ['blue', 'purple', 'green', 'yellow', 'red', 'teal', 'orange', 'pink', 'gray'] as const

/** Adds a label in the colour that is used least. Returns undefined after saying why it could not. */
export async function createLabel(projectId: string, title: string, labels: Label[]): Promise<Label | undefined> {
  const uses = (color: string) => labels.filter((label) => label.color === color).length
  const color = [...COLORS].sort((a, b) => uses(a) - uses(b))[0]!
  try {
    const { data } = await clientOf(projectId).workOrders.addLabel({ title, color })
    queryClient.setQueryData(labelsQuery(projectId).queryKey, (all) => [...(all ?? []), data])
    return data
  } catch (err) {
    showToast({ text: `The label ${title} was not created.`, detail: (err as Error).message, tone: 'error' })
    return undefined
  }
}

export async function createPhase(projectId: string, title: string): Promise<Phase | undefined> {
  try {
    const { data } = await clientOf(projectId).workOrders.addPhase({ title })
    queryClient.setQueryData(phasesQuery(projectId).queryKey, (all) => [...(all ?? []), data])
    return data
  } catch (err) {
    showToast({ text: `The phase ${title} was not created.`, detail: (err as Error).message, tone: 'error' })
    return undefined
  }
}
