import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../../test/harness.ts'
import { json, signedIn } from '../../conversations/person.factory.ts'
import {
  type Asked,
  type Reply,
  type ScriptedModel,
  scriptedModel,
} from '../../conversations/scripted-model.factory.ts'
import { settingsWith } from '../../conversations/turns/agent.factory.ts'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import { createAutomation, runsOf, type Shown, startNode } from '../automation.factory.ts'
import { failAbandonedRuns } from '../dispatcher/abandoned-runs.ts'
import { executeRun } from '../dispatcher/execute.ts'

async function setUp(model: ScriptedModel) {
  const ws = await openWorkspace({ settings: settingsWith({ model: model.settings() }) })
  onTestFinished(ws.close)
  const project = await ws.project()
  const { api } = project.admin
  const node = startNode(ws, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) })
  onTestFinished(() => node.stop(0))
  const detail = async (id: string, runId: string): Promise<Shown> =>
    (await api.get(`/automations/${id}/runs/${runId}`)).body.data
  const run = async (id: string, body: object = {}): Promise<Shown> => {
    const { data } = (await api.post(`/automations/${id}/runs`, body)).body
    return eventually(async () => {
      const one = await detail(id, data.id)
      return one.completed_at !== null && one
    })
  }
  const decide = (done: Shown, at: number, verb: 'accept' | 'reject') =>
    api.post(`/automations/${done.automation_id}/runs/${done.id}/writes/${done.writes[at].id}/${verb}`)
  return { ws, project, api, run, detail, decide }
}

const call = (name: string, input: object) => ({ name, input })
const resultsOf = ({ messages }: Asked) =>
  messages.filter((one) => one.role === 'tool').map((one) => JSON.parse(String(one.content)))

/** Creates a work order, then a blueprint, then comments on the first, and connects both. */
const connected: ((asked: Asked) => Reply)[] = [
  () => ({ calls: [call('create_work_order', { title: 'Base' }), call('create_blueprint', { title: 'Plan' })] }),
  (asked) => {
    const [workOrder, blueprint] = resultsOf(asked)
    const connectedContext = [{ resourceType: 'blueprint', resourceId: blueprint.id }]
    return {
      calls: [
        call('get_work_order', { work_order_id: workOrder.id }),
        call('comment_work_order', { work_order_id: workOrder.id, markdown_content: `See ${blueprint.id}.` }),
        call('update_work_order', { work_order_id: workOrder.id, values: { connectedContext } }),
      ],
    }
  },
]

it('a subagent of a dry run proposes, too', async () => {
  const model = await scriptedModel()
  const { api, run, decide } = await setUp(model)
  const { id } = await createAutomation(api)
  const delegate = call('delegate', { title: 'Part', task: 'Make one.' })
  const create = call('create_work_order', { title: 'By the subagent' })
  model.script({ calls: [delegate] }, { calls: [create] }, { text: 'Proposed one.' }, { text: 'Done.' })
  const done = await run(id, { dry_run: true })
  expect(done.status).toBe('succeeded')
  expect(done.writes).toMatchObject([{ status: 'proposed', tool: 'create_work_order' }])
  expect((await api.get('/work_orders')).body.total).toBe(0)
  expect((await decide(done, 0, 'accept')).status).toBe(200)
  expect((await api.get('/work_orders')).body.items).toMatchObject([{ title: 'By the subagent' }])
})

it('proposals refer to what earlier ones would make; accepted in order, they become real', async () => {
  const model = await scriptedModel()
  const { api, run, decide } = await setUp(model)
  const { id } = await createAutomation(api, { approval: 'required' })
  model.script(...connected, { text: 'Proposed.' })
  const done = await run(id)
  expect(done.status).toBe('succeeded')
  expect(resultsOf(model.asked.at(-1)!)[2]).toMatchObject({ status: 'proposed', input: { title: 'Base' } })
  const [base, plan, comment, link] = done.writes
  expect(done.writes.map((one: Shown) => one.depends_on)).toEqual([[], [], [base.id, plan.id], [base.id, plan.id]])
  const early = await decide(done, 2, 'accept')
  expect([early.status, early.body.code, early.body.detail]).toEqual([
    409,
    'base_not_accepted',
    expect.stringContaining('create_work_order "Base". Accept that one first.'),
  ])
  expect((await api.get('/work_orders')).body.total).toBe(0)
  for (const at of [0, 1, 2, 3]) expect((await decide(done, at, 'accept')).status).toBe(200)
  const [workOrder] = (await api.get('/work_orders')).body.items
  const [blueprint] = (await api.get('/blueprints')).body.items
  expect((await api.get(`/work_orders/${workOrder.id}/comments`)).body.items).toMatchObject([
    { markdown_content: `See ${blueprint.id}.`, created_via: { run_id: done.id } },
  ])
  expect((await api.get(`/work_orders/${workOrder.id}`)).body.data.connectedContext).toMatchObject([
    { resourceId: blueprint.id },
  ])
  expect([comment.tool, link.tool]).toEqual(['comment_work_order', 'update_work_order'])
  const undone = (await api.post(`/automations/${id}/runs/${done.id}/undo`)).body.data
  expect([undone.undone.length, undone.kept]).toEqual([4, []])
  expect((await api.get('/work_orders')).body.total).toBe(0)
})

