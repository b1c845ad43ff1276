import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../test/harness.ts'
import { json, signedIn } from '../../conversations/person.factory.ts'
import { type Reply, type ScriptedModel, scriptedModel } from '../../conversations/scripted-model.factory.ts'
import { settingsWith } from '../../conversations/turns/agent.factory.ts'
import { createAutomation, runsOf, type Shown, startNode, startRun } from '../automation.factory.ts'
import { failAbandonedRuns } from '../dispatcher/abandoned-runs.ts'
import { executeRun } from '../runs/execute.ts'

const PRICES = { scripted: { input: 1_000, output: 5_000 } }

async function setUp(model: ScriptedModel, { leaseMs = 30_000 } = {}) {
  const settings = settingsWith({ model: { ...model.settings(), prices: PRICES } })
  const ws = await openWorkspace({ settings })
  onTestFinished(ws.close)
  const project = await ws.project()
  const { api } = project.admin
  const node = startNode(ws, { leaseMs, idleMs: 100, execute: (deps, run, signal) => executeRun(deps, run, signal) })
  onTestFinished(() => node.stop(0))
  const ended = (id: string, count = 1) =>
    eventually(async () => {
      const runs = await runsOf(api, id)
      return runs.length >= count && runs.every((run) => run.completed_at !== null) && runs
    })
  const read = async (id: string): Promise<Shown> => (await api.get(`/automations/${id}`)).body.data
  const told = async () => JSON.stringify((await api.get('/agent_conversations?query=needs%20me')).body.items)
  return { ws, project, api, ended, read, told, node }
}

const look = (page: number): Reply => ({ calls: [{ name: 'list_work_orders', input: { page } }] })

it('at 80 % of its budget the owner is told; at 100 % its runs pause, until there is more', async () => {
  const model = await scriptedModel()
  const { ws, api, ended, read, told } = await setUp(model)
  const { id } = await createAutomation(api, { budget: { tokens_per_day: 280 } })
  expect((await read(id)).budget).toEqual({
    tokens_per_day: 280,
    tokens_per_month: null,
    cost_per_day: null,
    cost_per_month: null,
  })
  // 120 tokens an answer.
  model.script(look(1), { text: 'Done.' })
  await startRun(api, id)
  expect((await ended(id))[0]).toMatchObject({ status: 'succeeded', cost: 0.4 })
  expect(await told()).toContain('needs you')
  expect((await read(id)).paused).toBeNull()
  model.script(look(1), { text: 'Done.' })
  await startRun(api, id)
  const [last] = await ended(id, 2)
  expect(last).toMatchObject({ status: 'failed', error: expect.stringContaining('360 of 280 tokens were used today') })
  const { paused } = await read(id)
  expect(paused).toMatchObject({ reason: last!.error, until: expect.stringMatching(/T00:00:00.000Z$/) })
  const waiting = await startRun(api, id)
  await ws.sql`select pg_sleep(0.3)`
  expect((await runsOf(api, id))[0]).toMatchObject({ id: waiting.id, status: 'scheduled' })
  model.script({ text: 'Done.' })
  await api.patch(`/automations/${id}`, { budget: { tokens_per_day: 10_000 } })
  expect((await read(id)).paused).toBeNull()
  expect((await ended(id, 3))[0]).toMatchObject({ id: waiting.id, status: 'succeeded' })
})

