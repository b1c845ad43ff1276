import * as api from '@slipway/sdk/resources'
import { callOf, SlipwayError } from '../../lib/client.ts'
import { defineWrite } from '../../lib/outbox/index.ts'
import { queryClient } from '../../lib/query-client.ts'

import type { ProjectModel } from './api.ts'

type Automations = ReturnType<typeof api.automations>
export type ModelValues = Parameters<Automations['setModel']>[0]
export type BudgetValues = Parameters<Automations['setBudget']>[0]
export type TestedModel = Awaited<ReturnType<Automations['testModel']>>['data']

/*
 * Where texts are sent, and what may be spent, changes now or not at all.
 */

const reload = (_: unknown, __: unknown, { projectId }: { projectId: string }) =>
  void queryClient.invalidateQueries({ queryKey: [projectId, 'models'] })

/** What an admin sees of a model, and replaces. */
export const shownOf = ({ source, base_url, model, input_price, output_price }: ProjectModel) => ({
  source,
  base_url,
  model,
  input_price,
  output_price,
})

/** Where another admin was faster, theirs is read before the person is told. */
const withTheirs = <T>(projectId: string, sent: Promise<T>): Promise<T> =>
  sent.catch(async (err) => {
    if (err instanceof SlipwayError && err.status === 412)
      await queryClient.refetchQueries({ queryKey: [projectId, 'models'], type: 'active' })
    throw err
  })

export const setModel = defineWrite<ModelValues, unknown>({
  name: 'models.set',
  waits: false,
  about: () => ({ subjects: ['project model'] }),
  send: (values, { projectId }) => withTheirs(projectId, api.automations(callOf(projectId)).setModel(values)),
  saved: reload,
})

export const testModel = defineWrite<Partial<ModelValues>, TestedModel>({
  name: 'models.test',
  waits: false,
  about: () => ({ subjects: [] }),
  send: async (values, { projectId, key }) =>
    (await api.automations(callOf(projectId)).testModel(values, { idempotencyKey: key })).data,
  saved: reload,
})

export const setBudget = defineWrite<BudgetValues, unknown>({
  name: 'models.budget',
  waits: false,
  about: () => ({ subjects: ['project budget'] }),
  send: (values, { projectId }) => withTheirs(projectId, api.automations(callOf(projectId)).setBudget(values)),
  saved: reload,
})
