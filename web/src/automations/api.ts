import type {
  Automation,
  AutomationRow,
  AutomationRows,
  AutomationRunEvent,
  AutomationRunPage,
  AutomationRunPageWrite,
  ListedAutomationRun,
} from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { isFollowed } from '../lib/changes.ts'
import { callOf } from '../lib/client.ts'
import { isActive, knownPage, type RunsPage, wereRead } from './runs/known-runs.ts'
import type { RunSearch } from './search.ts'

export type Run = ListedAutomationRun
export type RunPage = AutomationRunPage
export type RunWrite = AutomationRunPageWrite
export type RunEvent = AutomationRunEvent
export type { Automation, AutomationRow }
export type Model = AutomationRows['model']

/** What every query of the module begins with, so that a change reads all that is shown again. */
export const automationsKey = (projectId: string) => [projectId, 'automations'] as const

const PAGE = 50
/** That a run begins is not in the log of changes, so a list that shows one asks. */
const LISTED_MS = 3_000

export const rowsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...automationsKey(projectId), 'rows'],
    queryFn: ({ signal }) => api.automations(callOf(projectId)).listRows({ signal }),
    refetchInterval: ({ state }) =>
      state.data?.items.some(({ last_run }) => last_run && isActive(last_run)) ? LISTED_MS : false,
  })

export const budgetQuery = (projectId: string) =>
  queryOptions({
    queryKey: [...automationsKey(projectId), 'budget'],
    queryFn: async ({ signal }) => (await api.automations(callOf(projectId)).getBudget({ signal })).data,
  })

export const automationQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...automationsKey(projectId), 'automation', id],
    queryFn: async ({ signal }) => (await api.automations(callOf(projectId)).get(id, { signal })).data,
  })

export const runsKey = (projectId: string) => [...automationsKey(projectId), 'runs'] as const

export const runsQuery = (projectId: string, search: RunSearch) =>
  infiniteQueryOptions({
    queryKey: [...runsKey(projectId), search],
    queryFn: async ({ signal, client, queryKey, pageParam: before }): Promise<RunsPage> => {
      const { data, dataUpdatedAt } = client.getQueryState<{ pages: RunsPage[] }>(queryKey) ?? {}
      const known = before && data && isFollowed(dataUpdatedAt!) && knownPage(data.pages, before, PAGE)
      if (known) return known
      const { status, automation, changed, waiting, cost } = search
      const page = await api.automations(callOf(projectId)).listProjectRuns(
        {
          status: status?.split(',') as Run['status'][] | undefined,
          automation_id: automation?.split(','),
          changed: changed && changed === 'something',
          waiting: waiting && true,
          min_cost: cost,
          before,
          limit: PAGE,
        },
        { signal },
      )
      wereRead(page)
      return page
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    placeholderData: (before) => before,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isActive)) ? LISTED_MS : (false as const),
  })

export const runKey = (projectId: string, id: string) => [...automationsKey(projectId), 'run', id] as const
export const activityKey = (projectId: string, id: string) => [...automationsKey(projectId), 'activity', id] as const

export const runQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: runKey(projectId, id),
    queryFn: async ({ signal }) => (await api.automations(callOf(projectId)).getRunPage(id, { signal })).data,
  })

/** What the agent said and called. Only what is new is read again. */
export const activityQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: activityKey(projectId, id),
    queryFn: async ({ signal, client, queryKey }): Promise<RunEvent[]> => {
      const known = client.getQueryData<RunEvent[]>(queryKey) ?? []
      const events = [...known]
      for (let isWhole = false; !isWhole; ) {
        const after = events.at(-1)?.number ?? 0
        const answer = await api.automations(callOf(projectId)).listRunActivity(id, { after }, { signal })
        events.push(...answer.items)
        isWhole = answer.is_whole
      }
      return events
    },
  })

export const integrationsQuery = (projectId: string, automationId: string | undefined) =>
  queryOptions({
    queryKey: [...automationsKey(projectId), 'integrations', automationId ?? 'own'],
    queryFn: async ({ signal }) =>
      (await api.integrations(callOf(projectId)).list({ automation_id: automationId }, { signal })).items,
  })
