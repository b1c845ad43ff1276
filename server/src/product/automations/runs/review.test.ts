import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../../test/harness.ts'
import {
  type Asked,
  type Reply,
  type ScriptedModel,
  scriptedModel,
} from '../../conversations/scripted-model.factory.ts'
import { settingsWith } from '../../conversations/turns/agent.factory.ts'
import { makeTheme, submitItem } from '../../feedback/feedback.factory.ts'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import { createAutomation, runsOf, type Shown, startNode } from '../automation.factory.ts'
import { executeRun } from '../dispatcher/execute.ts'

async function setUp(model: ScriptedModel) {
  const ws = await openWorkspace({ settings: settingsWith({ model: model.settings() }) })
  onTestFinished(ws.close)
  const project = await ws.project()
  const { api } = project.admin
  const node = () => {
    const started = startNode(ws, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) })
    onTestFinished(() => started.stop(0))
  }
  const detail = async (id: string, runId: string): Promise<Shown> =>
    (await api.get(`/automations/${id}/runs/${runId}`)).body.data
  const run = async (id: string, body: object = {}): Promise<Shown> => {
    const { data } = (await api.post(`/automations/${id}/runs`, body)).body
    return eventually(async () => {
      const one = await detail(id, data.id)
      return one.completed_at !== null && one
    })
  }
  return { ws, project, api, node, run, detail }
}

const call = (name: string, input: object) => ({ name, input })
const resultsOf = ({ messages }: Asked) =>
  messages.filter((one) => one.role === 'tool').map((one) => JSON.parse(String(one.content)))

it('shows what it said, how far it is, and each write with before and after', async () => {
  const model = await scriptedModel()
  const { api, node, run, detail } = await setUp(model)
  node()
  const workOrder = await createWorkOrder(api, { title: 'Old', status: 'backlog' })
  const { id } = await createAutomation(api)
  const values = { title: 'New', status: 'ready' }
  let meanwhile: Shown | undefined
  model.script(
    {
      text: 'I will change it.',
      calls: [
        call('update_work_order', { work_order_id: workOrder.id, values }),
        call('create_blueprint', { title: 'B' }),
      ],
    },
    async () => {
      meanwhile = await detail(id, (await runsOf(api, id))[0]!.id)
      return { text: 'Changed it.' }
    },
  )
  const done = await run(id, { input: 'Only the first one, please.' })
  expect(meanwhile).toMatchObject({
    status: 'running',
    text: 'I will change it.',
    input_tokens: 100,
    progress: { tool_calls: 2, last_tool: 'create_blueprint', last_at: expect.any(String) },
    writes: [{ status: 'done' }, { status: 'done' }],
  })
  expect(JSON.stringify(model.asked[0]!.messages)).toContain('Only the first one, please.')
  expect(done).toMatchObject({
    status: 'succeeded',
    text: 'Changed it.',
    input: 'Only the first one, please.',
    dry_run: false,
    progress: { tool_calls: 2, last_tool: 'create_blueprint' },
    writes: [
      {
        tool: 'update_work_order',
        status: 'done',
        resource_type: 'work_order',
        resource_id: workOrder.id,
        before: { title: 'Old', status: 'backlog' },
        after: { title: 'New', status: 'ready' },
      },
      { tool: 'create_blueprint', before: null, after: { title: 'B', version_number: 1 } },
    ],
  })
  expect(Object.keys(done.writes[0].before).sort()).toEqual(['status', 'title'])
})

