import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import type { App } from '../../app.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { openForWrite } from '../documents/loading.ts'
import { addVersion } from '../documents/versions/versions.ts'
import { addBlueprint, listen, openDocument, openEditor } from './live.factory.ts'

let workspace: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let admin: Member
let other: App

beforeAll(async () => {
  workspace = await openWorkspace()
  project = await workspace.project()
  admin = project.admin
  other = await workspace.node()
})
afterAll(() => workspace.close())

const contentOf = async (id: string) => (await admin.api.get(`/blueprints/${id}`)).body.data.markdown_content as string

test('a write on another node reaches open editors within about a second', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n')
  const person = await openDocument(workspace.app, admin, id)
  person.type(0, ' typed')
  // Writes as another process would, without notifying the sessions of this one.
  await inTransaction(project.operator, async (ctx) => {
    await addVersion(ctx, await openForWrite(ctx, 'blueprint', id), 'zero\n\none\n\nTWO\n', undefined)
  })
  await eventually(() => person.text() === 'zero\none typed\nTWO')
  await eventually(async () => (await contentOf(id)) === 'zero\n\none typed\n\nTWO\n')
})

test('people on two nodes without Redis converge on the same content without duplicates', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n\nthree\n')
  const here = await openDocument(workspace.app, admin, id)
  const there = await openDocument(other, await project.join('editor'), id)
  for (const round of [1, 2, 3]) {
    here.type(0, ` h${round}`)
    there.type(1, ` t${round}`)
    await admin.api.post(`/blueprints/${id}/apply_suggestion`, { old_text: 'three', new_text: 'three' })
    await admin.api.post(`/blueprints/${id}/suggestions/accept_all`)
    await eventually(
      () => here.text() === there.text() && here.text().includes(`t${round}`) && here.text().includes(`h${round}`),
    )
  }
  await eventually(async () => (await contentOf(id)) === 'one h1 h2 h3\n\ntwo t1 t2 t3\n\nthree\n')
  for (const editor of [here, there]) await eventually(() => editor.text() === 'one h1 h2 h3\ntwo t1 t2 t3\nthree')
})

test('a disconnected editor resumes on any node with what was typed in the meantime', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n')
  const shared = new Y.Doc()
  const name = `blueprint/${id}`
  const before = openEditor({ url: await listen(workspace.app), token: admin.key, name, shared })
  await eventually(() => before.provider.isSynced)
  before.type(0, ' A')
  await eventually(before.isSent)
  before.disconnect()
  // The last editor has left, so the document is closed here. Another node then writes to it.
  await eventually(async () => (await contentOf(id)) === 'one A\n\ntwo\n')
  await admin.api.patch(`/blueprints/${id}`, { markdown_content: 'one A\n\ntwo\n\nthree\n' })
  before.type(1, ' B')
  const after = openEditor({ url: await listen(other), token: admin.key, name, shared })
  await eventually(async () => (await contentOf(id)) === 'one A\n\ntwo B\n\nthree\n')
  await eventually(() => after.text() === 'one A\ntwo B\nthree')
})

test('a large document is edited off the main thread', async () => {
  const source = Array.from(
    { length: 2_000 },
    (_, at) => `Paragraph ${at} has some *words* that make it longer than it was.`,
  ).join('\n\n')
  const id = await addBlueprint(admin, source)
  const person = await openDocument(workspace.app, admin, id)
  expect(person.doc().childCount).toBe(2_000)
  person.type(7, ' Typed.')
  await eventually(async () => (await contentOf(id)).includes('Typed.'), 20_000)
  const lines = (await contentOf(id)).split('\n\n')
  expect(lines.filter((line) => line.includes('Typed.'))).toHaveLength(1)
  expect(lines).toHaveLength(2_000)
})

// A test machine need not have Redis.
const redisUrl = process.env.TEST_REDIS_URL
if (redisUrl)
  test('people on two nodes with Redis share what they type, and it is stored once', async () => {
    const [one, two] = [await workspace.node({ redisUrl }), await workspace.node({ redisUrl })]
    const id = await addBlueprint(admin, 'one\n\ntwo\n')
    const here = await openDocument(one, admin, id)
    const there = await openDocument(two, await project.join('editor'), id)
    for (const round of [1, 2, 3, 4, 5]) {
      here.type(0, ` h${round}`)
      there.type(1, ` t${round}`)
      await eventually(() => here.text().includes(`t${round}`) && there.text().includes(`h${round}`))
    }
    const stored = 'one h1 h2 h3 h4 h5\n\ntwo t1 t2 t3 t4 t5\n'
    await eventually(async () => (await contentOf(id)) === stored)
    await admin.api.patch(`/blueprints/${id}`, { markdown_content: `${stored}\nthree\n` })
    for (const editor of [here, there])
      await eventually(() => editor.text() === 'one h1 h2 h3 h4 h5\ntwo t1 t2 t3 t4 t5\nthree')
    here.type(2, ' more')
    await eventually(() => there.text().endsWith('three more'))
    await eventually(async () => (await contentOf(id)) === `${stored}\nthree more\n`)
  })
