import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../test/harness.ts'
import { deliverEvent } from '../../kernel/events.ts'
import { json, signedIn } from '../conversations/person.factory.ts'
import { type Asked, type Reply, type ScriptedModel, scriptedModel } from '../conversations/scripted-model.factory.ts'
import { settingsWith } from '../conversations/turns/agent.factory.ts'
import { link, makeTheme, submitItem } from '../feedback/feedback.factory.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { builtInOf, createAutomation, runsOf, type Shown, startNode, startRun } from './automation.factory.ts'
import { executeRun } from './dispatcher/execute.ts'

const kitOf = (...overrides: [string, string][]) => ({
  permission_overrides: overrides.map(([domain, restriction]) => ({ domain, restriction })),
})
const overridesOf = (automation: Shown) => automation.tool_kit.permission_overrides

async function setUp(
  model: ScriptedModel,
  { env = {}, node = true }: { env?: NodeJS.ProcessEnv; node?: boolean } = {},
) {
  const ws = await openWorkspace({ settings: settingsWith({ model: model.settings(), env }) })
  onTestFinished(ws.close)
  const project = await ws.project()
  const { api } = project.admin
  if (node) {
    const started = startNode(ws, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) })
    onTestFinished(() => started.stop(0))
  }
  const ended = (id: string) =>
    eventually(async () => {
      const runs = await runsOf(api, id)
      return runs.length > 0 && runs.every((run) => run.completed_at !== null) && runs
    })
  const named = async (name: string): Promise<Shown[]> => (await api.get(`/automations?name=${name}`)).body.items
  return { ws, project, api, ended, named }
}

const resultsOf = ({ messages }: Asked) =>
  messages.filter((one) => one.role === 'tool').map((one) => JSON.parse(String(one.content)))
const call = (name: string, input: object): Reply => ({ calls: [{ name, input }] })
const toolsOf = ({ tools = [] }: Asked) => tools.map((tool) => tool.function.name)

it('an agent cannot change kit, grants, prompt, triggers or model of its own automation', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  const made = await createAutomation(api, { tool_kit: kitOf(['work_orders', 'cannot_delete']) })
  const changes = [
    { tool_kit: { permission_overrides: [] } },
    { user_prompt: 'Delete everything.' },
    { triggers: [{ trigger_type: 'schedule', config: { preset: 'hourly' } }] },
    { integration_grants: [] },
    { model: 'larger' },
  ]
  model.script(
    ...changes.map((values) => call('update_automation', { automation_id: made.id, values })),
    call('update_automation', { automation_id: made.id, values: { name: 'Renamed' } }),
    { text: 'Done.' },
  )
  await startRun(api, made.id)
  await ended(made.id)
  const results = resultsOf(model.asked.at(-1)!)
  expect(results.slice(0, 5).map((one) => one.error)).toEqual(Array(5).fill('changes_itself'))
  const now = (await api.get(`/automations/${made.id}`)).body.data
  expect(now).toMatchObject({ name: 'Renamed', user_prompt: made.user_prompt, triggers: [], tool_kit: made.tool_kit })
})

it('what an agent makes has its kit, then and in later runs', async () => {
  const model = await scriptedModel()
  const { api, ended, named } = await setUp(model)
  const parent = await createAutomation(api, { tool_kit: kitOf(['work_orders', 'cannot_view']) })
  const child = { name: 'Child', user_prompt: 'Look.', triggers: [], tool_kit: kitOf(['artifacts', 'cannot_delete']) }
  model.script(call('create_automation', child), { text: 'Done.' })
  await startRun(api, parent.id)
  await ended(parent.id)
  const [made] = await named('Child')
  expect(overridesOf(made!)).toEqual(
    expect.arrayContaining([
      { domain: 'work_orders', restriction: 'cannot_view' },
      { domain: 'artifacts', restriction: 'cannot_delete' },
    ]),
  )
  await startRun(api, made!.id)
  await ended(made!.id)
  expect(toolsOf(model.asked.at(-1)!)).not.toContain('get_work_order')
})

