import type { ModelUsage, ProjectBudget, ProjectModel } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { onChange } from '../../lib/changes.ts'
import { callOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'

export type { ModelUsage, ProjectBudget, ProjectModel }

export const modelQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'models', 'model'],
    queryFn: async ({ signal }) => (await api.automations(callOf(projectId)).getModel({ signal })).data,
  })

export const budgetQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'models', 'budget'],
    queryFn: async ({ signal }) => (await api.automations(callOf(projectId)).getBudget({ signal })).data,
  })

export const usageQuery = (projectId: string, period: { month: string } | { day: string }) =>
  queryOptions({
    queryKey: [projectId, 'models', 'usage', period],
    queryFn: async ({ signal }) => (await api.automations(callOf(projectId)).getUsage(period, { signal })).data,
  })

const SUBJECTS = new Set(['project', 'automation', 'automation_run'])

/** Reads again what others changed, and what runs used. */
export const followModels = () =>
  onChange(({ subject_type }, projectId) => {
    if (SUBJECTS.has(subject_type)) void queryClient.invalidateQueries({ queryKey: [projectId, 'models'] })
  })

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
export const tokensText = (tokens: number) => compact.format(tokens)
