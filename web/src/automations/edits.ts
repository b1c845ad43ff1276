import type { Schemas } from '@slipway/sdk'
import * as api from '@slipway/sdk/resources'
import { callOf } from '../lib/client.ts'
import { countOf } from '../lib/numbers.ts'
import { defineWrite } from '../lib/outbox/index.ts'
import { queryClient } from '../lib/query-client.ts'
import { showToast } from '../lib/toasts.ts'
import {
  type Automation,
  type AutomationRow,
  automationQuery,
  automationsKey,
  type RunWrite,
  rowsQuery,
} from './api.ts'

/*
 * What acts in a project never waits for a connection: an agent that starts hours later would surprise everyone.
 */

const reload = (projectId: string) => void queryClient.invalidateQueries({ queryKey: automationsKey(projectId) })

type Named = Pick<AutomationRow, 'id' | 'name' | 'may'>

function showSwitch(projectId: string, id: string, enabled: boolean): void {
  queryClient.setQueryData(
    rowsQuery(projectId).queryKey,
    (all) => all && { ...all, items: all.items.map((one) => (one.id === id ? { ...one, enabled } : one)) },
  )
  queryClient.setQueryData(automationQuery(projectId, id).queryKey, (one) => one && { ...one, enabled })
}

/** An admin who does not own it can only switch it off. */
export const switchAutomation = defineWrite<{ row: Named; enabled: boolean }, unknown>({
  name: 'automations.switch',
  waits: false,
  about: ({ row }) => ({ subjects: [row.id] }),
  send: ({ row, enabled }, { projectId }) =>
    enabled || row.may.edit
      ? api.automations(callOf(projectId)).update(row.id, { enabled })
      : api.automations(callOf(projectId)).switchOff(row.id),
  show: ({ row, enabled }, projectId) => showSwitch(projectId, row.id, enabled),
  hide: ({ row, enabled }, projectId) => showSwitch(projectId, row.id, !enabled),
  saved: (_, __, { projectId }) => reload(projectId),
  failure: ({ row, enabled }) => `“${row.name}” is still ${enabled ? 'off' : 'on'}`,
})

export type NewAutomation = Parameters<ReturnType<typeof api.automations>['create']>[0]

export const createAutomation = defineWrite<NewAutomation, Automation>({
  name: 'automations.create',
  waits: false,
  about: () => ({ subjects: [] }),
  send: async (body, { projectId, key }) =>
    (await api.automations(callOf(projectId)).create(body, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => reload(projectId),
})

type Change = Parameters<ReturnType<typeof api.automations>['update']>[1]

export const updateAutomation = defineWrite<{ id: string; change: Change }, Automation>({
  name: 'automations.update',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id, change }, { projectId }) => (await api.automations(callOf(projectId)).update(id, change)).data,
  saved(answer, { id }, { projectId }) {
    queryClient.setQueryData(automationQuery(projectId, id).queryKey, answer)
    reload(projectId)
  },
})

export const deleteAutomation = defineWrite<Pick<AutomationRow, 'id' | 'name'>, unknown>({
  name: 'automations.delete',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: ({ id }, { projectId }) => api.automations(callOf(projectId)).delete(id),
  saved: (_, __, { projectId }) => reload(projectId),
  failure: ({ name }) => `“${name}” is still there`,
})

interface Start {
  id: string
  dry_run: boolean
  input: string | null
}

export const startRun = defineWrite<Start, Schemas['AutomationRun']>({
  name: 'automations.run',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id, dry_run, input }, { projectId, key }) =>
    (await api.automations(callOf(projectId)).startRun(id, { dry_run, input }, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => reload(projectId),
  failure: () => 'No run was started',
})

interface OfRun {
  automationId: string
  runId: string
}

export const cancelRun = defineWrite<OfRun, unknown>({
  name: 'automations.cancel',
  waits: false,
  about: ({ runId }) => ({ subjects: [runId] }),
  send: ({ automationId, runId }, { projectId }) => api.automations(callOf(projectId)).cancelRun(automationId, runId),
  saved: (_, __, { projectId }) => reload(projectId),
  failure: () => 'The run was not cancelled',
})

