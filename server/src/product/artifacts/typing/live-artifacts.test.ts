import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { signedInMember } from '../../../faces/app-api/visitor.factory.ts'
import { inTransaction } from '../../../kernel/database/index.ts'
import { listen, openDocument, openEditor, paragraph } from '../../live-texts/live.factory.ts'
import { createDocument, createFile, createFolder } from '../artifact.factory.ts'

let workspace: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let admin: Member
let editor: Member

beforeAll(async () => {
  workspace = await openWorkspace()
  project = await workspace.project()
  admin = project.admin
  editor = await project.join('editor')
})
afterAll(() => workspace.close())

const add = async (markdown: string): Promise<string> =>
  (await createDocument(admin.api, { markdown_content: markdown })).id
const detailOf = async (id: string) => (await admin.api.get(`/artifacts/${id}`)).body.data
const contentOf = async (id: string): Promise<string> => (await detailOf(id)).markdown_content
const open = (member: Member, id: string) => openDocument(workspace.app, member, id, 'artifact')
const write = (id: string, markdown_content: string) => admin.api.patch(`/artifacts/${id}`, { markdown_content })

describe('a document of the knowledge base that is open in an editor', () => {
  test('shows two people the same words, and what they type becomes its markdown, bytes, size and ETag', async () => {
    const source = 'Setext\n======\n\n* a\n* b\n\nHello\n'
    const id = await add(source)
    const before = await admin.api.get(`/artifacts/${id}`)
    const [first, second] = [await open(admin, id), await open(editor, id)]
    first.type(2, ' wörld')
    second.type(0, '!')
    const typed = 'Setext!\n=======\n\n* a\n* b\n\nHello wörld\n'
    const after = await eventually(async () => {
      const answer = await admin.api.get(`/artifacts/${id}`)
      return answer.body.data.markdown_content === typed && answer
    })
    await eventually(() => first.text() === second.text())
    expect(first.text()).toBe('Setext!\nab\nHello wörld')
    expect((await admin.api.get(`/artifacts/${id}/content`)).text).toBe(typed)
    expect(after.body.data.size_bytes).toBe(Buffer.byteLength(typed))
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect(after.body.data.updated_at > before.body.data.updated_at).toBe(true)
    const stale = await admin.api.patch(
      `/artifacts/${id}`,
      { markdown_content: 'old' },
      { 'if-match': before.headers.etag! },
    )
    expect(stale.status).toBe(412)
  })

  test('records who typed, and what is typed within five minutes as one change', async () => {
    const id = await add('one\n')
    const [first, second] = [await open(admin, id), await open(editor, id)]
    first.type(0, ' A')
    await eventually(async () => (await contentOf(id)) === 'one A\n')
    second.type(0, ' B')
    await eventually(async () => (await contentOf(id)) === 'one A B\n')
    const events = await workspace.sql<{ userId: string; origin: string; payload: object }[]>`
      select user_id as "userId", origin, payload from events
      where subject_id = ${id} and kind = 'artifact.updated' order by id`
    const version = { version_id: expect.any(String), version_number: 2 }
    const typed = { fields: ['markdown_content'], ...version, typed: true }
    expect(events).toEqual([
      { userId: admin.userId, origin: 'user', payload: typed },
      { userId: editor.userId, origin: 'user', payload: { ...typed, folded: true } },
    ])
  })

  test('shows an API write at once as a small change, and keeps an empty line that someone has just begun', async () => {
    const id = await add('one\n\ntwo\n\nthree\n')
    const person = await open(editor, id)
    person.edit((doc) => doc.copy(doc.content.addToEnd(paragraph(''))))
    await eventually(person.isSent)
    let received = 0
    person.shared.on('update', (update: Uint8Array) => {
      received += update.length
    })
    const { status, body } = await write(id, 'one\n\ntwo!\n\nthree\n')
    expect([status, body.data.markdown_content]).toEqual([200, 'one\n\ntwo!\n\nthree\n'])
    await eventually(() => person.text() === 'one\ntwo!\nthree\n')
    expect(received).toBeLessThan(200)
    person.type(3, 'four')
    await eventually(async () => (await contentOf(id)) === 'one\n\ntwo!\n\nthree\n\nfour\n')
  })

  test('keeps what was typed but not yet stored when the API writes', async () => {
    const id = await add('one\n\ntwo\n\nthree\n')
    const person = await open(editor, id)
    // The write waits for the lock, and the session stores what is typed after it: whoever waits first goes first.
    const writing = await inTransaction({ db: workspace.sql }, async ({ db }) => {
      await db`select 1 from artifacts where id = ${id} for update`
      const written = write(id, 'zero\n\none\n\nTWO\n\nthree\n')
      await eventually(async () => {
        const [found] =
          await db`select 1 from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`
        return found
      })
      person.type(2, ' typed')
      await eventually(person.isSent)
      return { written }
    })
    expect((await writing.written).status).toBe(200)
    await eventually(async () => (await contentOf(id)) === 'zero\n\none\n\nTWO\n\nthree typed\n')
    await eventually(() => person.text() === 'zero\none\nTWO\nthree typed')
  })

  test('can have markdown that a requirement could not, and keeps it', async () => {
    const id = await add('Begin\n\n<!-- never closed\n\n```\ncode\n')
    const person = await open(editor, id)
    person.type(0, ' here')
    await eventually(async () => (await contentOf(id)) === 'Begin here\n\n<!-- never closed\n\n```\ncode\n')
  })

  test('can be renamed and moved while someone types', async () => {
    const id = await add('one\n')
    const person = await open(editor, id)
    person.type(0, ' typed')
    const { id: parent_id } = await createFolder(admin.api)
    expect((await admin.api.patch(`/artifacts/${id}`, { name: `moved-${id}`, parent_id })).status).toBe(200)
    person.type(0, ' on')
    await eventually(async () => (await contentOf(id)) === 'one typed on\n')
    expect((await detailOf(id)).name).toBe(`moved-${id}`)
  })
})

