import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { signedInMember } from '../visitor.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

async function setUp() {
  const project = await workspace.project()
  const ada = await signedInMember(workspace, project, 'editor')
  const grace = await signedInMember(workspace, project, 'editor')
  const viewer = await signedInMember(workspace, project, 'viewer')
  const { api } = project.admin
  const body = { title: 'Refunds', document_type: 'FEATURE', markdown_content: 'One.\n' }
  const { id } = (await ada.call('POST', '/requirements', body)).body.data
  const path = `/requirements/${id}`
  const history = async () => (await ada.call('GET', `${path}/history`)).body.items
  const write = (by: typeof ada, text: string) => by.call('PATCH', path, { markdown_content: text })
  return { project, api, ada, grace, viewer, id, path, history, write }
}

test('the history names the person, or the key and whose it is, and what was restored', async () => {
  const { api, ada, grace, path, history, write } = await setUp()
  await write(grace, 'Two.\n')
  await api.patch(path, { markdown_content: 'Three.\n' })
  const [, second] = await history()
  await ada.call('POST', `${path}/versions/${second.version_id}/restore`)
  const [restored, byKey, byGrace, first] = await history()
  expect(restored).toMatchObject({
    version_number: 4,
    restored_version_number: 2,
    actor: { type: 'person', name: ada.user.name },
  })
  expect(byKey).toMatchObject({
    origin_type: 'external_api',
    actor: { type: 'key', on_behalf_of: { id: expect.any(String) } },
  })
  expect(byGrace).toMatchObject({ actor: { type: 'person', id: grace.user.id }, restored_version_number: null })
  expect(first).toMatchObject({ version_number: 1, name: null, actor: { id: ada.user.id }, run_id: null })
})

test('an accepted suggestion has two authors, and is news by both, but not for the one who accepted it', async () => {
  const { ada, grace, viewer, path, history } = await setUp()
  const visit = async (by: typeof ada) => (await by.call('GET', `${path}/visit`)).body.data
  const suggested = { old_text: 'One', new_text: 'Two' }
  await grace.call('POST', `${path}/apply_suggestion`, suggested)
  for (const one of [ada, grace, viewer]) await one.call('PUT', `${path}/visit`)
  expect((await ada.call('POST', `${path}/suggestions/accept_all`)).status).toBe(200)
  const [accepted, asked] = await history()
  const actorOf = ({ user }: typeof ada) => ({ type: 'person', id: user.id, name: user.name, on_behalf_of: null })
  expect(accepted).toMatchObject({ actor: actorOf(ada), authors: [actorOf(ada), actorOf(grace)] })
  expect(asked.authors).toEqual([actorOf(grace)])
  const names = [ada.user.name, grace.user.name].sort()
  expect(await visit(viewer)).toMatchObject({ new_version_count: 1, authors: names })
  expect(await visit(ada)).toMatchObject({ new_version_count: 0, authors: [] })
  expect(await visit(grace)).toMatchObject({ new_version_count: 1, authors: [ada.user.name] })
})

test('a version gets a name, loses it again, and says so in an event', async () => {
  const { ada, viewer, path, id, history, write } = await setUp()
  await write(ada, 'Two.\n')
  const [, first] = await history()
  const one = `${path}/versions/${first.version_id}`
  const named = await ada.call('PATCH', one, { version_name: '  Agreed with Finance ' })
  expect(named.body.data).toMatchObject({ version_name: 'Agreed with Finance', version_number: 1 })
  expect((await history())[1].name).toBe('Agreed with Finance')
  const { items } = (await ada.call('GET', `/changes?subject_id=${id}`)).body
  expect(items[0]).toMatchObject({
    kind: 'requirements_document.version_named',
    payload: { version_number: 1, from: null, to: 'Agreed with Finance' },
  })
  await ada.call('PATCH', one, { version_name: null })
  expect((await history())[1].name).toBeNull()
  expect((await ada.call('GET', `${path}/versions`)).body.items[1].version_name).toBe('Version 1')
  expect((await ada.call('PATCH', one, { version_name: ' ' })).status).toBe(422)
  expect((await viewer.call('PATCH', one, { version_name: 'Mine' })).status).toBe(403)
  expect((await ada.call('PATCH', `${path}/versions/${id}`, { version_name: 'Lost' })).status).toBe(404)
})

test('each person learns what others wrote since they last looked, viewers too', async () => {
  const { ada, grace, viewer, path, write } = await setUp()
  const visit = async (by: typeof ada) => (await by.call('GET', `${path}/visit`)).body.data
  expect(await visit(viewer)).toEqual({ version_number: null, seen_at: null, new_version_count: 0, authors: [] })
  for (const one of [ada, viewer]) expect((await one.call('PUT', `${path}/visit`)).status).toBe(204)
  await write(grace, 'Two.\n')
  await write(ada, 'Three.\n')
  expect(await visit(viewer)).toMatchObject({ version_number: 1, new_version_count: 2 })
  // Your own versions are no news.
  expect(await visit(ada)).toMatchObject({ version_number: 1, new_version_count: 1, authors: [grace.user.name] })
  await ada.call('PUT', `${path}/visit`)
  expect(await visit(ada)).toMatchObject({ version_number: 3, new_version_count: 0, authors: [] })
  expect((await ada.call('PUT', '/requirements/019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81/visit')).status).toBe(404)
})

test('each version says how many lines came and went; a line that moves is neither', async () => {
  const { ada, history, write } = await setUp()
  await write(ada, 'One.\n\nTwo.\n\nThree.\n')
  await write(ada, 'Three.\n\nTwo.\n\n2.\n\nOne.\n')
  await write(ada, '2.\n')
  const counts = (await history()).map(({ lines_added, lines_removed }: Record<string, number>) => [
    lines_added,
    lines_removed,
  ])
  expect(counts).toEqual([
    [0, 6],
    [2, 0],
    [4, 0],
    [1, 0],
  ])
  await write(ada, `${'A long line of text.\n'.repeat(20_000)}`)
  expect((await history())[0]).toMatchObject({ lines_added: null, lines_removed: null })
})