it('rejecting one rejects what refers to it, with the reason', async () => {
  const model = await scriptedModel()
  const { api, run, decide, detail } = await setUp(model)
  const { id } = await createAutomation(api, { approval: 'required' })
  model.script(...connected, { text: 'Proposed.' })
  const done = await run(id)
  expect((await decide(done, 0, 'reject')).status).toBe(200)
  const reason = expect.stringContaining('which was rejected: create_work_order "Base"')
  expect((await detail(id, done.id)).writes).toMatchObject([
    { status: 'rejected', reason: null },
    { status: 'proposed' },
    { status: 'rejected', reason },
    { status: 'rejected', reason },
  ])
  expect((await decide(done, 2, 'accept')).body.code).toBe('already_decided')
})

it('a proposal shows what it would change, and a deletion that was accepted can be taken back', async () => {
  const model = await scriptedModel()
  const { api, run, decide } = await setUp(model)
  const one = await createWorkOrder(api, { title: 'Old' })
  const { id } = await createAutomation(api)
  model.script(
    {
      calls: [
        call('update_work_order', { work_order_id: one.id, values: { title: 'New', status: 'backlog' } }),
        call('delete_work_order', { work_order_id: one.id }),
      ],
    },
    { text: 'Proposed.' },
  )
  const done = await run(id, { dry_run: true })
  expect(done.writes).toMatchObject([
    { before: { title: 'Old' }, after: { title: 'New' } },
    { before: { title: 'Old' }, after: null },
  ])
  await decide(done, 1, 'accept')
  expect((await api.get('/work_orders')).body.total).toBe(0)
  // What was deleted meanwhile is refused, and stays proposed.
  expect((await decide(done, 0, 'accept')).status).toBe(404)
  expect((await api.post(`/automations/${id}/runs/${done.id}/undo`)).body.data.undone).toHaveLength(1)
  expect((await decide(done, 0, 'accept')).body.data.writes[0]).toMatchObject({ status: 'accepted' })
  expect((await api.get(`/work_orders/${one.id}`)).body.data.title).toBe('New')
})

it('two people who accept at once do it once, and one that broke off is decided again', async () => {
  const model = await scriptedModel()
  const { ws, api, run, decide, detail } = await setUp(model)
  const { id } = await createAutomation(api, { approval: 'required' })
  model.script({ calls: [call('create_work_order', { title: 'Once' })] }, { text: 'Proposed.' })
  const done = await run(id)
  const answers = await Promise.all([1, 2, 3].map(() => decide(done, 0, 'accept')))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  expect((await api.get('/work_orders')).body.total).toBe(1)
  // A server that was killed before the end was noted.
  await ws.sql`update agent_deeds set status = 'begun' where run_id = ${done.id}`
  expect((await detail(id, done.id)).writes[0].status).toBe('begun')
  expect((await decide(done, 0, 'reject')).body.data.writes[0].status).toBe('rejected')
  expect((await api.get('/work_orders')).body.total).toBe(1)
})

it('what a run with proposals makes needs approval as well', async () => {
  const model = await scriptedModel()
  const { api, run, decide } = await setUp(model)
  const { id } = await createAutomation(api, { approval: 'required' })
  const child = { name: 'Child', user_prompt: 'x', triggers: [], approval: 'none' }
  model.script({ calls: [call('create_automation', child)] }, { text: 'Proposed.' })
  const done = await run(id)
  await decide(done, 0, 'accept')
  const [made] = (await api.get('/automations?name=Child')).body.items
  expect(made.approval).toBe('required')
})

it('a run that it starts proposes as well, and it does not start itself, although a person accepts that', async () => {
  const model = await scriptedModel()
  const { api, run, decide, detail } = await setUp(model)
  const other = await createAutomation(api, { name: 'Other', user_prompt: 'Other work.' })
  const { id } = await createAutomation(api, { approval: 'required' })
  const starts = [id, other.id].map((automation_id) => call('run_automation', { automation_id }))
  model.script((asked) => {
    if (resultsOf(asked).length > 0) return { text: 'Done.' }
    const isOther = JSON.stringify(asked.messages).includes('Other work.')
    return { calls: isOther ? [call('create_work_order', { title: 'Unseen' })] : starts }
  })
  const done = await run(id)
  expect((await decide(done, 0, 'accept')).body.code).toBe('starts_itself')
  expect((await decide(done, 1, 'accept')).status).toBe(200)
  const started = await eventually(async () => {
    const [one] = await runsOf(api, other.id)
    return one?.completed_at && one
  })
  expect(started.dry_run).toBe(true)
  expect((await detail(other.id, started.id)).writes).toMatchObject([{ status: 'proposed' }])
  expect((await api.get('/work_orders')).body.total).toBe(0)
})

