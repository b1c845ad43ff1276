import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../../test/harness.ts'
import { type Reply, type ScriptedModel, scriptedModel } from '../../conversations/scripted-model.factory.ts'
import { settingsWith } from '../../conversations/turns/agent.factory.ts'
import { link, makeTheme, submitItem } from '../../feedback/feedback.factory.ts'
import { addLabel } from '../../work-orders/index.ts'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import { createAutomation, type Shown, startNode } from '../automation.factory.ts'
import { executeRun } from '../dispatcher/execute.ts'

async function setUp(model: ScriptedModel) {
  const ws = await openWorkspace({ settings: settingsWith({ model: model.settings() }) })
  onTestFinished(ws.close)
  const project = await ws.project()
  const { api } = project.admin
  const node = startNode(ws, { execute: (deps, claimed, signal) => executeRun(deps, claimed, signal) })
  onTestFinished(() => node.stop(0))
  const read = async (path: string): Promise<Shown> => (await api.get(path)).body.data
  const list = async (path: string): Promise<Shown[]> => (await api.get(path)).body.items
  const automation = await createAutomation(api)
  const path = (run: Shown) => `/automations/${automation.id}/runs/${run.id}`
  /** Runs an agent that makes these calls, in one answer. */
  const run = async (...calls: [name: string, input: object][]): Promise<Shown> => {
    model.script({ calls: calls.map(([name, input]) => ({ name, input })) } as Reply, { text: 'Done.' })
    const { data } = (await api.post(`/automations/${automation.id}/runs`)).body
    return eventually(async () => {
      const one = await read(path(data))
      return one.completed_at !== null && one
    })
  }
  const undo = async (done: Shown): Promise<{ undone: Shown[]; kept: Shown[] }> => {
    const { status, body } = await api.post(`${path(done)}/undo`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return body.data
  }
  return { ws, project, api, read, list, run, undo, path, automation }
}

const reasons = ({ kept }: { kept: Shown[] }) => kept.map(({ reason }) => reason)

it('a deleted work order comes back as it was, with its number, comments and links', async () => {
  const { project, api, read, list, run, undo, ws } = await setUp(await scriptedModel())
  const label = await addLabel(project.operator, { title: 'Urgent', color: 'gray' })
  const document = (await api.post('/blueprints', { title: 'Cart', markdown_content: 'One.\n' })).body.data
  const connectedContext = [{ resourceType: 'blueprint', resourceId: document.id }]
  const one = await createWorkOrder(api, { title: 'Gone', label_ids: [label.id], connectedContext })
  await api.post(`/work_orders/${one.id}/comments`, { markdown_content: 'A word.' })
  const paths = [`/work_orders/${one.id}`, `/blueprints/${document.id}`]
  const before = await Promise.all(paths.map(read))
  const comments = await list(`/work_orders/${one.id}/comments`)
  const done = await run(['delete_work_order', { work_order_id: one.id }])
  expect((await api.get(paths[0]!)).status).toBe(404)
  expect(done.writes[0]).toMatchObject({ before: { title: 'Gone' }, after: null })
  expect(reasons(await undo(done))).toEqual([])
  expect(await Promise.all(paths.map(read))).toEqual(before)
  expect(await list(`/work_orders/${one.id}/comments`)).toEqual(comments)
  expect((await api.get('/work_orders')).body.total).toBe(1)
  expect(await ws.sql`select kind from events where kind = 'work_order.restored'`).toHaveLength(1)
  const [left] = await ws.sql`select count(*)::int as n from kept_rows`
  expect(left!.n).toBe(0)
})

it('a deleted feature comes back with its blueprint, versions, comments, place and children', async () => {
  const { api, read, list, run, undo } = await setUp(await scriptedModel())
  const create = async (title: string, parent_id?: string): Promise<Shown> =>
    (await api.post('/requirements', { title, document_type: 'FEATURE', parent_id, markdown_content: 'x\n' })).body.data
  const first = await create('First')
  const gone = await create('Gone')
  const last = await create('Last')
  const children = [await create('A', gone.id), await create('B', gone.id)]
  await api.put(`/requirements/${gone.id}/content`, { markdown_content: 'y\n' })
  await api.post(`/requirements/${gone.id}/comments`, { message: 'Why?' })
  const all = [first, gone, last, ...children]
  const seen = async () => ({
    documents: await Promise.all(all.map((one) => read(`/requirements/${one.id}`))),
    versions: await list(`/requirements/${gone.id}/versions`),
    comments: await list(`/requirements/${gone.id}/comments`),
    blueprints: (await list('/blueprints')).map(({ updated_at: _, ...one }) => one),
    tree: (await list('/requirements')).map(({ id }) => id),
  })
  const before = await seen()
  const done = await run(['delete_requirements_document', { id: gone.id }])
  expect(done.writes[0].status).toBe('done')
  expect((await api.get(`/requirements/${gone.id}`)).status).toBe(404)
  expect(reasons(await undo(done))).toEqual([])
  const withoutTimes = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (key, one) => (key === 'updated_at' ? undefined : one)))
  expect(withoutTimes(await seen())).toEqual(withoutTimes(before))
})

