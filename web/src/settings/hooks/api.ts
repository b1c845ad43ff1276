import type { CodeHost, Webhook, WebhookDelivery } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { onChange } from '../../lib/changes.ts'
import { callOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'

export type { CodeHost, Webhook, WebhookDelivery }

export const webhooksQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'webhooks'],
    queryFn: async ({ signal }) => (await api.webhooks(callOf(projectId)).list({ signal })).items,
  })

export const codeHostsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'code-hosts'],
    queryFn: async ({ signal }) => (await api.codeHosts(callOf(projectId)).list({ signal })).items,
  })

const PAGE = 30
const LOOK_EVERY_MS = 3_000

/** Deliveries are no events, so they are looked at again while they are shown. */
export const deliveriesQuery = (projectId: string, webhookId: string) =>
  infiniteQueryOptions({
    queryKey: [projectId, 'webhooks', 'deliveries', webhookId],
    queryFn: ({ signal, pageParam: before }) =>
      api.webhooks(callOf(projectId)).listDeliveries(webhookId, { limit: PAGE, before }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_before ?? undefined,
    refetchInterval: LOOK_EVERY_MS,
  })

/** Reads again what others changed, and what Slipway disabled. */
export const followHooks = () =>
  onChange(({ subject_type }, projectId) => {
    if (subject_type === 'webhook') void queryClient.invalidateQueries({ queryKey: webhooksQuery(projectId).queryKey })
    if (subject_type === 'code_host')
      void queryClient.invalidateQueries({ queryKey: codeHostsQuery(projectId).queryKey })
  })

/** What events are about. */
export const EVENT_GROUPS = api.eventGroups.map(({ name, title }) => ({ value: `${name}.*`, label: title }))

export function describeKinds(kinds: string[] | null): string {
  if (kinds === null) return 'All events'
  const names = kinds.map((kind) => EVENT_GROUPS.find(({ value }) => value === kind)?.label ?? kind)
  return names.length > 2 ? `${names.slice(0, 2).join(', ')} and ${names.length - 2} more` : names.join(', ')
}
