import { expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace } from '../../../../test/harness.ts'
import { json, type Person, signedIn } from '../person.factory.ts'
import { type ScriptedModel, scriptedModel } from '../scripted-model.factory.ts'

const KEY = 'sk-of-the-project-0123456789'

async function setUp(operators: ScriptedModel, env: NodeJS.ProcessEnv = { MODEL_PRIVATE_HOSTS: 'on' }) {
  const ws = await openWorkspace()
  onTestFinished(ws.close)
  const person = await signedIn(ws, operators, { env })
  await ws.sql`update project_members set role = 'admin' where user_id = ${person.userId}`
  return { ws, person }
}

/** Says something and returns the answer. */
async function talk(person: Person): Promise<string> {
  const { id } = (await json(person.call('POST', '/agent_conversations', { message: 'Hi.' }))).data
  const read = async () => (await json(person.call('GET', `/agent_conversations/${id}`))).data
  await eventually(async () => !(await read()).active_turn.is_active)
  return (await read()).content.at(-1).text
}

const own = (model: ScriptedModel, more: object = {}) => ({
  source: 'own',
  base_url: `${model.url}/`,
  model: 'harbor-small',
  key: KEY,
  ...more,
})

it('agents use the endpoint of their project, with its key and its prices, and the key is never shown', async () => {
  const [operators, projects] = [await scriptedModel(), await scriptedModel()]
  operators.script({ text: 'From the operator.' })
  projects.script({ text: 'From the project.' })
  const { ws, person } = await setUp(operators)
  expect(await talk(person)).toBe('From the operator.')
  const prices = { input_price: 1_000, output_price: 5_000 }
  const answer = await person.call('PUT', '/project_model', own(projects, prices))
  const text = await answer.text()
  expect([answer.status, text]).toEqual([200, expect.not.stringContaining(KEY)])
  expect(JSON.parse(text).data).toMatchObject({ source: 'own', base_url: projects.url, has_key: true, is_priced: true })
  expect(await talk(person)).toBe('From the project.')
  expect(projects.asked).toMatchObject([{ model: 'harbor-small', authorization: `Bearer ${KEY}` }])
  const [stored] = await ws.sql`select sealed_key, row_to_json(m)::text as row from project_models m`
  expect(stored!.row).not.toContain(KEY)
  const { data } = await json(person.call('GET', '/model_usage'))
  // 100 tokens in and 20 out.
  expect(data).toMatchObject({ cost: 0.2, tokens: 240, people: [{ user_id: person.userId, cost: 0.2, tokens: 240 }] })
  await person.call('PUT', '/project_model', { source: 'operator' })
  expect(await talk(person)).toBe('From the operator.')
})

it('the page of conversations knows the model of the project', async () => {
  const operators = await scriptedModel()
  const { person } = await setUp(operators)
  const model = async () => (await json(person.call('GET', '/agent_conversations/model'))).data
  await person.call('PUT', '/project_model', own(operators))
  expect(await model()).toEqual({ is_configured: true, name: 'harbor-small', known: [] })
  await person.call('PUT', '/project_model', { source: 'none' })
  expect(await model()).toEqual({ is_configured: false, name: null, known: [] })
})

it('a key that a model repeats is not stored', async () => {
  const [operators, projects] = [await scriptedModel(), await scriptedModel()]
  projects.script({ text: `Your key is ${KEY}.` })
  const { person } = await setUp(operators)
  await person.call('PUT', '/project_model', own(projects))
  expect(await talk(person)).not.toContain(KEY)
})

it('a project without a model asks nobody and says why', async () => {
  const operators = await scriptedModel()
  const { person } = await setUp(operators)
  await person.call('PUT', '/project_model', { source: 'none' })
  expect(await talk(person)).toContain('This project uses no model.')
  expect(operators.asked).toEqual([])
})

it('a test asks for one word, says how it failed, and counts what it used', async () => {
  const model = await scriptedModel()
  const { person } = await setUp(await scriptedModel())
  model.script({ text: 'OK' }, { status: 401 })
  const test = (body?: object) =>
    person.call('POST', '/project_model/test', body, { 'idempotency-key': crypto.randomUUID() })
  const tested = await json(test(own(model)))
  expect(tested.data).toMatchObject({ model: 'harbor-small', answer: 'OK', took_ms: expect.any(Number) })
  expect((await json(person.call('GET', '/project_model'))).data.source).toBe('operator')
  const refused = await test(own(model))
  expect([refused.status, (await json(refused)).code]).toEqual([409, 'model_failed'])
  expect((await json(person.call('GET', '/model_usage'))).data.tokens).toBe(120)
})

