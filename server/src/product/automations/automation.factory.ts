import type { Client, Workspace } from '../../../test/harness.ts'
import type { BackgroundDeps } from '../../kernel/slice.ts'
import { type Dispatcher, type Execute, startDispatcher } from './dispatcher/dispatch.ts'
import { failedOutcome, type RunOutcome } from './runs/run.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export type Shown = Record<string, any> & { id: string }

export const DAILY = { trigger_type: 'schedule', config: { preset: 'daily' } }

export async function createAutomation(api: Client, values: Record<string, unknown> = {}): Promise<Shown> {
  const { status, body } = await api.post('/automations', {
    name: 'Morning report',
    user_prompt: 'Summarise what changed since yesterday.',
    triggers: [],
    ...values,
  })
  if (status !== 201) throw new Error(`POST /automations answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

export async function builtInOf(api: Client): Promise<Shown> {
  const { items } = (await api.get('/automations')).body
  return items.find((one: Shown) => one.is_built_in)
}

export async function runsOf(api: Client, automationId: string): Promise<Shown[]> {
  return (await api.get(`/automations/${automationId}/runs?page_size=100`)).body.items
}

export async function startRun(api: Client, automationId: string): Promise<Shown> {
  const { status, body } = await api.post(`/automations/${automationId}/runs`)
  if (status !== 201) throw new Error(`POST runs answered ${status}: ${JSON.stringify(body)}`)
  return body.data
}

export const succeededOutcome = (known: Partial<RunOutcome> = {}): RunOutcome =>
  failedOutcome('', { status: 'succeeded', error: null, ...known })

interface NodeOptions {
  execute?: Execute
  clock?: () => Promise<Date>
  leaseMs?: number
  idleMs?: number
}

/** Starts the background work of another node on the workspace's database. */
export function startNode(ws: Workspace, options: NodeOptions = {}): Dispatcher {
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const deps: BackgroundDeps = { ...ws.deps, db: ws.sql, log: quiet }
  return startDispatcher(deps, { execute: async () => succeededOutcome(), ...options })
}