export const retryRun = defineWrite<OfRun, Schemas['AutomationRun']>({
  name: 'automations.retry',
  waits: false,
  about: ({ runId }) => ({ subjects: [runId] }),
  send: async ({ automationId, runId }, { projectId, key }) =>
    (await api.automations(callOf(projectId)).retryRun(automationId, runId, { idempotencyKey: key })).data,
  saved: (_, __, { projectId }) => reload(projectId),
  failure: () => 'The run was not done again',
})

interface OfWrite extends OfRun {
  write: Pick<RunWrite, 'id'>
}

export const decideWrite = defineWrite<OfWrite & { decision: 'accept' | 'reject' }, unknown>({
  name: 'automations.decide',
  waits: false,
  about: ({ runId }) => ({ subjects: [runId] }),
  send({ automationId, runId, write, decision }, { projectId, key }) {
    const { acceptWrite, rejectWrite } = api.automations(callOf(projectId))
    const decide = decision === 'accept' ? acceptWrite : rejectWrite
    return decide(automationId, runId, write.id, { idempotencyKey: key })
  },
  saved: (_, __, { projectId }) => reload(projectId),
  failure: ({ decision }) => (decision === 'accept' ? 'It was not accepted' : 'It was not rejected'),
})

export const decideAll = defineWrite<OfRun & { decision: 'accept' | 'reject' }, Schemas['AutomationRunDecision']>({
  name: 'automations.decide-all',
  waits: false,
  about: ({ runId }) => ({ subjects: [runId] }),
  send: async ({ runId, decision }, { projectId, key }) =>
    (await api.automations(callOf(projectId)).decideAboutRun(runId, { decision }, { idempotencyKey: key })).data,
  saved({ decided, left_out }, { decision }, { projectId }) {
    reload(projectId)
    const [first] = left_out
    showToast({
      text: `${countOf(decided, 'proposal')} ${decision === 'accept' ? 'accepted' : 'rejected'}`,
      ...(first && { detail: `${countOf(left_out.length, 'proposal')} left out. ${first.reason}` }),
    })
  },
  failure: () => 'Nothing was decided',
})

/** Without a write, everything that the run did. */
export const undoRun = defineWrite<OfRun & { write?: OfWrite['write'] }, Schemas['AutomationRunUndo']>({
  name: 'automations.undo',
  waits: false,
  about: ({ runId }) => ({ subjects: [runId] }),
  async send({ automationId, runId, write }, { projectId, key }) {
    const { undoWrite, undoRun } = api.automations(callOf(projectId))
    const options = { idempotencyKey: key }
    const answer = write
      ? await undoWrite(automationId, runId, write.id, options)
      : await undoRun(automationId, runId, options)
    return answer.data
  },
  saved({ undone, kept }, _, { projectId }) {
    reload(projectId)
    const [first] = kept
    if (!first) return void showToast({ text: `${countOf(undone.length, 'change')} undone` })
    const text = undone.length > 0 ? `${countOf(undone.length, 'change')} undone, ${kept.length} kept` : 'It stays'
    showToast({ text, detail: first.reason, ...(undone.length === 0 && { tone: 'error' as const }) })
  },
  failure: () => 'Nothing was undone',
})

type NewIntegration = Parameters<ReturnType<typeof api.integrations>['connect']>[0]

export const connectIntegration = defineWrite<NewIntegration, unknown>({
  name: 'automations.connect-integration',
  waits: false,
  about: () => ({ subjects: [] }),
  send: (body, { projectId, key }) => api.integrations(callOf(projectId)).connect(body, { idempotencyKey: key }),
  saved: (_, __, { projectId }) => reload(projectId),
})

export type TestedTool = Schemas['TestedIntegration']['tools'][number]

/** Calls the integration's server and returns its tools. */
export const testIntegration = defineWrite<{ id: string }, TestedTool[]>({
  name: 'automations.test-integration',
  waits: false,
  about: ({ id }) => ({ subjects: [id] }),
  send: async ({ id }, { projectId }) => (await api.integrations(callOf(projectId)).test(id)).data.tools,
})
