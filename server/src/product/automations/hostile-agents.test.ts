import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../test/harness.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { deliverEvent } from '../../kernel/events.ts'
import { type Asked, type Reply, type ScriptedModel, scriptedModel } from '../conversations/scripted-model.factory.ts'
import { settingsWith } from '../conversations/turns/agent.factory.ts'
import { submitItem } from '../feedback/feedback.factory.ts'
import { scriptedMcpServer } from '../integrations/mcp-server.factory.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { builtInOf, createAutomation, DAILY, runsOf, type Shown, startNode, startRun } from './automation.factory.ts'
import { executeRun } from './dispatcher/execute.ts'
import { fireDueSchedules } from './dispatcher/ticks.ts'
import { lockChain } from './runs/chain-queries.ts'
import { scheduleRuns } from './runs/runs.ts'
import { systemCtx } from './system.ts'

async function setUp(model: ScriptedModel, env: NodeJS.ProcessEnv = {}) {
  const ws = await openWorkspace({
    settings: settingsWith({ model: model.settings(), env: { MCP_PRIVATE_HOSTS: 'on', ...env } }),
  })
  onTestFinished(ws.close)
  const project = await ws.project()
  const { api } = project.admin
  const node = startNode(ws, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) })
  onTestFinished(() => node.stop(0))
  const ended = (id: string) =>
    eventually(async () => {
      const runs = await runsOf(api, id)
      return runs.length > 0 && runs.every((run) => run.completed_at !== null) && runs
    })
  const read = async (id: string): Promise<Shown> => (await api.get(`/automations/${id}`)).body.data
  return { ws, project, api, ended, read }
}

const resultsOf = ({ messages }: Asked) =>
  messages.filter((one) => one.role === 'tool').map((one) => JSON.parse(String(one.content)))
const call = (name: string, input: object) => ({ name, input })
const change = (automation_id: string, values: object) => call('update_automation', { automation_id, values })
const start = (automation_id: string) => call('run_automation', { automation_id })
const isAbout = ({ messages }: Asked, prompt: string) =>
  messages.some(({ role, content }) => role === 'user' && JSON.stringify(content).includes(prompt))
const toolsOf = ({ tools = [] }: Asked) => tools.map((tool) => tool.function.name)
const kitOf = (restriction: string) => ({ permission_overrides: [{ domain: 'work_orders', restriction }] })

/** Makes its calls one after the other, in the run of the prompt; other runs only answer. */
const inRunOf =
  (prompt: string, ...calls: { name: string; input: object }[]) =>
  (asked: Asked): Reply => {
    const next = isAbout(asked, prompt) ? calls[resultsOf(asked).length] : undefined
    return next ? { calls: [next] } : { text: 'Done.' }
  }

it('an agent grants no integration and no tool beyond its own to what it makes, changes or starts', async () => {
  const model = await scriptedModel()
  const { ws, project, api, ended } = await setUp(model)
  const server = await scriptedMcpServer(() => ({
    tools: ['find', 'count'].map((name) => ({ name, inputSchema: { type: 'object' } })),
  }))
  for (const id of ['one', 'two'])
    await ws.sql`insert into integrations (project_id, id, owner_id, display_name, url)
      values (${project.id}, ${id}, ${project.admin.userId}, ${id}, ${server.url})`
  const own = [{ id: 'one', tools: ['find'] }]
  const agent = await createAutomation(api, { user_prompt: 'Grant more.', integration_grants: own })
  const plain = await createAutomation(api, { name: 'Plain' })
  const wide = await createAutomation(api, { user_prompt: 'Wide work.', integration_grants: ['one', 'two'] })
  const create = (integration_grants: unknown[]) =>
    call('create_automation', { name: 'Made', user_prompt: 'x', triggers: [], integration_grants })
  model.script(
    inRunOf(
      'Grant more.',
      create(['two']),
      create(['one']),
      create([{ id: 'one', tools: ['find', 'count'] }]),
      create(own),
      change(plain.id, { integration_grants: ['two'] }),
      change(plain.id, { integration_grants: own }),
      change(wide.id, { user_prompt: 'Count.' }),
      start(wide.id),
    ),
  )
  await startRun(api, agent.id)
  await ended(agent.id)
  await ended(wide.id)
  const done = model.asked.findLast((asked) => isAbout(asked, 'Grant more.'))!
  expect(resultsOf(done).map((one) => one.error ?? 'done')).toEqual([
    'beyond_grants',
    'beyond_grants',
    'beyond_grants',
    'done',
    'beyond_grants',
    'done',
    'wider',
    'done',
  ])
  const inWide = model.asked.find((asked) => isAbout(asked, 'Wide work.'))!
  expect(toolsOf(inWide).filter((name) => name.includes('__'))).toEqual(['one__find'])
})

