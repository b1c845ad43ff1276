import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { signedInMember } from '../../../faces/app-api/visitor.factory.ts'
import { openDocument } from '../../live-texts/live.factory.ts'
import { createDocument, createFile } from '../artifact.factory.ts'

let workspace: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let admin: Member
let editor: Member
let ada: Awaited<ReturnType<typeof signedInMember>>
beforeAll(async () => {
  workspace = await openWorkspace()
  project = await workspace.project()
  admin = project.admin
  editor = await project.join('editor')
  ada = await signedInMember(workspace, project, 'editor')
})
afterAll(() => workspace.close())

const add = async (markdown_content: string): Promise<string> =>
  (await createDocument(admin.api, { markdown_content })).id
const write = (id: string, markdown_content: string) => ada.call('PATCH', `/artifacts/${id}`, { markdown_content })
const history = async (id: string) => (await ada.call('GET', `/artifacts/${id}/history`)).body.items
const contentOf = async (id: string): Promise<string> =>
  (await admin.api.get(`/artifacts/${id}`)).body.data.markdown_content
const textOf = async (id: string, versionId: string): Promise<string> =>
  (await ada.call('GET', `/artifacts/${id}/versions/${versionId}`)).body.data.markdown_content
const restore = (id: string, versionId: string, by = ada) =>
  by.call('POST', `/artifacts/${id}/versions/${versionId}/restore`)
const again = { 'idempotency-key': 'restored once' }
const open = (member: Member, id: string) => openDocument(workspace.app, member, id, 'artifact')
/** What was typed until now is a version that nobody adds to. */
const passWindow = (id: string) =>
  workspace.sql`update artifact_versions set open_until = now() where artifact_id = ${id}`

test('every text that a document has had is a version with who wrote it and how many lines changed', async () => {
  const id = await add('One.\n')
  const [only] = await history(id)
  expect(only).toMatchObject({ version_number: 1, actor: { type: 'key' }, name: null })
  expect(await textOf(id, only.version_id)).toBe('One.\n')
  await write(id, 'One.\n\nTwo.\n')
  await ada.call('PATCH', `/artifacts/${id}`, { name: `renamed-${id}` })
  await admin.api.patch(`/artifacts/${id}`, { markdown_content: 'Two.\n' })
  const versions = await history(id)
  expect(versions).toMatchObject([
    { version_number: 3, actor: { type: 'key' }, lines_added: 0, lines_removed: 2 },
    { version_number: 2, actor: { type: 'person', id: ada.user.id }, lines_added: 2, lines_removed: 0 },
    { version_number: 1, version_id: only.version_id, actor: { type: 'key' } },
  ])
  const texts = await Promise.all(versions.map((one: { version_id: string }) => textOf(id, one.version_id)))
  expect(texts).toEqual(['Two.\n', 'One.\n\nTwo.\n', 'One.\n'])
})

test('what is typed within five minutes is one version of all who typed it', async () => {
  const id = await add('one\n')
  const [first, second] = [await open(admin, id), await open(editor, id)]
  first.type(0, ' A')
  await eventually(async () => (await contentOf(id)) === 'one A\n')
  second.type(0, ' B')
  await eventually(async () => (await contentOf(id)) === 'one A B\n')
  const versions = await history(id)
  expect(versions).toHaveLength(2)
  expect(versions[0].authors).toMatchObject([{ on_behalf_of: { id: admin.userId } }, { id: editor.userId }])
  expect(await textOf(id, versions[0].version_id)).toBe('one A B\n')
  await passWindow(id)
  second.type(0, ' C')
  await eventually(async () => (await contentOf(id)) === 'one A B C\n')
  const [third] = await history(id)
  expect(third).toMatchObject({ version_number: 3, authors: [{ on_behalf_of: { id: editor.userId } }] })
})