it('is undone where nobody has changed it since, and what stays is listed with the reason', async () => {
  const model = await scriptedModel()
  const { project, api, node, run } = await setUp(model)
  node()
  const [kept, touched, gone] = await Promise.all(
    ['Kept', 'Touched', 'Gone'].map((title) => createWorkOrder(api, { title })),
  )
  const document = (await api.post('/blueprints', { title: 'Cart', markdown_content: 'One.\n' })).body.data
  const theme = await makeTheme(api)
  const reporter = await project.join('editor', 'reporting')
  const item = await submitItem(api, reporter)
  const { id } = await createAutomation(api)
  const update = (one: Shown, values: object) => call('update_work_order', { work_order_id: one.id, values })
  model.script(
    {
      calls: [
        update(kept as Shown, { status: 'ready', priority: 'high' }),
        update(kept as Shown, { status: 'blocked' }),
        update(touched as Shown, { title: 'Renamed' }),
        call('delete_work_order', { work_order_id: gone!.id }),
        call('create_work_order', { title: 'Made' }),
        call('write_blueprint', { id: document.id, markdown_content: 'Two.\n' }),
        call('write_blueprint', { id: document.id, markdown_content: 'Three.\n' }),
        call('link_feedback_item', { theme_id: theme.id, feedback_item_id: item.id }),
        call('comment_work_order', { work_order_id: kept!.id, markdown_content: 'Hm.' }),
      ],
    },
    { text: 'Done.' },
  )
  const done = await run(id)
  expect(done.writes).toHaveLength(9)
  await api.patch(`/work_orders/${touched!.id}/description`, { markdown_content: 'By a person.' })
  await api.post('/work_orders/batch_update', {
    request_id: 'r',
    operations: [
      {
        operation_id: 'a',
        operation_type: 'UpdateTitle',
        target: { work_order_id: touched!.id },
        patch: { title: 'Mine' },
      },
    ],
  })
  const { status, body } = await api.post(`/automations/${id}/runs/${done.id}/undo`)
  expect(status).toBe(200)
  expect(body.data.kept.map((one: Shown) => [one.action, one.reason])).toEqual([
    ['update_work_order', 'It was changed since.'],
  ])
  expect(body.data.undone).toHaveLength(8)
  expect((await api.get(`/work_orders/${kept!.id}/comments`)).body.items).toEqual([])
  expect((await api.get(`/work_orders/${kept!.id}`)).body.data).toMatchObject({
    status: 'backlog',
    priority: 'no_priority',
  })
  expect((await api.get('/work_orders')).body.items.map((one: Shown) => one.title).sort()).toEqual([
    'Gone',
    'Kept',
    'Mine',
  ])
  expect((await api.get(`/blueprints/${document.id}`)).body.data).toMatchObject({
    markdown_content: 'One.\n',
    version_number: 5,
  })
  expect((await api.get(`/feedback/themes/${theme.id}`)).body.data.quote_count).toBe(0)
  const again = (await api.post(`/automations/${id}/runs/${done.id}/undo`)).body.data
  expect(again.undone).toEqual([])
})

it('that only proposes changes nothing; a person accepts or rejects each', async () => {
  const model = await scriptedModel()
  const { project, api, node, run, detail } = await setUp(model)
  node()
  const { id } = await createAutomation(api, { approval: 'required' })
  const both: Reply = {
    calls: [call('create_work_order', { title: 'One' }), call('create_work_order', { title: 'Two' })],
  }
  model.script(both, { text: 'Proposed.' })
  const done = await run(id)
  expect(resultsOf(model.asked[1]!)[0]).toMatchObject({ status: 'proposed' })
  expect(done).toMatchObject({ status: 'succeeded', changes: [] })
  expect((await api.get('/work_orders')).body.total).toBe(0)
  const path = `/automations/${id}/runs/${done.id}/writes`
  const other = await project.join('editor')
  expect((await other.api.post(`${path}/${done.writes[0].id}/accept`)).status).toBe(403)
  expect((await api.post(`${path}/${done.writes[0].id}/accept`)).status).toBe(200)
  expect((await api.post(`${path}/${done.writes[1].id}/reject`)).status).toBe(200)
  expect((await api.post(`${path}/${done.writes[1].id}/accept`)).body.code).toBe('already_decided')
  const after = await detail(id, done.id)
  expect(after.writes).toMatchObject([
    { status: 'accepted', after: { title: 'One' }, decided_by: project.admin.userId },
    { status: 'rejected', after: { title: 'Two' } },
  ])
  expect((await api.get('/work_orders')).body.items.map((one: Shown) => one.title)).toEqual(['One'])

  await api.patch(`/automations/${id}`, { approval: 'none' })
  model.script(both, { text: 'Proposed.' })
  expect((await run(id, { dry_run: true })).writes.map((one: Shown) => one.status)).toEqual(['proposed', 'proposed'])
  expect((await api.get('/work_orders')).body.total).toBe(1)
})

