import type { ShownIntegration } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { queryOptions } from '@tanstack/react-query'
import { onChange } from '../../lib/changes.ts'
import { callOf } from '../../lib/client.ts'
import { queryClient } from '../../lib/query-client.ts'

export type { ShownIntegration }

export const integrationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: [projectId, 'integrations'],
    queryFn: async ({ signal }) => (await api.integrations(callOf(projectId)).listShown({ signal })).items,
  })

const SUBJECTS = new Set(['integration', 'automation', 'automation_run'])

/** Reads again what others changed, and how runs found their integrations. */
export const followIntegrations = () =>
  onChange(({ subject_type }, projectId) => {
    if (SUBJECTS.has(subject_type))
      void queryClient.invalidateQueries({ queryKey: integrationsQuery(projectId).queryKey })
  })