it('a deleted folder comes back with its files, and one whose name was taken does not', async () => {
  const { ws, api, read, list, run, undo } = await setUp(await scriptedModel())
  const create = async (body: object): Promise<Shown> => {
    const { status, body: answer } = await api.post('/artifacts', body)
    if (status !== 201) throw new Error(JSON.stringify(answer))
    return answer.data
  }
  const folder = await create({ type: 'folder', name: 'Notes' })
  const note = await create({ type: 'document', name: 'One.md', markdown_content: 'Hello.', parent_id: folder.id })
  const before = await read(`/artifacts/${note.id}`)
  const done = await run(['delete_artifact', { artifact_id: folder.id }])
  expect(await list('/artifacts')).toEqual([])
  expect(await ws.sql`select 1 from graphile_worker.jobs where task_identifier = 'remove_bytes'`).toEqual([])
  expect(reasons(await undo(done))).toEqual([])
  expect(await read(`/artifacts/${note.id}`)).toEqual(before)
  const content = await api.get(`/artifacts/${note.id}/content`)
  expect([content.status, String(content.text ?? content.body)]).toEqual([200, expect.stringContaining('Hello.')])

  const again = await run(['delete_artifact', { artifact_id: folder.id }])
  await create({ type: 'folder', name: 'Notes' })
  expect(reasons(await undo(again))).toEqual(['Something else has its name or its number by now.'])
})

it('a deleted theme comes back with its feedback, and a deleted automation switched off', async () => {
  const { project, api, read, run, undo } = await setUp(await scriptedModel())
  const theme = await makeTheme(api)
  const reporter = await project.join('editor', 'reporting')
  const item = await submitItem(api, reporter)
  await link(api, theme.id, item.id)
  const workOrder = await createWorkOrder(api, { connectedContext: [{ resourceType: 'theme', resourceId: theme.id }] })
  const hourly = { trigger_type: 'schedule', config: { preset: 'hourly' } }
  const other = await createAutomation(api, { name: 'Other', triggers: [hourly], budget: { tokens_per_day: 5 } })
  const before = await read(`/feedback/themes/${theme.id}`)
  expect(before).toMatchObject({ quote_count: 1, linked_work_order_count: 1 })
  const done = await run(['delete_theme', { theme_id: theme.id }], ['delete_automation', { automation_id: other.id }])
  expect(done.writes.map((one: Shown) => one.status)).toEqual(['done', 'done'])
  expect((await read(`/feedback/items/${item.id}`)).status).toBe('to_process')
  expect(reasons(await undo(done))).toEqual([])
  expect(await read(`/feedback/themes/${theme.id}`)).toEqual(before)
  expect((await read(`/feedback/items/${item.id}`)).status).toBe('processed')
  expect((await read(`/work_orders/${workOrder.id}`)).connectedContext).toHaveLength(1)
  expect(await read(`/automations/${other.id}`)).toMatchObject({
    name: 'Other',
    enabled: false,
    budget: { tokens_per_day: 5 },
    triggers: [{ trigger_type: 'schedule', next_fire_at: null }],
  })
})

