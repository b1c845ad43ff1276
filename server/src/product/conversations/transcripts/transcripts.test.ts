import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { createWorkOrder } from '../../work-orders/work-order.factory.ts'
import { conversationOf, said, used } from '../conversation.factory.ts'
import { eventsOf, json, type Person, signedIn } from '../person.factory.ts'
import { type Reply, type ScriptedModel, scriptedModel } from '../scripted-model.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const start = async (person: Person, body: object = {}) =>
  (await json(person.call('POST', '/agent_conversations', { message: 'Hello', ...body }))).data.id as string
const read = async (person: Person, id: string, query = '') =>
  (await json(person.call('GET', `/agent_conversations/${id}/transcript${query}`))).data
const idle = (person: Person, id: string) =>
  eventually(async () => {
    const data = await read(person, id)
    return !data.active_turn.is_active && data.queued.length === 0 && data
  })
const texts = (data: { entries: { text: string }[] }) => data.entries.map(({ text }) => text)
const call = (name: string, input: object) => ({ name, input })

/** Answers when it is told to. */
function heldModel(model: ScriptedModel, ...replies: Reply[]) {
  const waiting: (() => void)[] = []
  model.script(...replies.map((reply) => () => new Promise<Reply>((resolve) => waiting.push(() => resolve(reply)))))
  return { release: async () => (await eventually(() => waiting.shift()))() }
}

test('a conversation is private until its owner shares it, and then others read but do not write in it', async () => {
  const model = await scriptedModel()
  model.script({ text: 'Two are left.' })
  const ada = await signedIn(workspace, model)
  const [grace, viewer] = [await ada.join('editor'), await ada.join('viewer')]
  const stranger = await signedIn(workspace, model)
  const id = await start(ada, { title: 'Secret' })
  await idle(ada, id)
  const path = `/agent_conversations/${id}`
  const rows = async (person: Person, query = '') =>
    (await json(person.call('GET', `/agent_conversations/readable${query}`))).items
  for (const other of [grace, viewer, stranger]) {
    expect((await other.call('GET', `${path}/transcript`)).status).toBe(404)
    expect((await other.call('GET', `${path}/stream`)).status).toBe(404)
    expect((await other.call('PATCH', path, { shared: true })).status).toBe(other === viewer ? 403 : 404)
    expect(await rows(other)).toEqual([])
  }
  expect((await ada.call('PATCH', path, { shared: true, title: 'What is left' })).status).toBe(200)
  for (const other of [grace, viewer]) {
    expect(texts(await read(other, id))).toEqual(['Hello', 'Two are left.'])
    expect(await rows(other, '?query=tw.%20are')).toMatchObject([
      { id, title: 'What is left', is_own: false, shared: true, message_count: 2, owner: { id: ada.userId } },
    ])
    expect((await eventsOf(other.call('GET', `${path}/stream`))).map(({ event }) => event)).toEqual([
      'message',
      'message',
      'end',
    ])
    expect((await other.call('PATCH', path, { title: 'Mine' })).status).toBe(403)
    expect((await other.call('DELETE', path)).status).toBe(403)
    expect((await other.call('POST', `${path}/stop`)).status).toBeGreaterThanOrEqual(403)
    expect((await other.call('POST', `${path}/messages`, { message: 'Hi' })).status).toBeGreaterThanOrEqual(403)
  }
  expect(await rows(stranger)).toEqual([])
  expect((await stranger.call('GET', `${path}/transcript`)).status).toBe(404)
  // The external API goes on to show everyone only their own.
  expect((await json(grace.call('GET', '/agent_conversations'))).items).toEqual([])
  expect((await ada.call('PATCH', path, { shared: false })).status).toBe(200)
  expect((await grace.call('GET', `${path}/transcript`)).status).toBe(404)
  expect((await ada.call('DELETE', path)).status).toBe(204)
  expect((await ada.call('GET', `${path}/transcript`)).status).toBe(404)
})

