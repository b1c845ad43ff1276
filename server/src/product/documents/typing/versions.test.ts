import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { addBlueprint, openDocument } from '../../live-texts/live.factory.ts'
import { findVisit, writeVisit } from '../versions/visit-queries.ts'

let workspace: Workspace
let projectId: string
let admin: Member
let editor: Member

beforeAll(async () => {
  workspace = await openWorkspace()
  const project = await workspace.project()
  projectId = project.id
  admin = project.admin
  editor = await project.join('editor')
})
afterAll(() => workspace.close())

const detailOf = async (id: string) => (await admin.api.get(`/blueprints/${id}`)).body.data
const open = (member: Member, id: string) => openDocument(workspace.app, member, id)
const stored = (id: string, text: string) =>
  eventually(async () => (await detailOf(id)).markdown_content.includes(text))

/** Returns author, origin and content of each version, oldest first. */
async function historyOf(id: string) {
  const { body } = await admin.api.get(`/blueprints/${id}/versions`)
  const versions = await Promise.all(
    body.items.map(async ({ version_id, attribution }: { version_id: string; attribution: Record<string, string> }) => {
      const version = await admin.api.get(`/blueprints/${id}/versions/${version_id}`)
      return [attribution.user_id, attribution.origin_type, version.body.data.markdown_content]
    }),
  )
  return versions.reverse()
}

test('typing by one person within five minutes is one version in their name', async () => {
  const id = await addBlueprint(admin, 'one\n')
  const person = await open(editor, id)
  person.type(0, ' a')
  await stored(id, 'one a')
  const { version_id, version_number, updated_at } = await detailOf(id)
  person.type(0, ' b')
  await stored(id, 'one a b')
  person.disconnect()
  const again = await open(editor, id)
  again.type(0, ' c')
  await stored(id, 'one a b c')
  expect(await detailOf(id)).toMatchObject({ version_id, version_number: 2 })
  expect(version_number).toBe(2)
  expect((await detailOf(id)).updated_at > updated_at).toBe(true)
  expect(await historyOf(id)).toEqual([
    [admin.userId, 'external_api', 'one\n'],
    [editor.userId, 'user', 'one a b c\n'],
  ])
})

test('a version is closed after five minutes, or by the next write', async () => {
  const id = await addBlueprint(admin, 'one\n')
  const person = await open(editor, id)
  person.type(0, ' a')
  await stored(id, 'one a')
  await workspace.sql`update document_versions set open_until = now() where document_id = ${id}`
  person.type(0, ' b')
  await stored(id, 'one a b')
  await editor.api.patch(`/blueprints/${id}`, { markdown_content: 'one a b\n\ntwo\n' })
  person.type(0, ' c')
  await stored(id, 'one a b c')
  expect(await historyOf(id)).toEqual([
    [admin.userId, 'external_api', 'one\n'],
    [editor.userId, 'user', 'one a\n'],
    [editor.userId, 'user', 'one a b\n'],
    [editor.userId, 'external_api', 'one a b\n\ntwo\n'],
    [editor.userId, 'user', 'one a b c\n\ntwo\n'],
  ])
})

/** Returns the ids of everyone who wrote each version, oldest first. */
async function authorsOf(id: string) {
  const { items } = (await admin.api.get(`/blueprints/${id}/versions`)).body
  return items.map(({ authors }: { authors: { user_id: string }[] }) => authors.map((one) => one.user_id)).reverse()
}

test('people who type within five minutes share a version, which credits each of them once', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n')
  const [first, second] = [await open(admin, id), await open(editor, id)]
  first.type(0, ' A')
  await stored(id, 'one A')
  second.type(1, ' B')
  await stored(id, 'two B')
  first.type(0, ' A')
  second.type(1, ' B')
  await stored(id, 'one A A\n\ntwo B B')
  first.disconnect()
  second.disconnect()
  expect(await historyOf(id)).toEqual([
    [admin.userId, 'external_api', 'one\n\ntwo\n'],
    [admin.userId, 'user', 'one A A\n\ntwo B B\n'],
  ])
  expect(await authorsOf(id)).toEqual([[admin.userId], [admin.userId, editor.userId]])
  const events = await workspace.sql`
    select distinct user_id from events where subject_id = ${id} and kind = 'blueprint.updated'`
  expect(events.map(({ user_id }) => user_id).sort()).toEqual([admin.userId, editor.userId].sort())
})

