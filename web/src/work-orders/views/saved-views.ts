import type { WorkOrderView } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { sendDeletion } from '../../lib/outbox/send-deletion.ts'
import { queryClient } from '../../lib/query-client.ts'
import { parseSearch, stringifySearch } from '../../lib/search-params.ts'
import { createStore } from '../../lib/store.ts'
import { showToast } from '../../lib/toasts.ts'
import { viewsQuery } from '../api.ts'
import { readWorkOrderSearch, type WorkOrderSearch } from '../search.ts'

export type { WorkOrderView }

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

/** The subject of every write of views. */
const VIEWS = 'views'

export const saveView = defineWrite<Values, WorkOrderView>({
  name: 'views.create',
  waits: true,
  words: ({ name }) => [name],
  about: ({ name }) => ({ text: `New view “${name}”`, subjects: [VIEWS], part: 'view' }),
  send: async ({ name, query, shared }, { projectId, key }) =>
    (await api.workOrders(callOf(projectId)).addView({ name, query, shared }, { idempotencyKey: key })).data,
  saved(view, _, { projectId }) {
    set(projectId, (all) => [...all.filter(({ id }) => id !== view.id), view])
    showToast({ text: `View ${view.name} saved` })
  },
})

export const changeView = defineWrite<{ view: WorkOrderView; change: Partial<Values> }, WorkOrderView>({
  name: 'views.change',
  waits: true,
  words: ({ change }) => [change.name],
  about: ({ view }) => ({ text: `View “${view.name}”`, subjects: [VIEWS, view.id], part: 'view' }),
  send: async ({ view, change }, { projectId }) =>
    (await api.workOrders(callOf(projectId)).updateView(view.id, change)).data,
  show: ({ view, change }, projectId) => put(projectId, { ...view, ...change }),
  hide: ({ view }, projectId) => put(projectId, view),
  saved: (view, _, { projectId }) => put(projectId, view),
})

export const deleteView = defineWrite<WorkOrderView, void>({
  name: 'views.delete',
  waits: true,
  about: ({ id, name }) => ({ text: `Delete the view “${name}”`, subjects: [VIEWS, id], part: 'deletion' }),
  send: ({ id }, { projectId }) => sendDeletion(() => api.workOrders(callOf(projectId)).deleteView(id)),
  show: (view, projectId) => set(projectId, (all) => all.filter(({ id }) => id !== view.id)),
  hide: (view, projectId) => set(projectId, (all) => [...all.filter(({ id }) => id !== view.id), view]),
  saved: (_, view, { projectId }) =>
    showToast({
      text: `View ${view.name} deleted`,
      undo: () => void saveView(projectId, view),
    }),
})

const put = (projectId: string, view: WorkOrderView) =>
  set(projectId, (all) => all.map((one) => (one.id === view.id ? view : one)))

const set = (projectId: string, next: (all: WorkOrderView[]) => WorkOrderView[]) =>
  queryClient.setQueryData(viewsQuery(projectId).queryKey, (all) =>
    next(all ?? []).toSorted((a, b) => a.name.toLowerCase().localeCompare(b.name.toLowerCase())),
  )
