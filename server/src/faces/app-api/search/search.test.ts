import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { json, type Person, signedIn } from '../../../product/conversations/person.factory.ts'

let workspace: Workspace
let person: Person
let other: Person
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
  other = await signedIn(workspace)
  const create = (title: string, patch = {}) => ({
    operation_id: title,
    operation_type: 'CreateWorkOrder',
    patch: { title, ...patch },
  })
  const operations = [
    create('Tell the customer where the refund is', { status: 'ready' }),
    create('Round the total', { markdown_content: 'The sum on the **refund** slip is off by a cent.' }),
    create('Refund part of an order'),
  ]
  await person.call('POST', '/work_orders/batch_create', { request_id: 'palette', operations })
  await person.call('POST', '/requirements', { title: 'Refunds', document_type: 'FEATURE' })
  await person.call('POST', '/artifacts', { name: 'Refund rules.md', markdown_content: 'Ask first.' })
  await other.call('POST', '/work_orders/batch_create', { request_id: 'x', operations: [create('Refund of others')] })
})
afterAll(() => workspace.close())

const find = (q: string, by = person) => json(by.call('GET', `/search?q=${encodeURIComponent(q)}`))
const titlesOf = ({ items }: { items: { kind: string; title: string }[] }, kind: string) =>
  items.filter((one) => one.kind === kind).map(({ title }) => title)

test('words are found in titles first, those that begin with them at the top, and then in texts', async () => {
  const found = await find('refund')
  expect(titlesOf(found, 'work_order')).toEqual([
    'Refund part of an order',
    'Tell the customer where the refund is',
    'Round the total',
  ])
  const [, , inText] = found.items
  expect(inText).toMatchObject({ number: 2, snippet: expect.stringContaining('**refund** slip'), status: 'backlog' })
  expect(found.totals).toContainEqual({ kind: 'work_order', total: 3 })
})

test('every kind is found: a feature with its blueprint, a file, a person', async () => {
  const found = await find('refund')
  expect(titlesOf(found, 'requirements_document')).toEqual(['Refunds'])
  expect(titlesOf(found, 'blueprint')).toEqual(['Refunds'])
  expect(titlesOf(found, 'artifact')).toEqual(['Refund rules.md'])
  expect((await find('talker')).items).toMatchObject([{ kind: 'person', title: 'Talker', id: person.userId }])
})

test('a number finds the work order, with or without its letters', async () => {
  for (const q of ['WO-2', 'wo2', '2', '#2'])
    expect((await find(q)).items[0]).toMatchObject({ kind: 'work_order', number: 2, title: 'Round the total' })
  expect((await find('FB-2')).items).toEqual([])
})

test('all words must occur, and letters of patterns stand for themselves', async () => {
  expect(titlesOf(await find('refund CUSTOMER'), 'work_order')).toEqual(['Tell the customer where the refund is'])
  expect((await find('re%und')).items).toEqual([])
  expect((await find("'; drop table work_orders; --")).items).toEqual([])
})

test('nothing of another project is found', async () => {
  expect(titlesOf(await find('others'), 'work_order')).toEqual([])
  expect(titlesOf(await find('refund', other), 'work_order')).toEqual(['Refund of others'])
  const stranger = await fetch(`${person.url}/search?q=refund&project_id=${other.projectId}`, {
    headers: { cookie: person.cookie },
  })
  expect(stranger.status).toBe(404)
})

test('an empty query, a long one and nobody are refused', async () => {
  expect((await person.call('GET', '/search?q=')).status).toBe(422)
  expect((await person.call('GET', '/search')).status).toBe(422)
  expect((await person.call('GET', `/search?q=${'x'.repeat(201)}`)).status).toBe(422)
  expect((await fetch(`${person.url}/search?q=x&project_id=${person.projectId}`)).status).toBe(401)
})