it('the kit of an agent bounds the runs that its runs start, which cannot change it either', async () => {
  const model = await scriptedModel()
  const { api, ended, read } = await setUp(model)
  const first = await createAutomation(api, { user_prompt: 'First.', tool_kit: kitOf('cannot_view') })
  const third = await createAutomation(api, { user_prompt: 'Third.' })
  const second = await createAutomation(api, { user_prompt: 'Second.' })
  const inSecond = inRunOf('Second.', change(first.id, { user_prompt: 'Do more.' }), start(third.id))
  model.script((asked) => (isAbout(asked, 'First.') ? inRunOf('First.', start(second.id)) : inSecond)(asked))
  await startRun(api, first.id)
  for (const { id } of [first, second, third]) await ended(id)
  const inThird = model.asked.find((asked) => isAbout(asked, 'Third.'))!
  expect(toolsOf(inThird)).toContain('get_theme')
  expect(toolsOf(inThird)).not.toContain('get_work_order')
  expect(resultsOf(model.asked.findLast((asked) => isAbout(asked, 'Second.'))!)[0].error).toBe('changes_itself')
  expect((await read(first.id)).user_prompt).toBe('First.')
})

it('what an agent made cannot change or switch on the automation that made it, whatever starts it', async () => {
  const model = await scriptedModel()
  const { ws, api, ended, read } = await setUp(model)
  const maker = await createAutomation(api, { user_prompt: 'Make one.' })
  const made = call('create_automation', { name: 'Made', user_prompt: 'Change it back.', triggers: [DAILY] })
  const changes = [{ user_prompt: 'Do more.' }, { model: 'other' }, { enabled: false }, { enabled: true }]
  const inMade = inRunOf('Change it back.', ...changes.map((values) => change(maker.id, values)))
  model.script((asked) => (isAbout(asked, 'Change it back.') ? inMade : inRunOf('Make one.', made))(asked))
  await startRun(api, maker.id)
  expect((await ended(maker.id))[0]!.changes).toMatchObject([{ action: 'created', title: 'Made' }])
  const [child] = (await api.get('/automations?name=Made')).body.items
  await fireDueSchedules(ws.deps, new Date(Date.now() + 25 * 3_600_000))
  await ended(child.id)
  const done = model.asked.findLast((asked) => isAbout(asked, 'Change it back.'))!
  expect(resultsOf(done).map((one) => one.error ?? 'done')).toEqual([
    'changes_itself',
    'changes_itself',
    'done',
    'changes_itself',
  ])
  expect(await read(maker.id)).toMatchObject({ user_prompt: 'Make one.', enabled: false })
  expect((await runsOf(api, child.id))[0]!.changes).toMatchObject([{ action: 'updated', title: maker.name }])
})

it('what is switched off while it runs does not switch itself on again', async () => {
  const model = await scriptedModel()
  const { api, ended, read } = await setUp(model)
  const agent = await createAutomation(api, { user_prompt: 'Stay.' })
  const stay = inRunOf('Stay.', change(agent.id, { enabled: true }))
  model.script(async (asked) => {
    if (resultsOf(asked).length === 0) await api.patch(`/automations/${agent.id}`, { enabled: false })
    return stay(asked)
  })
  await startRun(api, agent.id)
  await ended(agent.id)
  expect((await read(agent.id)).enabled).toBe(false)
})

