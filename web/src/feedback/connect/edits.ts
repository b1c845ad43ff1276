import * as api from '@slipway/sdk/resources'
import { callOf } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'
import { showToast } from '../../lib/toasts.ts'
import { type WidgetOptions, widgetQuery } from './api.ts'

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
    if (look.isUndo) return showToast({ text: 'Widget restored' })
    const undo = () =>
      void setWidget(projectId, {
        before: { ...look.before, ...look.change },
        change: beforeOf(look),
        isUndo: true,
      })
    showToast({ text: 'Saved. Pages show it within an hour.', undo })
  },
  failure: () => 'The widget could not be changed',
})