test('a viewer sees what others type and cannot type; files, folders and other projects cannot be opened', async () => {
  const id = await add('one\n\ntwo\n')
  const viewer = await open(await project.join('viewer'), id)
  const person = await open(admin, id)
  viewer.type(0, ' hidden')
  person.type(1, ' shown')
  await eventually(() => viewer.text().includes('two shown'))
  await eventually(async () => (await contentOf(id)) === 'one\n\ntwo shown\n')
  const url = await listen(workspace.app)
  const stranger = (await workspace.project()).admin
  const attempts = [
    { token: stranger.key, name: `artifact/${id}` },
    { token: admin.key, name: `artifact/${(await createFile(admin.api)).id}` },
    { token: admin.key, name: `artifact/${(await createFolder(admin.api)).id}` },
    { token: admin.key, name: `blueprint/${id}` },
  ].map((attempt) => openEditor({ url, ...attempt }))
  await eventually(() => attempts.every((attempt) => attempt.refusal() === 'permission-denied'))
})

test('what someone typed when the document went to the trash is there once after it is restored', async () => {
  const person = await signedInMember(workspace, project, 'editor')
  const id = await add('one\n\ntwo\n')
  const typist = await open(editor, id)
  typist.type(0, ' stored')
  await eventually(async () => (await contentOf(id)) === 'one stored\n\ntwo\n')
  typist.disconnect()
  await eventually(() => !typist.provider.isSynced)
  typist.type(1, ' unsent')
  expect((await person.call('POST', '/artifacts/batch_trash', { ids: [id] })).body).toEqual({
    items: [{ id, refusal: null }],
  })
  typist.reconnect()
  await eventually(() => typist.refusal() === 'permission-denied')
  expect((await person.call('POST', '/artifacts/batch_restore', { ids: [id] })).body).toEqual({
    items: [{ id, refusal: null }],
  })
  const again = openEditor({
    url: await listen(workspace.app),
    token: editor.key,
    name: `artifact/${id}`,
    shared: typist.shared,
  })
  await eventually(async () => (await contentOf(id)) === 'one stored\n\ntwo unsent\n')
  await eventually(() => again.text() === 'one stored\ntwo unsent')
})

test('deleting the folder of an open document closes its connections', async () => {
  const { id: parent_id } = await createFolder(admin.api)
  const { id } = await createDocument(admin.api, { parent_id, markdown_content: 'one\n' })
  const person = await open(editor, id)
  await admin.api.delete(`/artifacts/${parent_id}`)
  await eventually(() => person.closeCode() === 4404)
})