it('a budget can be money, and the project has one for all', async () => {
  const model = await scriptedModel()
  const { ws } = await setUp(model)
  const person = await signedIn(ws, model)
  const automation = (await json(person.call('POST', '/automations', { name: 'A', user_prompt: 'x', triggers: [] })))
    .data
  expect((await person.call('PUT', '/automation_budget', { cost_per_month: 0.3 })).status).toBe(403)
  await ws.sql`update project_members set role = 'admin' where user_id = ${person.userId}`
  expect((await json(person.call('PUT', '/automation_budget', { cost_per_month: 0.3 }))).data).toMatchObject({
    limits: { cost_per_month: 0.3, tokens_per_day: null },
    used: { day: { tokens: 0, cost: 0 } },
    paused_reason: null,
  })
  // 100 * 1,000 / 1e6 + 20 * 5,000 / 1e6 = 0.2 an answer.
  model.script(look(1), look(2), { text: 'Done.' })
  await person.call('POST', `/automations/${automation.id}/runs`, {})
  const run = await eventually(async () => {
    const [one] = (await json(person.call('GET', `/automations/${automation.id}/runs`))).items
    return one.completed_at && one
  })
  expect(run).toMatchObject({
    status: 'failed',
    cost: 0.4,
    error: expect.stringContaining('0.4 of 0.3 were used this month'),
  })
  expect((await json(person.call('GET', '/automation_budget'))).data).toMatchObject({
    used: { month: { tokens: 240, cost: 0.4 } },
    paused_reason: run.error,
  })
  expect((await json(person.call('GET', `/automations/${automation.id}`))).data.paused.reason).toBe(run.error)
})

it('tokens and model survive a node that is killed', async () => {
  const model = await scriptedModel()
  const { ws, api, ended } = await setUp(model)
  const { id } = await createAutomation(api)
  model.script(look(1), { silent: true })
  await startRun(api, id)
  await eventually(async () => (await runsOf(api, id))[0]!.input_tokens === 100)
  await ws.sql`update automation_runs set leased_until = now() - interval '1 hour'`
  await failAbandonedRuns(ws.deps)
  expect((await ended(id))[0]).toMatchObject({
    status: 'failed',
    model: 'scripted',
    input_tokens: 100,
    output_tokens: 20,
  })
})

it('a passing failure is retried once by itself, unless something was changed', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  const { id } = await createAutomation(api)
  model.script({ status: 503 }, { text: 'Done.' })
  const first = await startRun(api, id)
  const [again, before] = await ended(id, 2)
  expect([before!.id, before!.status]).toEqual([first.id, 'failed'])
  expect(again).toMatchObject({ status: 'succeeded', retry_of: first.id })
  model.script({ status: 503 })
  await startRun(api, id)
  expect((await ended(id, 4)).map((run) => run.status)).toEqual(['failed', 'failed', 'succeeded', 'failed'])
  const other = await createAutomation(api, { name: 'Other' })
  model.script({ calls: [{ name: 'create_work_order', input: { title: 'Made' } }] }, { status: 503 })
  await startRun(api, other.id)
  expect(await ended(other.id)).toHaveLength(1)
})

it('after five failures in a row it pauses and tells its owner; enabling it starts anew', async () => {
  const model = await scriptedModel()
  const { api, ended, read, told } = await setUp(model)
  const { id } = await createAutomation(api)
  model.script({ status: 401 })
  for (let i = 1; i <= 5; i++) {
    await startRun(api, id)
    await ended(id, i)
  }
  const paused = await eventually(async () => {
    const one = await read(id)
    return !one.enabled && one
  })
  expect(paused.paused).toMatchObject({ until: null, reason: expect.stringContaining('last 5 runs have failed') })
  expect(await told()).toContain('needs you')
  expect((await api.post(`/automations/${id}/runs`)).body.code).toBe('automation_disabled')
  expect((await api.patch(`/automations/${id}`, { enabled: true })).body.data.paused).toBeNull()
})

it('runs queue, are skipped or run side by side, as the automation says', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  const release: (() => void)[] = []
  model.script(() => new Promise<Reply>((resolve) => release.push(() => resolve({ text: 'Done.' }))))
  const { id } = await createAutomation(api, { concurrency: 'parallel' })
  await startRun(api, id)
  await startRun(api, id)
  await eventually(() => release.length === 2)
  expect((await runsOf(api, id)).map((run) => run.status)).toEqual(['running', 'running'])
  await api.patch(`/automations/${id}`, { concurrency: 'skip' })
  expect((await api.post(`/automations/${id}/runs`)).body.code).toBe('run_active')
  await api.patch(`/automations/${id}`, { concurrency: 'queue' })
  await startRun(api, id)
  for (const one of release) one()
  await eventually(() => release.length === 3)
  release[2]!()
  expect(await ended(id, 3)).toHaveLength(3)
})