it('a run that failed after it proposed is done again, and only the last proposals count', async () => {
  const model = await scriptedModel()
  const { api, detail } = await setUp(model)
  const { id } = await createAutomation(api, { approval: 'required' })
  const once = { calls: [call('create_work_order', { title: 'Once' })] }
  model.script(once, { status: 503 }, once, { text: 'Proposed.' })
  const first = (await api.post(`/automations/${id}/runs`)).body.data
  const runs = await eventually(async () => {
    const all = await runsOf(api, id)
    return all.length === 2 && all.every((one) => one.completed_at) && all
  })
  expect(runs.map((one) => [one.status, one.retry_of])).toEqual([
    ['succeeded', first.id],
    ['failed', null],
  ])
  const writes = await Promise.all(runs.map(async (one) => (await detail(id, one.id)).writes[0]))
  expect(writes).toMatchObject([
    { status: 'proposed' },
    { status: 'rejected', reason: expect.stringContaining('done again') },
  ])
})

it('a run whose server was killed keeps its proposals until it is done again, and a narrower kit refuses them', async () => {
  const model = await scriptedModel()
  const { ws, api, decide, detail } = await setUp(model)
  const { id } = await createAutomation(api, { approval: 'required' })
  model.script({ calls: [call('create_work_order', { title: 'Once' })] }, { silent: true })
  const { id: runId } = (await api.post(`/automations/${id}/runs`)).body.data
  await eventually(async () => (await detail(id, runId)).writes.length === 1 && model.asked.length === 2)
  await ws.sql`update automation_runs set leased_until = now() - interval '1 hour'`
  await failAbandonedRuns(ws.deps)
  const killed = await detail(id, runId)
  expect(killed).toMatchObject({ status: 'failed', writes: [{ status: 'proposed' }] })
  const overrides = (restriction: string) => ({ permission_overrides: [{ domain: 'work_orders', restriction }] })
  await api.patch(`/automations/${id}`, { tool_kit: overrides('cannot_create') })
  expect((await decide(killed, 0, 'accept')).body.code).toBe('beyond_kit')
  expect((await detail(id, runId)).writes[0].status).toBe('proposed')
  model.script({ text: 'Nothing.' })
  await api.post(`/automations/${id}/runs/${runId}/retry`)
  expect((await decide(killed, 0, 'accept')).body.code).toBe('already_decided')
  expect((await api.get('/work_orders')).body.total).toBe(0)
})

it('the history shows the run beside the person, for what it did and for what a person accepted', async () => {
  const model = await scriptedModel()
  const { ws } = await setUp(model)
  const person = await signedIn(ws, model)
  const post = async (path: string, body: object = {}) => (await json(person.call('POST', path, body))).data
  const past = async (query: string): Promise<Shown[]> => (await json(person.call('GET', `/events?${query}`))).items
  const automation = await post('/automations', { name: 'Maker', user_prompt: 'x', triggers: [] })
  const begin = async (body: object): Promise<Shown> => {
    model.script(
      { calls: [call('create_work_order', { title: 'One' }), call('create_work_order', { title: 'Two' })] },
      { text: 'Done.' },
    )
    const { id } = await post(`/automations/${automation.id}/runs`, body)
    return eventually(async () => {
      const { data } = await json(person.call('GET', `/automations/${automation.id}/runs/${id}`))
      return data.completed_at && data
    })
  }
  const done = await begin({})
  const via = (run: Shown) => ({ automation_id: automation.id, automation_name: 'Maker', run_id: run.id })
  const own = await past(`run_id=${done.id}&kind=work_order.created`)
  expect(own).toMatchObject(
    Array(2).fill({ created_via: via(done), actor: { type: 'automation', on_behalf_of: { id: person.userId } } }),
  )
  expect(await past(`run_id=${done.id}&kind=work_order.created&limit=1`)).toEqual([own[0]])
  expect(await past(`run_id=${done.id}&kind=work_order.created&before=${own[0]!.id}`)).toEqual([own[1]])
  expect(await past(`run_id=${done.id}&subject_id=${own[1]!.subject_id}`)).toEqual([own[1]])
  expect(await past('kind=work_order.created')).toEqual(own)
  const proposed = await begin({ dry_run: true })
  expect(await past(`run_id=${proposed.id}`)).toEqual([])
  await post(`/automations/${automation.id}/runs/${proposed.id}/writes/${proposed.writes[0].id}/accept`)
  expect(await past(`run_id=${proposed.id}`)).toMatchObject([
    { kind: 'work_order.created', created_via: via(proposed), actor: { type: 'person', id: person.userId } },
  ])
})