test('a version is restored as a new one, and no word that someone types at the same time is lost', async () => {
  const id = await add('one\n\ntwo\n')
  await write(id, 'ONE\n\ntwo\n')
  const [, first] = await history(id)
  const typist = await open(editor, id)
  typist.type(1, ' typed')
  expect((await restore(id, first.version_id)).status).toBe(200)
  typist.type(1, ' on')
  await eventually(() => typist.text().endsWith(' on'))
  const versions = await eventually(async () => {
    const found = await history(id)
    return (await contentOf(id)).includes(' on') && found
  })
  const restored = versions.find((one: { restored_version_number: number }) => one.restored_version_number === 1)
  expect(restored).toMatchObject({ actor: { id: ada.user.id } })
  expect(await textOf(id, restored.version_id)).toBe('one\n\ntwo\n')
  const texts = await Promise.all(versions.map((one: { version_id: string }) => textOf(id, one.version_id)))
  expect(texts).toContain('ONE\n\ntwo typed\n')
  await eventually(async () => typist.text() === (await contentOf(id)).trim().replace('\n\n', '\n'))
  expect(await contentOf(id)).toMatch(/^one\n\ntwo.* on\n$/)
})

test('a repeated request restores once', async () => {
  const id = await add('One.\n')
  await write(id, 'Two.\n')
  const path = `/artifacts/${id}/versions/${id}/restore`
  const [first, second] = [
    await ada.call('POST', path, undefined, again),
    await ada.call('POST', path, undefined, again),
  ]
  expect([first.status, second.status, await contentOf(id)]).toEqual([200, 200, 'One.\n'])
  expect(await history(id)).toHaveLength(3)
})

test('versions come back with a document from the trash, and go when it is deleted for good', async () => {
  const id = await add('One.\n')
  await write(id, 'Two.\n')
  const countStored = async () => {
    await workspace.deps.wiring.jobs.get('empty_artifact_trash')!.run({}, workspace.deps)
    const [row] = await workspace.sql<{ n: number }[]>`
      select count(*)::int as n from artifact_versions where artifact_id = ${id}`
    return row!.n
  }
  await ada.call('POST', '/artifacts/batch_trash', { ids: [id] })
  expect(await countStored()).toBe(2)
  expect((await ada.call('GET', `/artifacts/${id}/history`)).status).toBe(404)
  await ada.call('POST', '/artifacts/batch_restore', { ids: [id] })
  expect(await history(id)).toHaveLength(2)
  await ada.call('POST', '/artifacts/batch_trash', { ids: [id] })
  await workspace.sql`update artifact_trash set deleted_at = now() - interval '31 days' where id = ${id}`
  expect(await countStored()).toBe(0)
  const other = await add('One.\n')
  await write(other, 'Two.\n')
  await admin.api.delete(`/artifacts/${other}`)
  expect(await workspace.sql`select from artifact_versions where artifact_id = ${other}`).toHaveLength(0)
})

test('a viewer restores nothing, a stranger sees nothing, and files have no versions', async () => {
  const id = await add('One.\n')
  await write(id, 'Two.\n')
  const [, first] = await history(id)
  const viewer = await signedInMember(workspace, project, 'viewer')
  expect((await viewer.call('GET', `/artifacts/${id}/history`)).body.items).toHaveLength(2)
  expect((await restore(id, first.version_id, viewer)).status).toBe(403)
  const stranger = await signedInMember(workspace, await workspace.project(), 'editor')
  expect((await stranger.call('GET', `/artifacts/${id}/history`)).status).toBe(404)
  expect((await stranger.call('GET', `/artifacts/${id}/versions/${first.version_id}`)).status).toBe(404)
  expect((await restore(id, first.version_id, stranger)).status).toBe(404)
  expect((await restore(id, admin.userId)).status).toBe(404)
  const file = (await createFile(admin.api)).id
  expect(await history(file)).toEqual([])
  expect((await restore(file, file)).status).toBe(404)
})