it('after thirty days a deletion is final, and says so', async () => {
  const { ws, api, run, undo } = await setUp(await scriptedModel())
  const one = await createWorkOrder(api)
  const done = await run(['delete_work_order', { work_order_id: one.id }])
  await ws.sql`update kept_rows set created_at = now() - interval '31 days'`
  await ws.deps.wiring.jobs.get('forget_kept_rows')!.run({}, ws.deps)
  expect(reasons(await undo(done))).toEqual([expect.stringContaining('possible for 30 days')])
})

it('what is too large to be brought back is not deleted, by a run or by who accepts it', async () => {
  const model = await scriptedModel()
  const { ws, api, run, path, automation } = await setUp(model)
  const one = await createWorkOrder(api)
  await api.post(`/work_orders/${one.id}/comments`, { markdown_content: 'A word.' })
  await ws.sql`update work_order_comments set markdown_content = repeat('x', 20000001)`
  const done = await run(['delete_work_order', { work_order_id: one.id }])
  expect(done.writes).toEqual([])
  expect(JSON.stringify(model.asked.at(-1)!.messages)).toMatch(
    /larger than the 20 MB that can be brought back.*A person can\./,
  )
  await api.patch(`/automations/${automation.id}`, { approval: 'required' })
  const proposed = await run(['delete_work_order', { work_order_id: one.id }])
  const refused = await api.post(`${path(proposed)}/writes/${proposed.writes[0].id}/accept`)
  expect([refused.status, refused.body.code]).toEqual([409, 'too_large_to_keep'])
  expect((await api.delete(`/work_orders/${one.id}`)).status).toBeLessThan(300)
})

it('comments are taken back unless somebody has answered', async () => {
  const { api, list, run, undo } = await setUp(await scriptedModel())
  const [quiet, busy] = [await createWorkOrder(api, { title: 'Q' }), await createWorkOrder(api, { title: 'B' })]
  const document = (await api.post('/blueprints', { title: 'Cart', markdown_content: 'One.\n' })).body.data
  const asked = (await api.post(`/blueprints/${document.id}/comments`, { message: 'By a person.' })).body.data
  const done = await run(
    ['comment_work_order', { work_order_id: quiet.id, markdown_content: 'Mine.' }],
    ['comment_work_order', { work_order_id: busy.id, markdown_content: 'Mine too.' }],
    ['comment_blueprint', { id: document.id, message: 'A thread.' }],
    ['comment_blueprint', { id: document.id, message: 'Another.' }],
    ['comment_blueprint', { id: document.id, thread_id: asked.id, message: 'A reply.' }],
  )
  await api.post(`/work_orders/${busy.id}/comments`, { markdown_content: 'An answer.' })
  const threads = await list(`/blueprints/${document.id}/comments`)
  const another = threads.find((one) => one.messages[0].message === 'Another.')!
  await api.post(`/blueprints/${document.id}/comments/${another.id}/messages`, { message: 'Yes.' })
  expect(reasons(await undo(done))).toEqual(['Somebody has commented after it.', 'Somebody has answered it.'])
  expect(await list(`/work_orders/${quiet.id}/comments`)).toEqual([])
  expect(await list(`/work_orders/${busy.id}/comments`)).toHaveLength(2)
  const left = await list(`/blueprints/${document.id}/comments`)
  expect(left.map((one) => one.messages.map(({ message }: Shown) => message))).toEqual([
    ['By a person.'],
    ['Another.', 'Yes.'],
  ])
})

it('triggers, grants, budget and approval of an automation are set back, unless a person changed them', async () => {
  const { api, read, run, undo } = await setUp(await scriptedModel())
  const daily = { trigger_type: 'schedule', config: { preset: 'daily' } }
  const ready = { trigger_type: 'work_order_status_changed', filter: { status_to: ['ready'] } }
  const other = await createAutomation(api, { name: 'Other', triggers: [daily, ready], budget: { tokens_per_day: 9 } })
  const shown = async () => {
    const { triggers, budget, concurrency, user_prompt } = await read(`/automations/${other.id}`)
    const plain = triggers.map(({ trigger_type, config, filter }: Shown) => ({ trigger_type, config, filter }))
    return { triggers: plain, budget, concurrency, user_prompt }
  }
  const before = await shown()
  const values = { triggers: [{ trigger_type: 'code_push' }], concurrency: 'skip', user_prompt: 'Changed.' }
  const change: [string, object] = ['update_automation', { automation_id: other.id, values }]
  const done = await run(change)
  expect((await shown()).triggers).toHaveLength(1)
  expect(reasons(await undo(done))).toEqual([])
  expect(await shown()).toEqual(before)
  const again = await run(change)
  await api.patch(`/automations/${other.id}`, { triggers: [daily] })
  expect(reasons(await undo(again))).toEqual(['It was changed since.'])
})