test('messages that are sent while the agent is busy wait in order, and can be taken back', async () => {
  const model = await scriptedModel()
  const held = heldModel(model, { text: 'One.' }, { text: 'Two.' })
  const ada = await signedIn(workspace, model)
  const id = await start(ada)
  const send = (message: string, queue = true) =>
    ada.call('POST', `/agent_conversations/${id}/messages`, { message, queue })
  expect((await json(send('Now?', false))).code).toBe('turn_active')
  expect((await send('And then?')).status).toBe(201)
  expect((await send('Never mind')).status).toBe(201)
  const { queued } = await read(ada, id)
  expect(queued.map((one: { text: string }) => one.text)).toEqual(['And then?', 'Never mind'])
  const take = () => json(ada.call('DELETE', `/agent_conversations/${id}/queue/${queued[1].id}`))
  expect((await take()).data.text).toBe('Never mind')
  expect((await take()).data).toBeNull()
  await held.release()
  await held.release()
  expect(texts(await idle(ada, id))).toEqual(['Hello', 'One.', 'And then?', 'Two.'])
})

test('an agent that asks first proposes in the conversation, and its person decides there', async () => {
  const model = await scriptedModel()
  const ada = await signedIn(workspace, model)
  const order = await createWorkOrder(ada.project.admin.api, { title: 'Old' })
  const rename = (title: string) => call('update_work_order', { work_order_id: order.id, values: { title } })
  model.script(
    { calls: [rename('New'), call('create_work_order', { title: 'Another' })] },
    { text: 'Shall I?' },
    { text: 'Good.' },
  )
  const id = await start(ada, { asks_first: true })
  const { proposals } = await idle(ada, id)
  expect(proposals).toMatchObject([
    { tool: 'update_work_order', status: 'proposed', before: { title: 'Old' }, after: { title: 'New' } },
    { tool: 'create_work_order', status: 'proposed' },
  ])
  const titles = async () =>
    (await ada.project.admin.api.get('/work_orders')).body.items.map((one: { title: string }) => one.title)
  expect(await titles()).toEqual(['Old'])
  const decide = (at: number, verb: string, person = ada) =>
    person.call('POST', `/agent_conversations/${id}/proposals/${proposals[at].id}/${verb}`)
  const grace = await ada.join('editor')
  expect((await decide(0, 'accept', grace)).status).toBe(404)
  await ada.call('PATCH', `/agent_conversations/${id}`, { shared: true })
  expect((await decide(0, 'accept', grace)).status).toBe(403)
  expect((await decide(0, 'accept')).status).toBe(200)
  expect((await decide(1, 'reject')).status).toBe(200)
  expect((await json(decide(1, 'accept'))).code).toBe('already_decided')
  expect(await titles()).toEqual(['New'])
  await ada.call('POST', `/agent_conversations/${id}/messages`, { message: 'Done.' })
  await idle(ada, id)
  const system = JSON.stringify(model.asked.at(-1)!.messages[0])
  expect(system).toContain(`${proposals[0].id} (update_work_order): accepted and done`)
  expect(system).toContain(`${proposals[1].id} (create_work_order): rejected`)
})

test('asking again with another message keeps both versions', async () => {
  const model = await scriptedModel()
  model.script({ text: 'A1' }, { text: 'A2' }, { text: 'B2' })
  const ada = await signedIn(workspace, model)
  const id = await start(ada)
  await idle(ada, id)
  await ada.call('POST', `/agent_conversations/${id}/messages`, { message: 'Second' })
  await idle(ada, id)
  const branch = (number: number) =>
    json(ada.call('POST', `/agent_conversations/${id}/branches`, { number, message: 'Second, in short' }))
  expect((await branch(2)).status).toBe(404)
  const made = (await branch(3)).data.id
  const other = await idle(ada, made)
  expect(texts(other)).toEqual(['Hello', 'A1', 'Second, in short', 'B2'])
  expect(JSON.stringify(model.asked.at(-1)!.messages)).not.toContain('A2')
  expect(texts(await read(ada, id))).toEqual(['Hello', 'A1', 'Second', 'A2'])
  const versions = [
    { id, number: 3 },
    { id: made, number: 3 },
  ]
  expect(other.branches).toEqual(versions)
  expect((await read(ada, id)).branches).toEqual(versions)
})

test('says what a conversation has used, with its subagents', async () => {
  const model = await scriptedModel()
  model.script({ calls: [call('delegate', { title: 'Look', task: 'Look.' })] }, { text: 'Seen.' }, { text: 'Done.' })
  const settings = { ...model.settings(), prices: { scripted: { input: 10, output: 100 } } }
  const ada = await signedIn(workspace, undefined, { model: settings })
  const { usage } = await idle(ada, await start(ada))
  expect(usage).toEqual({ input_tokens: 300, output_tokens: 60, cost: expect.closeTo(0.009, 6) })
})