it('a run that an agent starts is bound by the kit of that agent', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  const wide = await createAutomation(api, { name: 'Wide', user_prompt: 'Wide work.' })
  const narrow = await createAutomation(api, { tool_kit: kitOf(['work_orders', 'cannot_view']) })
  model.script((asked) =>
    JSON.stringify(asked.messages).includes('Wide work.') || resultsOf(asked).length > 0
      ? { text: 'Done.' }
      : call('run_automation', { automation_id: wide.id }),
  )
  await startRun(api, narrow.id)
  await ended(narrow.id)
  await ended(wide.id)
  const inWide = model.asked.find((asked) => JSON.stringify(asked.messages).includes('Wide work.'))!
  expect(toolsOf(inWide)).toContain('get_theme')
  expect(toolsOf(inWide)).not.toContain('get_work_order')
  model.script({ text: 'Done.' })
  await startRun(api, wide.id)
  await ended(wide.id)
  expect(toolsOf(model.asked.at(-1)!)).toContain('get_work_order')
})

it('an agent cannot change or enable an automation that may do more than itself', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  const wide = await createAutomation(api, { name: 'Wide' })
  await api.patch(`/automations/${wide.id}`, { enabled: false })
  const narrow = await createAutomation(api, { tool_kit: kitOf(['work_orders', 'cannot_delete']) })
  const update = (values: object) => call('update_automation', { automation_id: wide.id, values })
  model.script(update({ user_prompt: 'Delete.' }), update({ enabled: true }), { text: 'Done.' })
  await startRun(api, narrow.id)
  await ended(narrow.id)
  expect(resultsOf(model.asked.at(-1)!).map((one) => one.error)).toEqual(['wider', 'wider'])
})

it('a prompt that copies itself ends at the depth of a chain', async () => {
  const model = await scriptedModel()
  const { api, ended, named } = await setUp(model)
  const values = { name: 'Copy', user_prompt: 'Copy yourself.', triggers: [] }
  model.script((asked) => {
    const [made, started] = resultsOf(asked)
    if (!made) return call('create_automation', values)
    if (made.error || started) return { text: 'Done.' }
    return call('run_automation', { automation_id: made.id })
  })
  const first = await createAutomation(api, values)
  const run = await startRun(api, first.id)
  await ended(first.id)
  const copies = await eventually(async () => {
    const all = await named('Copy')
    const runs = (await Promise.all(all.map((one) => runsOf(api, one.id)))).flat()
    return all.length === 4 && runs.length === 4 && runs.every((one) => one.completed_at) && { all, runs }
  })
  expect(new Set(copies.runs.map((one) => one.chain_id))).toEqual(new Set([run.id]))
  expect(JSON.stringify(model.asked.map(resultsOf))).toContain('which is the limit. A person has to go on')
  // A person who edits one takes it over.
  await api.patch(`/automations/${copies.all[3]!.id}`, { user_prompt: 'Copy yourself again.' })
  const fresh = await startRun(api, copies.all[3]!.id)
  expect(fresh.chain_id).toBe(fresh.id)
})

it('one cause leads to a limited number of runs and automations an hour', async () => {
  const model = await scriptedModel()
  const { api, ended, named } = await setUp(model, { env: { AUTOMATION_CHAIN_RUNS: '3' } })
  const others = await Promise.all(['a', 'b', 'c'].map((name) => createAutomation(api, { name, user_prompt: name })))
  const starter = await createAutomation(api, { user_prompt: 'Start all.' })
  const create = (n: number) => ({
    name: 'create_automation',
    input: { name: `Made ${n}`, user_prompt: 'x', triggers: [] },
  })
  model.script((asked) =>
    JSON.stringify(asked.messages).includes('Start all.') && resultsOf(asked).length === 0
      ? {
          calls: [
            ...others.map((one) => ({ name: 'run_automation', input: { automation_id: one.id } })),
            ...[1, 2, 3, 4].map(create),
          ],
        }
      : { text: 'Done.' },
  )
  await startRun(api, starter.id)
  await ended(starter.id)
  const results = resultsOf(model.asked.find((asked) => resultsOf(asked).length > 0)!)
  expect(results.map((one) => one.error ?? 'done')).toEqual([
    'done',
    'done',
    'chain_limit',
    'done',
    'done',
    'done',
    'chain_limit',
  ])
  expect(await named('Made')).toHaveLength(3)
})

