import type { WorkOrderView } from '@slipway/sdk'
import { queryOptions } from '@tanstack/react-query'
import { parseSearch, stringifySearch } from '../../app/search-params.ts'
import { showToast } from '../../app/toasts.tsx'
import { clientOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'
import { createStore } from '../../lib/store.ts'
import { readWorkOrderSearch, type WorkOrderSearch } from '../search.ts'

export type { WorkOrderView }

export const viewsQuery = (projectId: string) =>
  queryOptions({
    // Read again with the phases, whose changes go to everyone too.
    queryKey: [projectId, 'views'],
    queryFn: async ({ signal }) => (await clientOf(projectId).workOrders.listViews({ signal })).items,
  })

/** What a view keeps of an address: filters, order, groups and layout. */
export const queryOf = ({ beside: _, saved: __, ...rest }: WorkOrderSearch) => stringifySearch(rest).slice(1)

/** The address of a view. It stays readable for those who do not see the view. */
export const searchOf = ({ id, query }: WorkOrderView): WorkOrderSearch => ({
  ...readWorkOrderSearch(parseSearch(query)),
  saved: id,
})

/** The dialog that names a view: a new one with this query, or one that exists. */
export const namedView = createStore<{ query: string } | { view: WorkOrderView } | undefined>(undefined)

type Values = Pick<WorkOrderView, 'name' | 'query' | 'shared'>

export async function saveView(projectId: string, values: Values): Promise<WorkOrderView> {
  const { data } = await clientOf(projectId).workOrders.addView(values)
  set(projectId, (all) => [...all, data])
  showToast({ text: `View ${data.name} saved` })
  return data
}

export async function changeView(projectId: string, view: WorkOrderView, change: Partial<Values>): Promise<void> {
  const { data } = await clientOf(projectId).workOrders.updateView(view.id, change)
  set(projectId, (all) => all.map((one) => (one.id === view.id ? data : one)))
}

export async function deleteView(projectId: string, view: WorkOrderView): Promise<void> {
  set(projectId, (all) => all.filter(({ id }) => id !== view.id))
  try {
    await clientOf(projectId).workOrders.deleteView(view.id)
    const undo = () => void saveView(projectId, view).catch(() => refresh(projectId))
    showToast({ text: `View ${view.name} deleted`, action: { label: 'Undo', run: undo } })
  } catch (err) {
    showToast({ text: `The view ${view.name} was not deleted.`, detail: (err as Error).message, tone: 'error' })
    refresh(projectId)
  }
}

const refresh = (projectId: string) => void queryClient.invalidateQueries({ queryKey: viewsQuery(projectId).queryKey })

const set = (projectId: string, next: (all: WorkOrderView[]) => WorkOrderView[]) =>
  queryClient.setQueryData(viewsQuery(projectId).queryKey, (all) =>
    next(all ?? []).toSorted((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase())),
  )
