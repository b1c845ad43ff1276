import type { Node } from 'prosemirror-model'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addBlueprint, type Editor, openDocument } from './live.factory.ts'

let workspace: Workspace
let admin: Member

beforeAll(async () => {
  workspace = await openWorkspace()
  admin = (await workspace.project()).admin
})
afterAll(() => workspace.close())

const contentOf = async (id: string) => (await admin.api.get(`/blueprints/${id}`)).body.data.markdown_content as string

/** Returns the tracked changes that an editor shows: kind, id and text. */
function tracked(editor: Editor): [string, string, string][] {
  const found: [string, string, string][] = []
  editor.doc().descendants((node: Node) => {
    for (const { type, attrs } of node.marks)
      if (type.name === 'insertion' || type.name === 'deletion') found.push([type.name, attrs.id, node.text!])
  })
  return found
}

test('a suggestion finds what was typed a moment ago, and editors see it as tracked changes', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n')
  const person = await openDocument(workspace.app, admin, id)
  person.type(1, ' quick fox')
  await eventually(person.isSent)
  const suggested = await admin.api.post(`/blueprints/${id}/apply_suggestion`, { old_text: 'quick', new_text: 'slow' })
  expect(suggested.status).toBe(200)
  const [deletion, insertion] = suggested.body.change_ids ?? suggested.body.data.change_ids
  await eventually(() => tracked(person).length === 2)
  expect(tracked(person)).toEqual([
    ['deletion', deletion, 'quick'],
    ['insertion', insertion, 'slow'],
  ])
  expect(await contentOf(id)).toBe('one\n\ntwo {--quick--}{++slow++} fox\n')

  person.type(0, ' more')
  await eventually(async () => (await contentOf(id)).startsWith('one more'))
  expect(await contentOf(id)).toBe('one more\n\ntwo {--quick--}{++slow++} fox\n')
  const { body } = await admin.api.get(`/blueprints/${id}/suggestions`)
  expect(body.items.map((item: { id: string }) => item.id)).toEqual([deletion, insertion])

  await admin.api.post(`/blueprints/${id}/suggestions/accept_all`)
  await eventually(() => person.text() === 'one more\ntwo slow fox')
  expect(tracked(person)).toEqual([])
  expect(await contentOf(id)).toBe('one more\n\ntwo slow fox\n')
})

test('a change that an editor tracks is pending in the markdown and can be rejected through the API', async () => {
  const id = await addBlueprint(admin, 'one two three\n')
  const person = await openDocument(workspace.app, admin, id)
  person.edit((doc) => {
    const { insertion, deletion } = doc.type.schema.marks
    const text = (content: string, marks: readonly ReturnType<NonNullable<typeof insertion>['create']>[] = []) =>
      doc.type.schema.text(content, marks)
    const content = [
      text('one '),
      text('two', [deletion!.create({ id: 'a' })]),
      text('2', [insertion!.create({ id: 'b' })]),
      text(' three'),
    ]
    return doc.copy(doc.content.replaceChild(0, doc.child(0).type.create(null, content)))
  })
  await eventually(async () => (await contentOf(id)) === 'one {--two--}{++2++} three\n')
  const { body } = await admin.api.get(`/blueprints/${id}/suggestions`)
  expect(body.items).toMatchObject([
    { kind: 'deletion', text: 'two', created_by_name: admin.name },
    { kind: 'insertion', text: '2', created_by_name: admin.name },
  ])
  // The editor uses the id from the API.
  const ids = body.items.map((item: { id: string }) => item.id)
  await eventually(() => tracked(person).every(([, changeId], at) => changeId === ids[at]))
  await admin.api.post(`/blueprints/${id}/suggestions/reject_all`)
  await eventually(() => person.text() === 'one two three')
  expect(tracked(person)).toEqual([])
})

test('a restored version appears in open editors', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n')
  const first = (await admin.api.get(`/blueprints/${id}`)).body.data.version_id
  const person = await openDocument(workspace.app, admin, id)
  person.type(0, ' typed')
  await eventually(person.isSent)
  const { body } = await admin.api.post(`/blueprints/${id}/versions/${first}/restore`)
  expect(body.data).toMatchObject({ markdown_content: 'one\n\ntwo\n', version_number: 3 })
  await eventually(() => person.text() === 'one\ntwo')
  expect(await contentOf(id)).toBe('one\n\ntwo\n')
})