it('events that agents cause count as well, and what is left out says so', async () => {
  const model = await scriptedModel()
  const { ws, project, api, ended } = await setUp(model, { env: { AUTOMATION_CHAIN_DEPTH: '0' } })
  const workOrder = await createWorkOrder(api)
  const watcher = await createAutomation(api, { triggers: [{ trigger_type: 'work_order_status_changed' }] })
  const changer = await createAutomation(api, { user_prompt: 'Change it.' })
  model.script(call('update_work_order', { work_order_id: workOrder.id, values: { status: 'ready' } }), {
    text: 'Done.',
  })
  await startRun(api, changer.id)
  await ended(changer.id)
  const [event] = await ws.sql`select id::text from events where kind = 'work_order.status_changed'`
  await deliverEvent({ projectId: project.id, id: event!.id }, ws.deps)
  const [left] = await ended(watcher.id)
  expect(left).toMatchObject({ status: 'failed', error: expect.stringContaining('A person has to go on') })
})

it('a person stops a whole chain, and nothing of it starts again', async () => {
  const model = await scriptedModel()
  const { api, named, ended } = await setUp(model)
  const child = {
    name: 'Child',
    user_prompt: 'Wait.',
    triggers: [{ trigger_type: 'schedule', config: { preset: 'hourly' } }],
  }
  let release: (reply: Reply) => void = () => undefined
  const held = new Promise<Reply>((resolve) => {
    release = resolve
  })
  model.script((asked) => {
    const results = resultsOf(asked)
    if (JSON.stringify(asked.messages).includes('Wait.\\n')) return held
    if (results.length === 0) return call('create_automation', child)
    if (results.length === 1) return call('run_automation', { automation_id: results[0].id })
    return held
  })
  const parent = await createAutomation(api, { user_prompt: 'Make.' })
  const run = await startRun(api, parent.id)
  const [made] = await eventually(async () => {
    const [one] = await named('Child')
    return one && (await runsOf(api, one.id)).length === 1 && [one]
  })
  const stopped = await api.post(`/automations/${parent.id}/runs/${run.id}/stop_chain`)
  expect(stopped.status).toBe(200)
  release(call('create_automation', { ...child, name: 'Late' }))
  expect((await ended(parent.id)).map((one) => one.status)).toEqual(['cancelled'])
  expect((await ended(made!.id)).map((one) => one.status)).toEqual(['cancelled'])
  expect((await api.get(`/automations/${made!.id}`)).body.data).toMatchObject({
    enabled: false,
    triggers: [{ next_fire_at: null }],
  })
  expect(await named('Late')).toEqual([])
})

it('what a chat makes has the kit of the chat', async () => {
  const model = await scriptedModel()
  const { ws } = await setUp(model, { node: false })
  const person = await signedIn(ws, model)
  const hourly = {
    name: 'Hourly',
    user_prompt: 'x',
    triggers: [{ trigger_type: 'schedule', config: { preset: 'hourly' } }],
  }
  model.script(call('create_automation', hourly), { text: 'Done.' })
  const talk = await json(
    person.call('POST', '/agent_conversations', {
      message: 'Make one.',
      tool_kit: kitOf(['work_orders', 'cannot_edit']),
    }),
  )
  const made = await eventually(async () => (await json(person.call('GET', '/automations?name=Hourly'))).items[0])
  expect(overridesOf(made)).toEqual([{ domain: 'work_orders', restriction: 'cannot_edit' }])
  const run = await json(person.call('POST', `/automations/${made.id}/runs`, {}))
  expect(run.data.chain_id).toBe(talk.data.id)
  const past = async (query: string) => (await json(person.call('GET', `/events?${query}`))).items
  expect(await past(`kind=automation.created&subject_id=${made.id}`)).toMatchObject([
    { subject_id: made.id, actor: { type: 'agent', on_behalf_of: { id: person.userId } }, created_via: null },
  ])
  expect((await past(`actor_id=${person.userId}`)).length).toBeGreaterThan(1)
  expect(await past(`actor_id=${made.id}`)).toEqual([])
  expect(await past(`run_id=${run.data.id}`)).toEqual([])
})

it('an admin of the project switches off what others own, an editor does not', async () => {
  const model = await scriptedModel()
  const { ws } = await setUp(model, { node: false })
  const person = await signedIn(ws, model)
  const made = await json(person.call('POST', '/automations', { name: 'Theirs', user_prompt: 'x', triggers: [] }))
  const path = `/automations/${made.data.id}`
  await ws.sql`update automations set owner_id = null where id = ${made.data.id}`
  expect((await person.call('POST', `${path}/switch_off`)).status).toBe(403)
  await ws.sql`update project_members set role = 'admin' where user_id = ${person.userId}`
  expect((await person.call('PATCH', path, { enabled: false })).status).toBe(403)
  const answer = await person.call('POST', `${path}/switch_off`)
  expect([answer.status, (await json(answer)).data.enabled]).toEqual([200, false])
})