it('does not overwrite what a person has changed since it proposed; what it changed itself is no hindrance', async () => {
  const model = await scriptedModel()
  const { api, node, run } = await setUp(model)
  node()
  const { id } = await createAutomation(api, { approval: 'required' })
  const workOrder = await createWorkOrder(api)
  const document = { title: 'Plan', document_type: 'FEATURE', markdown_content: 'Old.' }
  const plan = (await api.post('/requirements', document)).body.data
  const write = (markdown_content: string) => call('write_requirements_document', { id: plan.id, markdown_content })
  const update = (values: object) => call('update_work_order', { work_order_id: workOrder.id, values })
  const comment = call('comment_work_order', { work_order_id: workOrder.id, markdown_content: 'Look.' })
  const changes = [write('First.'), write('Second.'), write('Third.'), update({ priority: 'high' })]
  model.script({ calls: [...changes, update({ title: 'New' }), comment] }, { text: 'Proposed.' })
  const done = await run(id)
  expect(done.writes.at(-1)).toMatchObject({ before: null, after: { markdown_content: 'Look.' } })
  const accept = async (at: number) =>
    (await api.post(`/automations/${id}/runs/${done.id}/writes/${done.writes[at].id}/accept`)).body
  const statusOf = async (at: number) => (await accept(at)).data.writes[at].status
  expect([await statusOf(0), await statusOf(1)]).toEqual(['accepted', 'accepted'])
  await api.patch(`/requirements/${plan.id}`, { markdown_content: 'By a person.' })
  expect((await accept(2)).code).toBe('changed_since')
  expect((await api.get(`/requirements/${plan.id}`)).body.data.markdown_content).toBe('By a person.')
  const byHand = { operation_id: 'a', operation_type: 'UpdateWorkOrder', target: { work_order_id: workOrder.id } }
  await api.post('/work_orders/batch_update', {
    request_id: 'x',
    operations: [{ ...byHand, patch: { priority: 'low' } }],
  })
  expect((await accept(3)).code).toBe('changed_since')
  expect([await statusOf(4), await statusOf(5)]).toEqual(['accepted', 'accepted'])
})

it('that has waited uses the automation as it is when it begins', async () => {
  const model = await scriptedModel()
  const { api, node } = await setUp(model)
  const { id } = await createAutomation(api, { name: 'Before', user_prompt: 'Old prompt.' })
  await api.post(`/automations/${id}/runs`)
  const tool_kit = { permission_overrides: [{ domain: 'work_orders', restriction: 'cannot_delete' }] }
  const later = { name: 'After', user_prompt: 'New prompt.', model: 'newer', approval: 'required', tool_kit }
  await api.patch(`/automations/${id}`, later)
  model.script({ calls: [call('create_work_order', { title: 'One' })] }, { text: 'Done.' })
  node()
  const [ended] = await eventually(async () => {
    const runs = await runsOf(api, id)
    return runs[0]!.completed_at && runs
  })
  const told = JSON.stringify(model.asked[0]!.messages)
  expect([told.includes('New prompt.'), told.includes('Old prompt.')]).toEqual([true, false])
  const talk = (await api.get(`/agent_conversations/${ended!.conversation_id}`)).body.data
  expect(talk).toMatchObject({ title: 'After', automation: { automation_name: 'After' } })
  expect([ended!.model, ended!.changes]).toEqual(['newer', []])
  expect(JSON.stringify(model.asked[0]!.tools)).not.toContain('delete_work_order')
  expect(talk.content[0].text).toContain('New prompt.')
})

it('leaves its name on versions, suggestions and comments, and in the history', async () => {
  const model = await scriptedModel()
  const { api, node, run } = await setUp(model)
  node()
  const document = (await api.post('/blueprints', { title: 'Cart', markdown_content: 'One.\n' })).body.data
  const workOrder = await createWorkOrder(api)
  const { id, name } = await createAutomation(api)
  model.script(
    {
      calls: [
        call('suggest_blueprint_change', { id: document.id, old_text: 'One', new_text: 'Two' }),
        call('comment_blueprint', { id: document.id, message: 'Why?' }),
        call('comment_work_order', { work_order_id: workOrder.id, markdown_content: 'Hm.' }),
        call('list_blueprint_versions', { id: document.id }),
        call('diff_blueprint_versions', { id: document.id, from_version_id: document.version_id }),
      ],
    },
    { text: 'Done.' },
  )
  const done = await run(id)
  const created_via = { automation_id: id, automation_name: name, run_id: done.id }
  const path = `/blueprints/${document.id}`
  const versions = (await api.get(`${path}/versions`)).body.items
  expect(versions.map((one: Shown) => one.created_via)).toEqual([created_via, undefined])
  expect((await api.get(`${path}/suggestions`)).body.items[0]).toMatchObject({
    created_via,
    created_by_name: expect.any(String),
  })
  expect((await api.get(`${path}/comments`)).body.items[0].messages[0]).toMatchObject({ created_via })
  expect((await api.get(`/work_orders/${workOrder.id}/comments`)).body.items[0]).toMatchObject({ created_via })
  const results = resultsOf(model.asked[1]!)
  expect(results[3]).toMatchObject({ total: 2 })
  expect(results[4].diff).toContain('+{--One--}{++Two++}.')
})
