import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'
import { shownList } from '../../lib/shown-list.ts'
import { showToast } from '../../lib/toasts.ts'
import { type ApiKey, reportingKeysQuery, type WidgetOptions, widgetQuery } from './api.ts'

/*
 * Who may report never waits for a connection: access that changes hours later would surprise everyone.
 */

const keys = shownList<ApiKey>(
  (projectId) => reportingKeysQuery(projectId).queryKey,
  ({ id }) => id,
)

type NewKey = Parameters<ReturnType<typeof api.access>['addKey']>[0]

export const addReportingKey = defineWrite<Pick<NewKey, 'name' | 'allowed_origins'>, { id: string; key: string }>({
  name: 'feedback.add-key',
  waits: false,
  about: () => ({ subjects: [] }),
  send: async (body, { projectId, key }) =>
    (await api.access(callOf(projectId)).addKey({ ...body, kind: 'reporting' }, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => keys.reload(projectId),
})

export const rotateReportingKey = defineWrite<ApiKey, { id: string; key: string }>({
  name: 'feedback.rotate-key',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id }, { projectId, key }) =>
    (await api.access(callOf(projectId)).rotateKey(id, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => keys.reload(projectId),
})

export const revokeReportingKey = defineWrite<ApiKey, unknown>({
  name: 'feedback.revoke-key',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.access(callOf(projectId)).revokeKey(id),
  ...keys.change<ApiKey>(
    (key) => key,
    (key) => ({ ...key, revoked_at: new Date().toISOString() }),
  ),
  failure: ({ name }) => `The key “${name}” still works.`,
})

interface Origins {
  key: ApiKey
  origins: string[] | null
}

export const setOrigins = defineWrite<Origins, unknown>({
  name: 'feedback.key-origins',
  waits: false,
  about: ({ key }) => ({ subjects: [key.id] }),
  send: ({ key, origins }, { projectId }) =>
    api.access(callOf(projectId)).setKeyOrigins(key.id, { allowed_origins: origins }),
  ...keys.change<Origins>(
    ({ key }) => key,
    ({ key, origins }) => ({ ...key, allowed_origins: origins }),
  ),
})

interface Look {
  before: WidgetOptions
  change: Partial<WidgetOptions>
  isUndo?: boolean
}

const show = (projectId: string, change: Partial<WidgetOptions>) =>
  queryClient.setQueryData(widgetQuery(projectId).queryKey, (all) => all && { ...all, ...change })

const beforeOf = ({ before, change }: Look): Partial<WidgetOptions> =>
  Object.fromEntries(Object.keys(change).map((name) => [name, before[name as keyof WidgetOptions]]))

export const setWidget = defineWrite<Look, unknown>({
  name: 'feedback.widget',
  waits: true,
  about: ({ change }) => ({
    text: `Widget: ${Object.keys(change).join(', ')}`,
    subjects: ['widget'],
    part: Object.keys(change)[0] ?? 'widget',
  }),
  send: ({ change }, { projectId, key }) =>
    api.feedback(callOf(projectId)).setWidgetOptions(change, { idempotencyKey: key }),
  show: ({ change }, projectId) => show(projectId, change),
  hide: (look, projectId) => show(projectId, beforeOf(look)),
  saved(_, look, { projectId }) {
    if (look.isUndo) return showToast({ text: 'The widget is as before' })
    const undo = () =>
      void setWidget(projectId, {
        before: { ...look.before, ...look.change },
        change: beforeOf(look),
        isUndo: true,
      })
    showToast({ text: 'Saved. Pages show it within an hour.', undo })
  },
  failure: () => 'The widget is as before',
})