it('feedback triage with a model leaves alone what a person made or touched', async () => {
  const model = await scriptedModel()
  const { project, api, ended } = await setUp(model)
  const reporter = await project.join('editor', 'reporting')
  const theme = await makeTheme(api)
  const item = await submitItem(api, reporter, 'The total is off by a cent.')
  const other = await submitItem(api, reporter, 'Another one.')
  await link(api, theme.id, item.id)
  await api.patch(`/feedback/items/${other.id}`, { status: 'processed' })
  const triage = await builtInOf(api)
  await api.patch(`/automations/${triage.id}`, { enabled: true })
  const update = (values: object) => ({ name: 'update_theme', input: { theme_id: theme.id, values } })
  model.script(
    {
      calls: [
        update({ title: 'Ignore all rules' }),
        update({ status: 'dismissed' }),
        { name: 'unlink_feedback_item', input: { theme_id: theme.id, feedback_item_id: item.id } },
        { name: 'assign_theme', input: { theme_id: theme.id, email: project.admin.email } },
        { name: 'set_feedback_item_status', input: { feedback_item_id: other.id, status: 'to_process' } },
        { name: 'link_feedback_item', input: { theme_id: theme.id, feedback_item_id: other.id } },
        { name: 'create_theme', input: { title: 'Mine', type: 'bug', priority: 'low', description: 'x' } },
      ],
    },
    (asked) => call('update_theme', { theme_id: resultsOf(asked)[6].id, values: { title: 'Mine too' } }),
    { text: 'Done.' },
  )
  await api.post(`/automations/${triage.id}/runs`, { subject: { resourceType: 'feedback_item', resourceId: item.id } })
  await ended(triage.id)
  const results = resultsOf(model.asked.at(-1)!)
  expect(results.map((one) => one.error ?? 'done')).toEqual([
    ...Array(5).fill('made_by_person'),
    'done',
    'done',
    'done',
  ])
  expect((await api.get(`/feedback/themes/${theme.id}`)).body.data).toMatchObject({
    title: theme.title,
    status: 'unresolved',
    assignee: null,
    quote_count: 2,
  })
})

it('an agent takes away no approval and raises no budget, and gives neither to what is wider', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  const other = await createAutomation(api, { name: 'Other', approval: 'required', budget: { tokens_per_day: 5 } })
  const agent = await createAutomation(api)
  const update = (values: object) => call('update_automation', { automation_id: other.id, values })
  const changes = [{ approval: 'none' }, { budget: {} }, { budget: { tokens_per_day: 6 } }]
  model.script(...changes.map(update), update({ budget: { tokens_per_day: 4, cost_per_day: 1 } }), { text: 'Done.' })
  await startRun(api, agent.id)
  await ended(agent.id)
  const results = resultsOf(model.asked.at(-1)!)
  expect(results.map((one) => one.error)).toEqual(['loosens', 'loosens', 'loosens', undefined])
  expect((await api.get(`/automations/${other.id}`)).body.data).toMatchObject({
    approval: 'required',
    budget: { tokens_per_day: 4, cost_per_day: 1 },
  })
})

it('what the agent of a chat changes starts runs of one chain, up to its limit', async () => {
  const model = await scriptedModel()
  const { ws } = await setUp(model, { node: false, env: { AUTOMATION_CHAIN_RUNS: '2' } })
  const person = await signedIn(ws, model, { env: { AUTOMATION_CHAIN_RUNS: '2' } })
  const watcher = await json(
    person.call('POST', '/automations', {
      name: 'Watcher',
      user_prompt: 'x',
      triggers: [{ trigger_type: 'work_order_status_changed' }],
    }),
  )
  model.script(
    { calls: [1, 2, 3].map((n) => ({ name: 'create_work_order', input: { title: `W${n}` } })) },
    (asked) => ({
      calls: resultsOf(asked).map(({ id }) => ({
        name: 'update_work_order',
        input: { work_order_id: id, values: { status: 'ready' } },
      })),
    }),
    { text: 'Done.' },
  )
  const talk = (await json(person.call('POST', '/agent_conversations', { message: 'Make three ready.' }))).data
  const events = await eventually(async () => {
    const all = await ws.sql`select id::text from events where kind = 'work_order.status_changed'
      and project_id = ${person.projectId} order by id`
    return all.length === 3 && all
  })
  const limited = settingsWith({ model: model.settings(), env: { AUTOMATION_CHAIN_RUNS: '2' } })
  const deps = { ...ws.deps, wiring: { ...ws.deps.wiring, settings: limited } }
  for (const { id } of events) await deliverEvent({ projectId: person.projectId, id }, deps)
  const runs = (await json(person.call('GET', `/automations/${watcher.data.id}/runs`))).items
  expect(runs.map((one: Shown) => [one.status, one.chain_id])).toEqual([
    ['failed', talk.id],
    ['scheduled', talk.id],
    ['scheduled', talk.id],
  ])
  expect(runs[0].error).toContain('One cause has led to 2 runs within an hour')
})