it('what an agent made has no more than its maker has by now, and proposes once its maker does', async () => {
  const model = await scriptedModel()
  const { api, ended } = await setUp(model)
  const maker = await createAutomation(api, { user_prompt: 'Make one.' })
  const made = call('create_automation', { name: 'Made', user_prompt: 'Work.', triggers: [] })
  const write = call('create_work_order', { title: 'New' })
  model.script((asked) => (isAbout(asked, 'Work.') ? inRunOf('Work.', write) : inRunOf('Make one.', made))(asked))
  await startRun(api, maker.id)
  await ended(maker.id)
  const [child] = (await api.get('/automations?name=Made')).body.items
  const runChild = async () => {
    const { id } = await startRun(api, child.id)
    await ended(child.id)
    return (await api.get(`/automations/${child.id}/runs/${id}`)).body.data
  }
  expect((await runChild()).writes).toMatchObject([{ status: 'done' }])
  await api.patch(`/automations/${maker.id}`, { approval: 'required' })
  const proposing = await runChild()
  expect(proposing.writes).toMatchObject([{ status: 'proposed' }])
  await api.patch(`/automations/${maker.id}`, { approval: 'none', tool_kit: kitOf('cannot_create') })
  expect((await runChild()).error).toContain('"create_work_order", which it was not offered')
  const accept = `/automations/${child.id}/runs/${proposing.id}/writes/${proposing.writes[0].id}/accept`
  expect((await api.post(accept)).body.code).toBe('beyond_kit')
  // A person who edits it takes it over.
  await api.patch(`/automations/${child.id}`, { model: 'other' })
  expect((await runChild()).writes).toMatchObject([{ status: 'done' }])
})

it('what an agent changes gets its kit', async () => {
  const model = await scriptedModel()
  const { api, ended, read } = await setUp(model)
  const tool_kit = kitOf('cannot_delete')
  const other = await createAutomation(api, { name: 'Other', tool_kit })
  const agent = await createAutomation(api, { user_prompt: 'Widen it.', tool_kit })
  model.script(inRunOf('Widen it.', change(other.id, { tool_kit: kitOf('cannot_create') })))
  await startRun(api, agent.id)
  await ended(agent.id)
  expect((await read(other.id)).tool_kit.permission_overrides).toEqual([
    { domain: 'work_orders', restriction: 'cannot_create' },
    { domain: 'work_orders', restriction: 'cannot_delete' },
  ])
})

it('the agent of a Super Admin neither changes nor starts what acts for someone else', async () => {
  const model = await scriptedModel()
  const { ws, project, api, ended } = await setUp(model)
  const colleague = await project.join('editor')
  await ws.sql`update organization_members set role = 'super_admin' where user_id = ${project.admin.userId}`
  const theirs = await createAutomation(colleague.api)
  const agent = await createAutomation(api, { user_prompt: 'Use theirs.' })
  model.script(inRunOf('Use theirs.', change(theirs.id, { user_prompt: 'Mine.' }), start(theirs.id)))
  await startRun(api, agent.id)
  await ended(agent.id)
  expect(resultsOf(model.asked.at(-1)!).map((one) => one.error)).toEqual(['wider', 'wider'])
})

it('the schedule of what an agent made or changed counts toward its chain, and so does feedback', async () => {
  const model = await scriptedModel()
  const { ws, project, api, ended } = await setUp(model, { AUTOMATION_CHAIN_RUNS: '1' })
  const hourly = { trigger_type: 'schedule', config: { preset: 'hourly' } }
  const triggers = [hourly, { trigger_type: 'feedback_submitted' }]
  const other = await createAutomation(api, { name: 'Other' })
  const agent = await createAutomation(api, { user_prompt: 'Make one.' })
  const create = call('create_automation', { name: 'Made', user_prompt: 'x', triggers })
  model.script(inRunOf('Make one.', create, change(other.id, { triggers })))
  const run = await startRun(api, agent.id)
  await ended(agent.id)
  const [made] = (await api.get('/automations?name=Made')).body.items
  const fire = async () => {
    await ws.sql`update automation_triggers set next_fire_at = now() - interval '1 minute'
      where trigger_type = 'schedule'`
    await fireDueSchedules(ws.deps, new Date())
  }
  await fire()
  for (const { id } of [made, other])
    expect((await ended(id))[0]).toMatchObject({
      status: 'failed',
      chain_id: run.id,
      error: expect.stringContaining('runs within an hour, which is the limit'),
    })
  await submitItem(api, await project.join('editor', 'reporting'))
  const [event] = await ws.sql`select id::text from events where kind = 'feedback_item.submitted'`
  await deliverEvent({ projectId: project.id, id: event!.id }, ws.deps)
  for (const { id } of [made, other]) expect(await runsOf(api, id)).toHaveLength(1)
  // What was left out is no run, so an hour later the chain goes on.
  await ws.sql`update automation_runs set created_at = created_at - interval '1 hour' where started_at is not null`
  await fire()
  const statuses = async (id: string) => (await ended(id)).map((one) => one.status)
  expect([...(await statuses(made.id)), ...(await statuses(other.id))].sort()).toEqual([
    'failed',
    'failed',
    'succeeded',
  ])
  await api.post(`/automations/${agent.id}/runs/${run.id}/stop_chain`)
  for (const { id } of [made, other]) expect((await api.get(`/automations/${id}`)).body.data.enabled).toBe(false)
})