test('edits that are stored together credit all who typed, and only those who changed the text later', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n')
  const [first, second] = [await open(admin, id), await open(editor, id)]
  second.type(1, ' B')
  first.type(0, ' A')
  await stored(id, 'one A\n\ntwo B')
  // A write from elsewhere begins a version, which those who typed before have not written.
  await admin.api.patch(`/blueprints/${id}`, { markdown_content: 'one A\n\ntwo B\n\nthree\n' })
  await eventually(() => first.text().includes('three'))
  first.type(0, ' again')
  await stored(id, 'one A again')
  expect((await authorsOf(id)).map((authors: string[]) => authors.length)).toEqual([1, 2, 1, 1])
  expect(new Set((await authorsOf(id))[1])).toEqual(new Set([admin.userId, editor.userId]))
})

test('what others type into your version is news for you', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n')
  const [first, second] = [await open(admin, id), await open(editor, id)]
  first.type(0, ' A')
  await stored(id, 'one A')
  const visit = () => findVisit(workspace.sql, projectId, id, admin.userId)
  await writeVisit(workspace.sql, projectId, 'blueprint', id, admin.userId)
  expect(await visit()).toMatchObject({ newVersions: 0, authors: [] })
  second.type(1, ' B')
  await stored(id, 'two B')
  expect(await visit()).toMatchObject({ newVersions: 1, authors: [editor.name] })
})

test('an accepted suggestion credits who made it and who accepted it, and a rejected one only who rejected it', async () => {
  const id = await addBlueprint(admin, 'one two three\n')
  const suggest = async (old_text: string, new_text: string) =>
    (await editor.api.post(`/blueprints/${id}/apply_suggestion`, { old_text, new_text })).body.data
      .change_ids as string[]
  const settle = (changeId: string, verdict: string) =>
    admin.api.post(`/blueprints/${id}/suggestions/${changeId}/${verdict}`)
  for (const changeId of await suggest('one', 'ONE')) expect((await settle(changeId, 'accept')).status).toBe(200)
  for (const changeId of await suggest('two', 'TWO')) expect((await settle(changeId, 'reject')).status).toBe(200)
  await suggest('three', 'THREE')
  await admin.api.post(`/blueprints/${id}/suggestions/accept_all`)
  expect((await detailOf(id)).markdown_content).toBe('ONE two THREE\n')
  const [byAdmin, byBoth] = [[admin.userId], [admin.userId, editor.userId]]
  const suggested = [editor.userId]
  expect(await authorsOf(id)).toEqual([
    byAdmin,
    ...[suggested, byBoth, byBoth],
    ...[suggested, byAdmin, byAdmin],
    ...[suggested, byBoth],
  ])
})

test('typing changes the ETag, records events and is searchable', async () => {
  const id = await addBlueprint(admin, 'one\n')
  const before = (await admin.api.get(`/blueprints/${id}`)).headers.etag!
  const person = await open(editor, id)
  person.type(0, ' haystack')
  await stored(id, 'haystack')
  const between = (await admin.api.get(`/blueprints/${id}`)).headers.etag!
  person.type(0, ' needle')
  await stored(id, 'needle')
  const after = (await admin.api.get(`/blueprints/${id}`)).headers.etag!
  expect(new Set([before, between, after]).size).toBe(3)
  const stale = await admin.api.patch(`/blueprints/${id}`, { markdown_content: 'x' }, { 'if-match': between })
  expect(stale.status).toBe(412)
  const { body } = await admin.api.post('/blueprints/search', { query: 'haystack needle' })
  expect(body.items).toHaveLength(1)
  const events = await workspace.sql`
    select origin, user_id from events where subject_id = ${id} and kind = 'blueprint.updated' order by id`
  expect(events.length).toBeGreaterThanOrEqual(2)
  for (const event of events) expect(event).toEqual({ origin: 'user', user_id: editor.userId })
})

test('opening a document, or typing what markdown cannot express, creates no version', async () => {
  const id = await addBlueprint(admin, 'one\n\n* two\n')
  const person = await open(editor, id)
  person.type(0, ' ')
  await eventually(async () => {
    const [row] = await workspace.sql`select revision from live_texts where id = ${id}`
    return Number(row!.revision) > 1
  })
  expect(await detailOf(id)).toMatchObject({ version_number: 1, markdown_content: 'one\n\n* two\n' })
})