it('what others have added to something that a run made keeps it', async () => {
  const { api, list, run, undo, read } = await setUp(await scriptedModel())
  const done = await run(
    ['create_work_order', { title: 'Made' }],
    ['create_artifact', { name: 'Folder', type: 'folder' }],
    ['create_automation', { name: 'Child', user_prompt: 'x', triggers: [] }],
    ['create_blueprint', { title: 'Alone' }],
    ['create_requirements_document', { title: 'Feature', document_type: 'FEATURE' }],
  )
  const [blueprint] = (await api.get('/blueprints?title=Feature')).body.items
  await api.patch(`/blueprints/${blueprint.id}`, { markdown_content: 'By a person.' })
  const [workOrder, folder, child] = done.writes.map((one: Shown) => one.resource_id)
  await api.post(`/work_orders/${workOrder}/comments`, { markdown_content: 'Good.' })
  await api.post('/artifacts', { type: 'folder', name: 'Inside', parent_id: folder })
  const run2 = (await api.post(`/automations/${child}/runs`)).body.data
  await eventually(async () => (await read(`/automations/${child}/runs/${run2.id}`)).completed_at)
  expect(reasons(await undo(done))).toEqual([
    'It has comments by now.',
    'There is something in it by now.',
    'It has run since, so it stays with its runs. It is switched off now.',
    'Its blueprint was changed since.',
  ])
  expect((await read(`/automations/${child}`)).enabled).toBe(false)
  expect((await list('/blueprints')).map(({ title }) => title)).toEqual(['Feature'])
})

it('what a call left as it was stays so, and a quote comes back with its words', async () => {
  const { project, api, read, list, run, undo } = await setUp(await scriptedModel())
  const reporter = await project.join('editor', 'reporting')
  const [kept, gone] = [await submitItem(api, reporter), await submitItem(api, reporter)]
  const feature = (await api.post('/requirements', { title: 'Cart', document_type: 'FEATURE' })).body.data
  const theme = await makeTheme(api, { feature_requirements_document_id: feature.id })
  const workOrder = await createWorkOrder(api, { connectedContext: [{ resourceType: 'theme', resourceId: theme.id }] })
  for (const item of [kept, gone]) await link(api, theme.id, item.id, { text_excerpt: 'off by a cent' })
  const path = `/feedback/themes/${theme.id}`
  await api.put(`${path}/assignee`, { email: project.admin.email })
  const words = async () => (await list(`${path}/quotes`)).map((one) => [one.feedback_item_id, one.text_excerpt])
  const before = [await read(path), await words()]
  const theme_id = theme.id
  const done = await run(
    ['link_feedback_item', { theme_id, feedback_item_id: kept.id }],
    ['link_theme_work_order', { theme_id, work_order_id: workOrder.id }],
    ['set_theme_feature', { theme_id, feature_requirements_document_id: feature.id }],
    ['assign_theme', { theme_id, email: project.admin.email }],
    ['write_requirements_document', { id: feature.id, markdown_content: feature.markdown_content }],
    ['unlink_feedback_item', { theme_id, feedback_item_id: gone.id }],
  )
  expect(done.writes).toHaveLength(6)
  expect(reasons(await undo(done))).toEqual([])
  expect([await read(path), await words()]).toEqual(before)
})

it('a long text comes back if it was short, and is said to be too long to keep if it was not', async () => {
  const model = await scriptedModel()
  const { api, read, run, undo } = await setUp(model)
  const long = 'x'.repeat(200_001)
  const texts = { short: 'Short.', long }
  for (const [was, kept] of [
    ['short', []],
    ['long', ['Its text was too long to keep.']],
  ] as const) {
    const { id } = await createWorkOrder(api, { markdown_content: texts[was] })
    const wanted = { work_order_id: id, values: { markdown_content: `${long}!` } }
    expect(reasons(await undo(await run(['update_work_order', wanted]))), was).toEqual(kept)
    expect((await read(`/work_orders/${id}`)).markdown_content).toBe(was === 'short' ? 'Short.' : `${long}!`)
  }
})

