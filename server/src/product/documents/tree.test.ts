import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { json, type Person, signedIn } from '../conversations/person.factory.ts'

let workspace: Workspace
let person: Person
beforeAll(async () => {
  workspace = await openWorkspace()
  person = await signedIn(workspace)
})
afterAll(() => workspace.close())

const create = async (path: string, fields: object) => (await json(person.call('POST', path, fields))).data
const feature = (title: string, fields = {}) => create('/requirements', { title, document_type: 'FEATURE', ...fields })

interface Node {
  id: string
  title: string
  group_id: string
  parent_id: string | null
  feature_id: string | null
  suggestion_count: number
  open_comment_count: number
}

async function treeOf(
  path: string,
): Promise<{ groups: { id: string; name: string; locked: boolean }[]; nodes: Node[] }> {
  return (await json(person.call('GET', `${path}/tree`))).data
}

test('the tree has every document in its order, below its parent', async () => {
  const [one, two] = [await feature('One'), await feature('Two')]
  const below = await feature('Below', { parent_id: two.id })
  await person.call('PUT', `/requirements/${two.id}/move`, { position: 0 })
  const { groups, nodes } = await treeOf('/requirements')
  const features = groups.find(({ name }) => name === 'FEATURE')!
  const roots = nodes.filter((node) => node.group_id === features.id && node.parent_id === null)
  expect(roots.map(({ id }) => id)).toEqual([two.id, one.id])
  expect(nodes.find(({ id }) => id === below.id)).toMatchObject({ parent_id: two.id, group_id: features.id })
  expect(nodes.filter((node) => node.group_id !== features.id)).toHaveLength(6)
})

test('feature blueprints stand in a locked group and name their feature', async () => {
  const { id } = await feature('Paired')
  const { groups, nodes } = await treeOf('/blueprints')
  expect(groups.filter(({ locked }) => locked).map(({ name }) => name)).toEqual(['Feature Blueprints'])
  const pair = nodes.find((node) => node.feature_id === id)!
  expect(groups.find((group) => group.id === pair.group_id)).toMatchObject({ locked: true })
})

test('a replacement counts as one suggestion, and only open threads count', async () => {
  const { id } = await feature('Judged', { markdown_content: 'one two three four {++new++}\n' })
  const call = (path: string, body: object) => person.call('POST', `/requirements/${id}/${path}`, body)
  await call('apply_suggestion', { old_text: 'one', new_text: '1' })
  await call('apply_suggestion', { old_text: ' two', new_text: '' })
  await call('apply_suggestion', { old_text: 'four', new_text: 'four five' })
  const thread = (await json(call('comments', { message: 'Is this enough?' }))).data
  await call('comments', { message: 'And this?' })
  await person.call('PATCH', `/requirements/${id}/comments/${thread.id}`, { is_resolved: true })
  const { nodes } = await treeOf('/requirements')
  expect(nodes.find((node) => node.id === id)).toMatchObject({ suggestion_count: 4, open_comment_count: 1 })
})

test('the tree is only for people who are signed in', async () => {
  const { admin } = await workspace.project()
  expect((await admin.api.get('/requirements/tree')).status).toBe(422)
  expect((await fetch(`${person.url}/requirements/tree`)).status).toBe(401)
})

test('a part of the tree is searched with everything below it, however many documents match elsewhere', async () => {
  const text = { markdown_content: 'A needle.\n' }
  const parent = await feature('Parent', text)
  const child = await feature('Child', { ...text, parent_id: parent.id })
  const deep = await feature('Deep', { ...text, parent_id: child.id })
  for (const title of ['Newer', 'Newest']) await feature(title, text)
  const search = async (within: string, limit = 3) => {
    const body = { query: 'needle', limit, within }
    return (await json(person.call('POST', '/requirements/search_within', body))).items as Node[]
  }
  expect((await search(parent.id)).map(({ id }) => id).sort()).toEqual([parent.id, child.id, deep.id].sort())
  expect((await search(child.id, 1)).map(({ id }) => id)).toEqual([deep.id])
  const { groups } = await treeOf('/requirements')
  const groupOf = (name: string) => groups.find((group) => group.name === name)!.id
  expect(await search(groupOf('FEATURE'), 100)).toHaveLength(5)
  expect(await search(groupOf('OVERVIEW'))).toEqual([])
  const elsewhere = await signedIn(workspace)
  const body = { query: 'needle', within: parent.id }
  expect((await json(elsewhere.call('POST', '/requirements/search_within', body))).items).toEqual([])
})