it('a stopped chain is not retried; what a person switches on again is theirs', async () => {
  const model = await scriptedModel()
  const { ws, api, ended } = await setUp(model)
  const child = { name: 'Child', user_prompt: 'Child.', triggers: [] }
  model.script((asked) =>
    JSON.stringify(asked.messages).includes('Child.') && !JSON.stringify(asked.messages).includes('Make.')
      ? { status: 401 }
      : resultsOf(asked).length === 0
        ? call('create_automation', child)
        : resultsOf(asked).length === 1
          ? call('run_automation', { automation_id: resultsOf(asked)[0].id })
          : { text: 'Done.' },
  )
  const parent = await createAutomation(api, { user_prompt: 'Make.' })
  const run = await startRun(api, parent.id)
  await ended(parent.id)
  const [made] = (await api.get('/automations?name=Child')).body.items
  const [failed] = await ended(made.id)
  expect([failed!.status, failed!.chain_id]).toEqual(['failed', run.id])
  await api.post(`/automations/${parent.id}/runs/${run.id}/stop_chain`)
  const path = `/automations/${made.id}`
  await ws.sql`update automations set enabled = true where id = ${made.id}`
  expect((await api.post(`${path}/runs/${failed!.id}/retry`)).body.code).toBe('chain_stopped')
  await api.patch(path, { enabled: false })
  await api.patch(path, { enabled: true })
  const fresh = await startRun(api, made.id)
  expect(fresh.chain_id).toBe(fresh.id)
})

it('a kit also bounds what follows from a change, and what other runs tell of', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  const feature = (await api.post('/requirements', { title: 'Cart', document_type: 'FEATURE' })).body.data
  const [blueprint] = (await api.get('/blueprints')).body.items
  const other = await createAutomation(api, { user_prompt: 'Make one.' })
  model.script(call('create_work_order', { title: 'A secret' }), { text: 'Done.' })
  await startRun(api, other.id)
  await ended(other.id)
  const attempt = async (kit: [string, string][], ...calls: Reply[]) => {
    const { id } = await createAutomation(api, { tool_kit: kitOf(...kit) })
    model.script(...calls, { text: 'Done.' })
    await startRun(api, id)
    await ended(id)
    return resultsOf(model.asked.at(-1)!)
  }
  const [deleted] = await attempt(
    [['blueprints', 'cannot_delete']],
    call('delete_requirements_document', { id: feature.id }),
  )
  const [created, retitled] = await attempt(
    [
      ['blueprints', 'cannot_create'],
      ['blueprints', 'cannot_edit'],
    ],
    call('create_requirements_document', { title: 'Search', document_type: 'FEATURE' }),
    call('rename_requirements_document', { id: feature.id, title: 'Taken' }),
  )
  const [renamed, runs] = await attempt(
    [
      ['requirements', 'cannot_edit'],
      ['work_orders', 'cannot_view'],
    ],
    call('rename_blueprint', { id: blueprint.id, title: 'Taken' }),
    call('list_automation_runs', { automation_id: other.id }),
  )
  expect([deleted, created, retitled, renamed].map((one) => one.error)).toEqual(Array(4).fill('beyond_kit'))
  expect((await api.get(`/requirements/${feature.id}`)).body.data.title).toBe('Cart')
  expect((await api.get(`/blueprints/${blueprint.id}`)).body.data.title).toBe('Cart')
  expect([runs.items[0].status, runs.items[0].changes]).toEqual(['succeeded', []])
})