it('links of others stay, and what was moved goes back', async () => {
  const { api, read, run, undo } = await setUp(await scriptedModel())
  const document = async (title: string) => {
    const { id } = (await api.post('/blueprints', { title })).body.data
    return { resourceType: 'blueprint', resourceId: id }
  }
  const [had, added] = [await document('Had'), await document('Added')]
  const workOrder = await createWorkOrder(api, { connectedContext: [had] })
  const theme = await makeTheme(api)
  const folder = (await api.post('/artifacts', { type: 'folder', name: 'Notes' })).body.data
  const note = (await api.post('/artifacts', { type: 'document', name: 'One.md', markdown_content: 'x' })).body.data
  const done = await run(
    ['update_work_order', { work_order_id: workOrder.id, values: { connectedContext: [added] } }],
    ['update_artifact', { artifact_id: note.id, name: 'Two.md', parent_id: folder.id }],
  )
  expect((await read(`/artifacts/${note.id}`)).folder_path).toBe('Notes')
  await api.post(`/feedback/themes/${theme.id}/work_orders`, { work_order_id: workOrder.id })
  expect(reasons(await undo(done))).toEqual([])
  const { connectedContext } = await read(`/work_orders/${workOrder.id}`)
  expect(connectedContext.map((one: Shown) => one.resourceId).sort()).toEqual([had.resourceId, theme.id].sort())
  expect(await read(`/artifacts/${note.id}`)).toMatchObject({ name: 'One.md', folder_path: note.folder_path })
})

it('two people at once take it back once, and an undo that broke off can be finished', async () => {
  const { ws, api, read, run, path, undo } = await setUp(await scriptedModel())
  const one = await createWorkOrder(api, { title: 'Old' })
  const document = (await api.post('/blueprints', { title: 'Cart', markdown_content: 'One.\n' })).body.data
  const done = await run(
    ['update_work_order', { work_order_id: one.id, values: { title: 'New' } }],
    ['write_blueprint', { id: document.id, markdown_content: 'Two.\n' }],
    ['create_work_order', { title: 'Made' }],
  )
  const both = await Promise.all([1, 2].map(() => api.post(`${path(done)}/undo`)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await read(`/blueprints/${document.id}`)).toMatchObject({ markdown_content: 'One.\n', version_number: 3 })
  // As if the server had been killed after each step, before it was noted.
  await ws.sql`update agent_deeds set status = 'done' where run_id = ${done.id}`
  await ws.sql`update automation_runs set reviewed_until = now() + interval '1 minute' where id = ${done.id}`
  expect((await api.post(`${path(done)}/undo`)).body.code).toBe('being_reviewed')
  await ws.sql`update automation_runs set reviewed_until = now() - interval '1 second' where id = ${done.id}`
  const { undone, kept } = await undo(done)
  expect([undone.length, kept]).toEqual([3, []])
  expect((await read(`/blueprints/${document.id}`)).version_number).toBe(3)
  expect((await api.get('/work_orders')).body.total).toBe(1)
})

it('a write in whose middle the server stopped shows, and is not guessed at', async () => {
  const { ws, api, read, run, undo, path } = await setUp(await scriptedModel())
  const one = await createWorkOrder(api, { title: 'Old' })
  const done = await run(
    ['update_work_order', { work_order_id: one.id, values: { title: 'New' } }],
    ['create_work_order', { title: 'Made' }],
  )
  await ws.sql`update agent_deeds set status = 'begun', after = null, before = '{"title": "Old"}' where run_id = ${done.id}`
  await ws.sql`update agent_deeds set resource_id = null where run_id = ${done.id} and tool = 'create_work_order'`
  expect((await read(path(done))).writes.map((one: Shown) => one.status)).toEqual(['begun', 'begun'])
  expect(reasons(await undo(done))).toEqual(Array(2).fill(expect.stringContaining('stopped in the middle')))
  expect((await read(`/work_orders/${one.id}`)).title).toBe('New')
})