test('a long conversation is read in pages, from its end to its start', async () => {
  const ada = await signedIn(workspace)
  const events = Array.from({ length: 249 }, (_, at) => said(at % 2 ? 'user' : 'assistant', `Message ${at}`))
  const { conversationId: id } = await conversationOf(workspace, { id: ada.projectId }, ada, {
    events: [...events, ...used('list_work_orders', '{}', 'x'.repeat(10_000))],
  })
  const numbers: number[] = []
  for (let before: number | null | undefined; before !== null; ) {
    const page = await read(ada, id, before === undefined ? '' : `?before=${before}`)
    numbers.unshift(...page.entries.map((one: { number: number }) => one.number))
    for (const { text } of page.entries) expect(text.length).toBeLessThan(5_000)
    before = page.before
  }
  expect(numbers).toEqual(Array.from({ length: 252 }, (_, at) => at + 1))
})

test('is called what its first message says, without the addresses of links', async () => {
  const model = await scriptedModel()
  model.script({ text: 'Yes.' })
  const ada = await signedIn(workspace, model)
  const message = `[WO-1 Coupons](/p/${ada.projectId}/work-orders/1) Is it done?`
  expect((await idle(ada, await start(ada, { message }))).title).toBe('WO-1 Coupons Is it done?')
})

test('answers with the model that its owner chooses, from the next answer on, and again with the recommended one', async () => {
  const model = await scriptedModel()
  model.script({ text: 'Yes.' })
  const ada = await signedIn(workspace, model)
  const id = await start(ada, { model: 'large' })
  expect((await idle(ada, id)).model).toBe('large')
  const path = `/agent_conversations/${id}`
  const ask = async () => {
    await ada.call('POST', `${path}/messages`, { message: 'And now?' })
    await idle(ada, id)
  }
  expect((await json(ada.call('PATCH', path, { model: 'small' }))).data.model).toBe('small')
  await ask()
  expect((await json(ada.call('PATCH', path, { title: 'Named', model: null }))).data).toMatchObject({ model: null })
  await ask()
  expect(model.asked.map((one) => one.model)).toEqual(['large', 'small', 'scripted'])
  await ada.call('PATCH', path, { shared: true, model: 'small' })
  expect((await (await ada.join('editor')).call('PATCH', path, { model: 'large' })).status).toBe(403)
  expect((await read(ada, id)).model).toBe('small')
})

test('says whether a model is set up', async () => {
  const without = await signedIn(workspace)
  expect((await json(without.call('GET', '/agent_conversations/model'))).data).toEqual({
    is_configured: false,
    name: null,
    known: [],
  })
  const ada = await signedIn(workspace, await scriptedModel())
  expect((await json(ada.call('GET', '/agent_conversations/model'))).data.name).toBe('scripted')
})

test('a proposal says what somebody has changed of the same values since, and who', async () => {
  const model = await scriptedModel()
  const ada = await signedIn(workspace, model)
  const grace = await ada.join('editor')
  const order = await createWorkOrder(ada.project.admin.api, { title: 'Old' })
  model.script(
    { calls: [call('update_work_order', { work_order_id: order.id, values: { title: 'New' } })] },
    { text: 'Shall I?' },
  )
  const id = await start(ada, { asks_first: true })
  expect((await idle(ada, id)).proposals[0].changed_since).toBeNull()
  const operation = { operation_id: 'a', operation_type: 'UpdateTitle', target: { work_order_id: order.id } }
  const renamed = { request_id: 'x', operations: [{ ...operation, patch: { title: 'Newer' } }] }
  expect((await json(grace.call('POST', '/work_orders/batch_update', renamed))).status).toBe('Succeeded')
  const [proposal] = (await read(ada, id)).proposals
  expect(proposal.changed_since).toMatchObject({ now: { title: 'Newer' }, by: 'Talker', at: expect.any(String) })
})

test('a new title replaces only the one that its writer has seen', async () => {
  const model = await scriptedModel()
  model.script({ text: 'Hello.' })
  const ada = await signedIn(workspace, model)
  const id = await start(ada)
  const { title } = await idle(ada, id)
  const rename = (to: string, seen: string) =>
    ada.call('PATCH', `/agent_conversations/${id}`, { title: to, expected_title: seen })
  expect((await rename('First', title)).status).toBe(200)
  const late = await rename('Second', title)
  expect([late.status, (await late.json()).detail]).toEqual([412, expect.stringContaining('The title is "First" now')])
  expect((await read(ada, id)).title).toBe('First')
})