it('a stored key is kept for its own address and sent to no other', async () => {
  const [first, second] = [await scriptedModel(), await scriptedModel()]
  const { person } = await setUp(await scriptedModel())
  for (const model of [first, second]) model.script({ text: 'OK' })
  await person.call('PUT', '/project_model', own(first))
  await person.call('PUT', '/project_model', { source: 'own', base_url: first.url, model: 'another' })
  await person.call('POST', '/project_model/test')
  expect(first.asked).toMatchObject([{ model: 'another', authorization: `Bearer ${KEY}` }])
  await person.call('POST', '/project_model/test', { source: 'own', base_url: second.url, model: 'x' })
  await person.call('PUT', '/project_model', { source: 'own', base_url: second.url, model: 'x' })
  await person.call('POST', '/project_model/test')
  expect(second.asked.map(({ authorization }) => authorization)).toEqual([undefined, undefined])
})

it('an endpoint in the network of the operator is not reached, unless the operator allows it', async () => {
  const model = await scriptedModel()
  const { person } = await setUp(await scriptedModel(), {})
  const { status, detail } = await json(person.call('POST', '/project_model/test', own(model)))
  expect([status, detail]).toEqual([409, expect.stringContaining('MODEL_PRIVATE_HOSTS=on')])
  expect(model.asked).toEqual([])
})

it('only admins choose or test the model, everyone reads it, and wrong values are named', async () => {
  const model = await scriptedModel()
  const { ws, person } = await setUp(model)
  const put = (body: object) => person.call('PUT', '/project_model', body)
  const pointers = async (body: object) =>
    (await json(put(body))).errors.map(({ pointer }: { pointer: string }) => pointer)
  expect(await pointers(own(model, { base_url: 'nonsense' }))).toEqual(['/base_url'])
  expect(await pointers(own(model, { base_url: 'https://me:secret@models.example.org' }))).toEqual(['/base_url'])
  expect(await pointers(own(model, { model: ' ' }))).toEqual(['/model'])
  expect(await pointers(own(model, { input_price: 3 }))).toEqual(['/output_price'])
  await ws.sql`update project_members set role = 'editor' where user_id = ${person.userId}`
  expect((await put({ source: 'none' })).status).toBe(403)
  expect((await person.call('POST', '/project_model/test')).status).toBe(403)
  expect((await person.call('GET', '/project_model')).status).toBe(200)
})

it('a model and a budget that another admin has changed since are not replaced unseen', async () => {
  const operators = await scriptedModel()
  const { person } = await setUp(operators)
  const put = async (path: string, body: object) => (await person.call('PUT', path, body)).status
  const shown = async () => {
    const { source, base_url, model, input_price, output_price } = (await json(person.call('GET', '/project_model')))
      .data
    return { source, base_url, model, input_price, output_price }
  }
  const first = await shown()
  expect(await put('/project_model', { ...own(operators), expected: first })).toBe(200)
  expect(await put('/project_model', { source: 'none', expected: first })).toBe(412)
  // An attempt whose answer was lost.
  expect(await put('/project_model', { ...own(operators), expected: first })).toBe(200)
  expect(await put('/project_model', { source: 'none', expected: await shown() })).toBe(200)
  const limits = { cost_per_month: 50, cost_per_day: 5 }
  expect(await put('/automation_budget', { ...limits, expected: {} })).toBe(200)
  const refused = await person.call('PUT', '/automation_budget', { cost_per_month: 9, expected: {} })
  expect([refused.status, (await refused.json()).detail]).toEqual([412, expect.stringContaining('the budget since')])
  expect((await json(person.call('GET', '/automation_budget'))).data.limits).toMatchObject(limits)
  expect(await put('/automation_budget', { cost_per_month: 9, expected: limits })).toBe(200)
})

it('the list of automations names the model of the project, with its price', async () => {
  const [operators, projects] = [await scriptedModel(), await scriptedModel()]
  const { person } = await setUp(operators)
  const model = async () => (await json(person.call('GET', '/automations/rows'))).model
  expect(await model()).toMatchObject({ name: 'scripted', is_set: true, priced: [] })
  await person.call('PUT', '/project_model', own(projects, { input_price: 1, output_price: 5 }))
  expect(await model()).toMatchObject({ name: 'harbor-small', is_set: true, priced: ['harbor-small'] })
  await person.call('PUT', '/project_model', { source: 'none' })
  expect(await model()).toMatchObject({ name: null, is_set: false })
})
