import { randomUUID } from 'node:crypto'
import type { Node } from 'prosemirror-model'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { addBlueprint, type Editor, openDocument } from '../../live-texts/live.factory.ts'

let workspace: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let admin: Member

beforeAll(async () => {
  workspace = await openWorkspace()
  project = await workspace.project()
  admin = project.admin
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

/** Returns a paragraph of plain text and tracked text. */
const line = (doc: Node, ...parts: (string | [string, 'insertion' | 'deletion', string])[]) => {
  const { schema } = doc.type
  const content = parts.map((part) =>
    typeof part === 'string'
      ? schema.text(part)
      : schema.text(part[0], [schema.marks[part[1]]!.create({ id: part[2] })]),
  )
  return schema.nodes.paragraph!.create(null, content)
}
const suggestionsOf = async (id: string) =>
  (await admin.api.get(`/blueprints/${id}/suggestions`)).body.items as Record<string, string>[]

test('a suggestion keeps its id while its author types on, and takes the id that the editor gave it', async () => {
  const id = await addBlueprint(admin, 'one\n')
  const person = await openDocument(workspace.app, admin, id)
  const change = randomUUID()
  const write = (text: string) =>
    person.edit((doc) => doc.copy(doc.content.replaceChild(0, line(doc, 'one', [text, 'insertion', change]))))
  write(' tw')
  await eventually(async () => (await contentOf(id)) === 'one{++ tw++}\n')
  const [first] = await suggestionsOf(id)
  expect(first).toMatchObject({ id: change, text: ' tw', created_by_name: admin.name })
  write(' two')
  await eventually(async () => (await contentOf(id)) === 'one{++ two++}\n')
  expect(await suggestionsOf(id)).toEqual([{ ...first, text: ' two' }])
})

test.each(['accept', 'reject'] as const)(
  'to %s a suggestion is about what was shown, and what its author typed since stays their suggestion',
  async (verdict) => {
    const id = await addBlueprint(admin, 'one three\n')
    const grace = await project.join('editor')
    const author = await openDocument(workspace.app, grace, id)
    const change = randomUUID()
    const write = (text: string) =>
      author.edit((doc) =>
        doc.copy(doc.content.replaceChild(0, line(doc, 'one', [text, 'insertion', change], ' three'))),
      )
    write(' two')
    await eventually(async () => (await suggestionsOf(id))[0]?.text === ' two')
    write(' two, or more')
    await eventually(author.isSent)
    const { status } = await admin.api.post(`/blueprints/${id}/suggestions/${verdict}_all`, {
      change_ids: [change],
      texts: [' two'],
    })
    expect(status).toBe(200)
    const text = verdict === 'accept' ? 'one two{++, or more++} three\n' : 'one{++, or more++} three\n'
    expect(await contentOf(id)).toBe(text)
    const [rest, ...others] = await suggestionsOf(id)
    expect([rest!.text, rest!.created_by_name, others]).toEqual([', or more', grace.name, []])
    expect(rest!.id).not.toBe(change)
    await eventually(() => tracked(author).every(([, changeId]) => changeId === rest!.id))
    expect(tracked(author)).toEqual([['insertion', rest!.id, ', or more']])
  },
)

test('a suggestion that has become another one is not settled', async () => {
  const id = await addBlueprint(admin, 'one two three\n')
  await admin.api.post(`/blueprints/${id}/apply_suggestion`, { old_text: 'two', new_text: 'something else' })
  const [, insertion] = await suggestionsOf(id)
  const { status, body } = await admin.api.post(`/blueprints/${id}/suggestions/accept_all`, {
    change_ids: [insertion!.id],
    texts: ['2'],
  })
  expect([status, body.code]).toEqual([409, 'suggestion_changed'])
  expect(body.detail).toContain('"something else"')
  const shown = { change_ids: [insertion!.id], texts: ['something  else'] }
  expect((await admin.api.post(`/blueprints/${id}/suggestions/accept_all`, shown)).status).toBe(200)
  expect(await contentOf(id)).toBe('one {--two--}something else three\n')
})

test('a block that is proposed keeps its ids while its author types on', async () => {
  const id = await addBlueprint(admin, '# Closed\n\n```\ncode\n```\n')
  const person = await openDocument(workspace.app, admin, id)
  const propose = (at: number, source: string) =>
    person.edit((doc) => doc.copy(doc.content.replaceChild(at, doc.type.schema.nodes.opaque_block!.create({ source }))))
  const idsOf = async () => (await suggestionsOf(id)).map((one) => one.id)
  const code = '{--```\ncode\n```--}{++```\nmore\n```++}'
  propose(1, code)
  await eventually(async () => (await contentOf(id)) === `# Closed\n\n${code}\n`)
  const ofCode = await idsOf()
  propose(0, '{--# Closed--}{++## Closed++}')
  await eventually(async () => (await contentOf(id)) === `{--# Closed--}{++## Closed++}\n\n${code}\n`)
  const ids = await idsOf()
  expect(ids.slice(2)).toEqual(ofCode)
  propose(0, '{--# Closed--}{++## Closed!++}')
  await eventually(async () => (await contentOf(id)) === `{--# Closed--}{++## Closed!++}\n\n${code}\n`)
  expect(await idsOf()).toEqual(ids)
})

test('two people who suggest at the same time are named each for their own', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n')
  const grace = await project.join('editor')
  const [ada, other] = [await openDocument(workspace.app, admin, id), await openDocument(workspace.app, grace, id)]
  const suggest = (editor: Editor, block: number, text: string) =>
    editor.edit((doc) =>
      doc.copy(
        doc.content.replaceChild(block, line(doc, doc.child(block).textContent, [text, 'insertion', randomUUID()])),
      ),
    )
  suggest(ada, 0, ' by the first')
  suggest(other, 1, ' by the second')
  await eventually(async () => (await contentOf(id)) === 'one{++ by the first++}\n\ntwo{++ by the second++}\n')
  const named = (await suggestionsOf(id)).map(({ text, created_by_name }) => [text, created_by_name])
  expect(named).toEqual([
    [' by the first', admin.name],
    [' by the second', grace.name],
  ])
})

test('an editor cannot take over the id of a change in another document', async () => {
  const [one, two] = [await addBlueprint(admin, 'one\n'), await addBlueprint(admin, 'two\n')]
  await admin.api.post(`/blueprints/${one}/apply_suggestion`, { old_text: 'one', new_text: '1' })
  const before = await suggestionsOf(one)
  const person = await openDocument(workspace.app, admin, two)
  person.edit((doc) => doc.copy(doc.content.replaceChild(0, line(doc, 'two', ['!', 'insertion', before[0]!.id!]))))
  await eventually(async () => (await contentOf(two)) === 'two{++!++}\n')
  expect((await suggestionsOf(two))[0]!.id).not.toBe(before[0]!.id)
  expect(await suggestionsOf(one)).toEqual(before)
})

test('an item of a list that is all suggested keeps its form', async () => {
  const id = await addBlueprint(admin, '- one\n- {++two++}\n')
  const person = await openDocument(workspace.app, admin, id)
  expect(person.doc().firstChild!.type.name).toBe('bullet_list')
  expect(tracked(person).map(([kind, , text]) => [kind, text])).toEqual([['insertion', 'two']])
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
