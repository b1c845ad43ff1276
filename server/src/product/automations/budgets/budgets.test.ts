import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { json, signedIn } from '../../conversations/person.factory.ts'
import {
  type Asked,
  type Reply,
  type ScriptedModel,
  scriptedModel,
} from '../../conversations/scripted-model.factory.ts'
import { settingsWith } from '../../conversations/turns/agent.factory.ts'
import { createAutomation, runsOf, type Shown, startNode, startRun } from '../automation.factory.ts'
import { failAbandonedRuns } from '../dispatcher/abandoned-runs.ts'
import { executeRun } from '../dispatcher/execute.ts'
import { claimRun } from '../dispatcher/queries.ts'

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
  model.script(
    async () => {
      expect((await runsOf(api, id))[0]!.model).toBe('scripted')
      return look(1)
    },
    { silent: true },
  )
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

it('after five failures in a row it pauses and tells its owner; enabling it starts again', async () => {
  const model = await scriptedModel()
  const { api, ended, read, told } = await setUp(model)
  const { id } = await createAutomation(api)
  let runs = 0
  const runWith = async (reply: Reply, times: number) => {
    model.script(reply)
    for (let i = 0; i < times; i++) {
      await startRun(api, id)
      await ended(id, ++runs)
    }
  }
  await runWith({ status: 401 }, 4)
  await runWith({ text: 'Done.' }, 1)
  await runWith({ status: 401 }, 4)
  expect((await read(id)).enabled).toBe(true)
  await runWith({ status: 401 }, 1)
  const paused = await eventually(async () => {
    const one = await read(id)
    return !one.enabled && one
  })
  expect(paused.paused).toMatchObject({ until: null, reason: expect.stringContaining('last 5 runs have failed') })
  expect(await told()).toContain('needs you')
  expect((await api.post(`/automations/${id}/runs`)).body.code).toBe('automation_disabled')
  expect((await api.patch(`/automations/${id}`, { enabled: true })).body.data.paused).toBeNull()
  await runWith({ status: 401 }, 4)
  expect((await read(id)).enabled).toBe(true)
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

it('runs that wait begin one by one once the automation says so', async () => {
  const model = await scriptedModel()
  const { ws, api, node } = await setUp(model)
  await node.stop(0)
  const { id } = await createAutomation(api, { concurrency: 'parallel' })
  for (let i = 0; i < 2; i++) await startRun(api, id)
  await api.patch(`/automations/${id}`, { concurrency: 'queue' })
  const claims = [await claimRun(ws.sql, uuidv7(), 30_000), await claimRun(ws.sql, uuidv7(), 30_000)]
  expect(claims.map((one) => one?.run.automationId)).toEqual([id, undefined])
})

it('conversations count toward the budget of the project, are reported at 80 % and refused at 100 %', async () => {
  const model = await scriptedModel()
  const { ws } = await setUp(model)
  const person = await signedIn(ws, model)
  await ws.sql`update project_members set role = 'admin' where user_id = ${person.userId}`
  await person.call('PUT', '/automation_budget', { tokens_per_day: 250 })
  model.script({ text: 'Hello.' })
  const talk = (await json(person.call('POST', '/agent_conversations', { message: 'Hi.' }))).data
  const path = `/agent_conversations/${talk.id}`
  const over = () => eventually(async () => !(await json(person.call('GET', path))).data.active_turn.is_active)
  await over()
  const say = () => person.call('POST', `${path}/messages`, { message: 'More.' })
  const told = async () => (await json(person.call('GET', '/agent_conversations?query=needs%20me'))).items
  expect(await told()).toEqual([])
  expect((await say()).status).toBe(201)
  await over()
  // 240 of 250: told once, however much more is said.
  expect(await told()).toHaveLength(1)
  model.script(look(1), look(2), { text: 'Never said.' })
  expect((await say()).status).toBe(201)
  await over()
  const { content } = (await json(person.call('GET', path))).data
  expect(content.at(-1).text).toContain('360 of 250 tokens were used today')
  expect(model.asked).toHaveLength(3)
  const refused = await say()
  expect([refused.status, (await json(refused)).code]).toEqual([409, 'budget_used_up'])
  const fresh = await json(person.call('POST', '/agent_conversations', { message: 'Hi.' }))
  expect(fresh.detail).toContain('pause until the next day (UTC), or until an admin of the project raises it')
  expect(await told()).toHaveLength(2)
  // Runs pause with them.
  const automation = await json(person.call('POST', '/automations', { name: 'A', user_prompt: 'x', triggers: [] }))
  expect(automation.data.paused.reason).toContain('360 of 250')
  await person.call('PUT', '/automation_budget', { tokens_per_day: 300 })
  expect((await json(person.call('GET', '/automation_budget'))).data.paused_reason).toContain('360 of 300')
  await person.call('PUT', '/automation_budget', { tokens_per_day: 10_000 })
  model.script({ text: 'Again.' })
  expect((await say()).status).toBe(201)
  await over()
})

it('a run that is retried counts each attempt once, and one that waits for its budget proposes nothing twice', async () => {
  const model = await scriptedModel()
  const { ws, project, api, ended, read } = await setUp(model)
  const { id } = await createAutomation(api, { approval: 'required', budget: { tokens_per_day: 250 } })
  const once: Reply = { calls: [{ name: 'create_work_order', input: { title: 'Once' } }] }
  model.script(once, { status: 503 }, once, once, { text: 'Done.' })
  await startRun(api, id)
  const runs = await ended(id, 2)
  const used = runs.reduce((sum, run) => sum + (run.input_tokens ?? 0) + (run.output_tokens ?? 0), 0)
  const [counted] = await ws.sql`select sum(input_tokens + output_tokens)::int as tokens from model_usage
    where project_id = ${project.id}`
  expect(counted!.tokens).toBe(used)
  expect(runs[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('of 250 tokens') })
  const waiting = await startRun(api, id)
  expect((await read(id)).paused).not.toBeNull()
  const open = await ws.sql`select run_id from agent_deeds where status = 'proposed'`
  expect(new Set(open.map((row) => row.run_id))).toEqual(new Set([runs[0]!.id]))
  expect((await api.get(`/automations/${id}/runs/${waiting.id}`)).body.data.writes).toEqual([])
})

const resultsOf = ({ messages }: Asked) =>
  messages.filter((one) => one.role === 'tool').map((one) => JSON.parse(String(one.content)))
const call = (name: string, input: object): Reply => ({ calls: [{ name, input }] })
const isAbout = (asked: Asked, prompt: string) => JSON.stringify(asked.messages).includes(prompt)

it('what an agent makes counts toward its budget, until a person takes it over', async () => {
  const model = await scriptedModel()
  const { api, ended, read } = await setUp(model)
  const child = { name: 'Child', user_prompt: 'Spend.', triggers: [] }
  model.script((asked) => {
    if (!isAbout(asked, 'Have it done.')) return look(model.asked.length)
    const [made, started] = resultsOf(asked)
    if (!made) return call('create_automation', child)
    return started ? { text: 'Done.' } : call('run_automation', { automation_id: made.id })
  })
  const { id } = await createAutomation(api, { user_prompt: 'Have it done.', budget: { tokens_per_day: 480 } })
  await startRun(api, id)
  expect((await ended(id))[0]!.status).toBe('succeeded')
  const [made] = (await api.get('/automations?name=Child')).body.items
  // Three answers of one and one of the other, 120 tokens each.
  const reason = expect.stringMatching(/"Morning report" led to this run\..* 480 of 480 tokens were used today/)
  expect((await ended(made.id))[0]).toMatchObject({ status: 'failed', error: reason })
  expect((await read(id)).paused).not.toBeNull()
  const asked = model.asked.length
  for (let runs = 2; runs <= 6; runs++) {
    await startRun(api, made.id)
    expect((await ended(made.id, runs))[0]).toMatchObject({ status: 'failed', error: reason })
  }
  expect(model.asked).toHaveLength(asked)
  // Tomorrow there is room again, so it stays on.
  expect((await read(made.id)).enabled).toBe(true)
  await api.patch(`/automations/${made.id}`, { user_prompt: 'Spend of your own.' })
  model.script({ text: 'Done.' })
  await startRun(api, made.id)
  expect((await ended(made.id, 7))[0]!.status).toBe('succeeded')
})

it('so does what an agent starts or changes, and it cannot delete what pays for it', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  const other = await createAutomation(api, { name: 'Other', user_prompt: 'Spend.' })
  const { id } = await createAutomation(api, { user_prompt: 'Have it done.', budget: { tokens_per_day: 720 } })
  const change = { automation_id: other.id, values: { user_prompt: 'Spend more.' } }
  const mine: Reply[] = [
    call('update_automation', change),
    call('run_automation', { automation_id: other.id }),
    { text: 'Done.' },
  ]
  model.script((asked) =>
    isAbout(asked, 'Have it done.')
      ? mine[resultsOf(asked).length]!
      : resultsOf(asked).length === 0
        ? call('delete_automation', { automation_id: id })
        : { text: 'Done.' },
  )
  await startRun(api, id)
  await ended(id)
  expect((await ended(other.id))[0]!.status).toBe('succeeded')
  expect(JSON.stringify(model.asked.map(resultsOf))).toContain('changes_itself')
  model.script((asked) => look(resultsOf(asked).length))
  await startRun(api, other.id)
  expect((await ended(other.id, 2))[0]).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('720 of 720 tokens were used today'),
  })
})