it('a person stops a chain before an event leads it on; an editor cannot stop that of others', async () => {
  const model = await scriptedModel()
  const { ws, project, api, ended } = await setUp(model)
  const workOrder = await createWorkOrder(api)
  const agent = await createAutomation(api, { user_prompt: 'Change it.' })
  const ready = call('update_work_order', { work_order_id: workOrder.id, values: { status: 'ready' } })
  model.script(inRunOf('Change it.', ready))
  const run = await startRun(api, agent.id)
  await ended(agent.id)
  const path = `/automations/${agent.id}/runs/${run.id}/stop_chain`
  expect((await (await project.join('editor')).api.post(path)).status).toBe(403)
  expect((await api.post(path)).status).toBe(200)
  const watcher = await createAutomation(api, { triggers: [{ trigger_type: 'work_order_status_changed' }] })
  const [event] = await ws.sql`select id::text from events where kind = 'work_order.status_changed'`
  await deliverEvent({ projectId: project.id, id: event!.id }, ws.deps)
  expect((await ended(watcher.id))[0]).toMatchObject({
    status: 'failed',
    error: 'A person has stopped the chain of runs that led to this.',
  })
})

it('a chain is stopped together with what starts at that moment', async () => {
  const model = await scriptedModel()
  const { ws, project, api, ended } = await setUp(model)
  model.script({ text: 'Done.' })
  const agent = await createAutomation(api)
  const { id, chain_id: chainId } = await startRun(api, agent.id)
  await ended(agent.id)
  let stopping: Promise<unknown> | undefined
  await inTransaction({ ...ws.deps, db: ws.sql }, async (deps) => {
    await lockChain(deps.db, project.id, chainId)
    const ctx = systemCtx(deps, { projectId: project.id, organizationId: project.organizationId })
    await scheduleRuns(ctx, [{ automationId: agent.id, triggerType: 'manual', chainId }])
    stopping = api.post(`/automations/${agent.id}/runs/${id}/stop_chain`)
    const isWaiting = () => ws.sql`select 1 from pg_locks where locktype = 'advisory' and not granted`
    await Promise.race([stopping, eventually(async () => (await isWaiting()).length > 0)])
  })
  await stopping
  expect((await ended(agent.id)).map((run) => run.status)).toEqual(['cancelled', 'succeeded'])
})

it('feedback triage leaves alone a theme of its own once a person has touched it, also by a subagent', async () => {
  const model = await scriptedModel()
  const { project, api, ended } = await setUp(model)
  const reporter = await project.join('editor', 'reporting')
  const item = await submitItem(api, reporter)
  const triage = await builtInOf(api)
  await api.patch(`/automations/${triage.id}`, { enabled: true })
  const sort = async (...replies: Parameters<ScriptedModel['script']>) => {
    model.script(...replies, { text: 'Done.' })
    const subject = { resourceType: 'feedback_item', resourceId: item.id }
    await api.post(`/automations/${triage.id}/runs`, { subject })
    await ended(triage.id)
    return resultsOf(model.asked.at(-1)!)
  }
  const values = { title: 'Mine', type: 'bug', priority: 'low', description: 'x' }
  const [theme] = await sort({ calls: [call('create_theme', values)] }, (asked) => ({
    calls: [call('link_feedback_item', { theme_id: resultsOf(asked)[0].id, feedback_item_id: item.id })],
  }))
  const theme_id = theme.id
  const unlink = { calls: [call('unlink_feedback_item', { theme_id, feedback_item_id: item.id })] }
  const rename = { calls: [call('update_theme', { theme_id, values: { title: 'Other' } })] }
  expect(await sort(rename)).toMatchObject([{ title: 'Other' }])
  await api.patch(`/feedback/themes/${theme_id}`, { title: 'Ours' })
  const delegate = { calls: [call('delegate', { title: 'Part', task: 'Rename it.' })] }
  const refused = await sort(unlink, delegate, rename, { text: '"Refused."' })
  expect(refused).toMatchObject([{ error: 'made_by_person' }, 'Refused.'])
  const bySubagent = resultsOf(model.asked.at(-2)!)
  expect(bySubagent).toMatchObject([{ error: 'made_by_person' }])
  const { title, quote_count } = (await api.get(`/feedback/themes/${theme_id}`)).body.data
  expect([title, quote_count]).toEqual(['Ours', 1])
})
