import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../../test/harness.ts'
import { signedInMember } from '../../../faces/app-api/visitor.factory.ts'
import { scriptedModel } from '../../conversations/scripted-model.factory.ts'
import { settingsWith } from '../../conversations/turns/agent.factory.ts'
import { createAutomation, runsOf, startNode, startRun } from '../automation.factory.ts'
import { executeRun } from '../dispatcher/execute.ts'

it('what was used is told by day, automation and person, with what came of it, and only to the project', async () => {
  const model = await scriptedModel()
  const prices = { scripted: { input: 1_000, output: 5_000 } }
  const ws = await openWorkspace({ settings: settingsWith({ model: { ...model.settings(), prices } }) })
  onTestFinished(ws.close)
  const project = await ws.project()
  const { api, userId } = project.admin
  const node = startNode(ws, { idleMs: 100, execute: (deps, run, signal) => executeRun(deps, run, signal) })
  onTestFinished(() => node.stop(0))
  const make = (title: string) => ({ calls: [{ name: 'create_work_order', input: { title } }] })
  model.script(make('One'), make('Two'), make('Three'), { text: 'Done.' })
  const { id } = await createAutomation(api, { name: 'Asks', approval: 'required', budget: { cost_per_month: 8 } })
  await startRun(api, id)
  const run = await eventually(async () => (await runsOf(api, id)).find((one) => one.completed_at !== null))
  const { writes } = (await api.get(`/automations/${id}/runs/${run.id}`)).body.data
  await api.post(`/automations/${id}/runs/${run.id}/writes/${writes[0].id}/accept`)
  await api.post(`/automations/${id}/runs/${run.id}/writes/${writes[1].id}/reject`)
  const viewer = await signedInMember(ws, project, 'viewer')
  const { data } = (await viewer.call('GET', '/model_usage')).body
  const day = { day: expect.stringMatching(`^${data.month}-\\d\\d$`), tokens: 480, cost: 0.8 }
  expect(data).toMatchObject({
    tokens: 480,
    cost: 0.8,
    automations: [
      {
        automation_id: id,
        name: 'Asks',
        runs: 1,
        tokens: 480,
        cost: 0.8,
        cost_per_month: 8,
        accepted: 1,
        decided: 2,
        days: [day],
      },
    ],
    people: [{ user_id: userId, tokens: 480, cost: 0.8, days: [day] }],
  })
  const { day: today } = data.automations[0].days[0]
  const ofDay = (await viewer.call('GET', `/model_usage?day=${today}`)).body.data
  expect(ofDay).toMatchObject({
    tokens: 480,
    automations: [{ runs: 1, accepted: 1, decided: 2 }],
    people: [{ cost: 0.8 }],
  })
  const another = (await viewer.call('GET', '/model_usage?day=2020-02-29')).body.data
  expect(another).toMatchObject({ month: '2020-02', tokens: 0, automations: [], people: [] })
  expect((await viewer.call('GET', '/model_usage?day=2021-02-29')).status).toBe(422)
  const none = (await viewer.call('GET', '/model_usage?month=2020-02')).body.data
  expect(none).toMatchObject({ month: '2020-02', tokens: 0, cost: 0, automations: [], people: [] })
  expect((await viewer.call('GET', '/model_usage?month=2020-13')).status).toBe(422)
  const stranger = await signedInMember(ws, await ws.project(), 'admin')
  expect((await stranger.call('GET', '/model_usage')).body.data).toMatchObject({ automations: [], people: [] })
})
