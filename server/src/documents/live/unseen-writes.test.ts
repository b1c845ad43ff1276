import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as Y from 'yjs'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { fragmentOf } from './conversion/fragment.ts'
import { addBlueprint, type Editor, openDocument, openRawDocument } from './live.factory.ts'

let workspace: Workspace
let admin: Member
let slow: Member

beforeAll(async () => {
  workspace = await openWorkspace()
  const project = await workspace.project()
  admin = project.admin
  slow = await project.join('editor')
})
afterAll(() => workspace.close())

const contentOf = async (id: string) => (await admin.api.get(`/blueprints/${id}`)).body.data.markdown_content as string

/** Someone whose letters arrive late: typed without what others have written since this was opened. */
async function openLate(id: string, editor: Editor) {
  const raw = await openRawDocument(workspace.app, slow, `blueprint/${id}`)
  const shared = new Y.Doc()
  Y.applyUpdate(shared, Y.encodeStateAsUpdate(editor.shared))
  return (type: (text: Y.XmlText, block: Y.XmlElement) => void, block = 0) => {
    const known = Y.encodeStateVector(shared)
    const element = fragmentOf(shared).get(block) as Y.XmlElement
    type(element.get(0) as Y.XmlText, element)
    raw.sendUpdate(`blueprint/${id}`, Y.encodeStateAsUpdate(shared, known))
  }
}

test.each([
  ['accept', 'one two{++!++}\n'],
  ['reject', 'one{++!++}\n'],
] as const)('to %s a suggestion does not decide about a letter that is on its way', async (verdict, after) => {
  const id = await addBlueprint(admin, 'one\n')
  const editor = await openDocument(workspace.app, slow, id)
  const inner = (fragmentOf(editor.shared).get(0) as Y.XmlElement).get(0) as Y.XmlText
  inner.insert(3, ' two', { insertion: { id: randomUUID() } })
  await eventually(async () => (await contentOf(id)) === 'one{++ two++}\n')
  const type = await openLate(id, editor)
  await admin.api.post(`/blueprints/${id}/suggestions/${verdict}_all`)
  await eventually(() => editor.text() === (verdict === 'accept' ? 'one two' : 'one'))
  type((text) => text.insert(text.length, '!', { insertion: (text.toDelta() as Op[]).at(-1)!.attributes!.insertion }))
  await eventually(async () => (await contentOf(id)) === after)
  const { body } = await admin.api.get(`/blueprints/${id}/suggestions`)
  expect(body.items.map((item: Record<string, unknown>) => [item.text, item.created_by_name])).toEqual([
    ['!', slow.name],
  ])
})

interface Op {
  attributes?: Record<string, unknown>
}

test('what is typed after an accepted suggestion was shown is plain', async () => {
  const id = await addBlueprint(admin, 'one\n')
  const editor = await openDocument(workspace.app, admin, id)
  const inner = (fragmentOf(editor.shared).get(0) as Y.XmlElement).get(0) as Y.XmlText
  inner.insert(3, ' two', { insertion: { id: randomUUID() } })
  await eventually(async () => (await contentOf(id)) === 'one{++ two++}\n')
  await admin.api.post(`/blueprints/${id}/suggestions/accept_all`)
  await eventually(() => (inner.toDelta() as Op[]).every(({ attributes }) => !attributes))
  editor.type(0, '!')
  await eventually(async () => (await contentOf(id)) === 'one two!\n')
})

test('a letter on its way is not part of a deletion that its author has not seen', async () => {
  const id = await addBlueprint(admin, 'one two three\n')
  const editor = await openDocument(workspace.app, admin, id)
  const type = await openLate(id, editor)
  await admin.api.post(`/blueprints/${id}/apply_suggestion`, { old_text: 'two', new_text: '' })
  await eventually(() => JSON.stringify(editor.doc().toJSON()).includes('deletion'))
  type((text) => text.insert(5, 'X'))
  await eventually(async () => (await contentOf(id)) === 'one {--t--}X{--wo--} three\n')
})
