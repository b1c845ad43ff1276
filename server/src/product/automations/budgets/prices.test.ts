import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../../test/harness.ts'
import { json, signedIn } from '../../conversations/person.factory.ts'
import { type Reply, type ScriptedModel, scriptedModel } from '../../conversations/scripted-model.factory.ts'
import { settingsWith } from '../../conversations/turns/agent.factory.ts'
import { createAutomation, runsOf, type Shown, startNode, startRun } from '../automation.factory.ts'
import { executeRun } from '../dispatcher/execute.ts'

async function setUp(model: ScriptedModel) {
  const prices = { scripted: { input: 1_000, output: 5_000 } }
  const ws = await openWorkspace({ settings: settingsWith({ model: { ...model.settings(), prices } }) })
  onTestFinished(ws.close)
  const { api } = (await ws.project()).admin
  const node = startNode(ws, { execute: (deps, run, signal) => executeRun(deps, run, signal) })
  onTestFinished(() => node.stop(0))
  const ended = (id: string): Promise<Shown> =>
    eventually(async () => {
      const [run] = await runsOf(api, id)
      return run?.completed_at && run
    })
  return { ws, api, ended }
}

const look = (page: number): Reply => ({ calls: [{ name: 'list_work_orders', input: { page } }] })

// 120 tokens and 0.2 an answer.
it.each([
  ['tokens_per_month', 120, '120 of 120 tokens were used this month', 'the next month'],
  ['cost_per_day', 0.2, '0.2 of 0.2 were used today', 'the next day'],
])('a budget of %s ends the run that uses it up, and those after it wait', async (limit, amount, used, until) => {
  const model = await scriptedModel()
  const { ws, api, ended } = await setUp(model)
  const { id } = await createAutomation(api, { budget: { [limit]: amount } })
  model.script(look(1), { text: 'Done.' })
  await startRun(api, id)
  const { status, error } = await ended(id)
  expect([status, error]).toEqual(['failed', expect.stringContaining(used)])
  expect(error).toContain(`pause until ${until}`)
  const [{ is_next }] = (await ws.sql`select paused_until = date_trunc(${until.slice(9)}, now() at time zone 'UTC')
      at time zone 'UTC' + ${`1 ${until.slice(9)}`}::interval as is_next
    from automation_budgets where automation_id = ${id}`) as never as [{ is_next: boolean }]
  expect(is_next).toBe(true)
})

it('where the day and the month are used up, runs wait for the month; a budget of nothing allows nothing', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  model.script({ text: 'Done.' })
  const both = await createAutomation(api, { budget: { tokens_per_day: 100, tokens_per_month: 100 } })
  await startRun(api, both.id)
  await ended(both.id)
  const pauseOf = async (id: string) => (await api.get(`/automations/${id}`)).body.data.paused
  expect((await pauseOf(both.id)).reason).toContain('pause until the next month')
  const { id } = await createAutomation(api, { budget: { cost_per_day: 0 } })
  expect((await pauseOf(id)).reason).toContain('0 of 0 were used today')
})

it('a model without a price is not used where a budget is in money', async () => {
  const model = await scriptedModel()
  const { ws, api, ended } = await setUp(model)
  const child = { name: 'Child', user_prompt: 'Spend.', triggers: [], model: 'unpriced' }
  model.script({ calls: [{ name: 'create_automation', input: child }] }, { text: 'Done.' })
  const parent = await createAutomation(api, { budget: { cost_per_month: 100 } })
  await startRun(api, parent.id)
  expect((await ended(parent.id)).status).toBe('succeeded')
  const [made] = (await api.get('/automations?name=Child')).body.items
  const asked = model.asked.length
  await startRun(api, made.id)
  expect((await ended(made.id)).error).toContain('is in money, and the model "unpriced" has no price')
  expect(model.asked).toHaveLength(asked)
  const person = await signedIn(ws, model)
  await ws.sql`update project_members set role = 'admin' where user_id = ${person.userId}`
  await person.call('PUT', '/automation_budget', { cost_per_day: 1 })
  expect((await json(person.call('POST', '/agent_conversations', { message: 'Hi.' }))).code).toBe('no_price')
})
