import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { schema } from '../../engines/markdown/index.ts'
import { inTransaction } from '../../kernel/database/index.ts'
import { addBlueprint, type Editor, openDocument, paragraph } from './live.factory.ts'

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

const detailOf = async (id: string) => (await admin.api.get(`/blueprints/${id}`)).body.data
const contentOf = async (id: string): Promise<string> => (await detailOf(id)).markdown_content
const open = (member: Member, id: string) => openDocument(workspace.app, member, id)
const sawBoth = (one: Editor, other: Editor, text: string) =>
  eventually(() => one.text().includes(text) && other.text() === one.text())

describe('a document that is open in an editor', () => {
  test('is stored within a second of typing, and only the edited block is rewritten', async () => {
    const source = 'Setext\n======\n\n* a\n* b\n\nHello\n\n\n\n| a |b|\n|---|-|\n|1|2|'
    const id = await addBlueprint(admin, source)
    const person = await open(admin, id)
    expect(person.text()).toBe('Setext\nab\nHello\nab12')
    const typedAt = Date.now()
    person.type(2, ' world')
    await eventually(async () => (await contentOf(id)) !== source)
    expect(Date.parse((await detailOf(id)).updated_at) - typedAt).toBeLessThan(1_000)
    expect(await contentOf(id)).toBe(source.replace('Hello', 'Hello world'))
  })

  test('says that edits are not stored while the server fails, and that they are afterwards', async () => {
    const id = await addBlueprint(admin, 'one\n')
    const person = await open(admin, id)
    const heard: string[] = []
    person.provider.on('stateless', ({ payload }: { payload: string }) => heard.push(JSON.parse(payload).type))
    const refuse = `create function refuse_typing() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
      create trigger refuse_typing before update on documents for each row when (old.id = '${id}') execute function refuse_typing()`
    await workspace.sql.pool.query(refuse)
    person.type(0, ' more')
    await eventually(() => heard.length > 0)
    await workspace.sql.pool.query('drop function refuse_typing cascade')
    await eventually(async () => (await contentOf(id)) === 'one more\n')
    await eventually(() => heard.length > 1)
    expect(heard).toEqual(['not_stored', 'stored'])
  })

  test('is stored even if it contains a control character from an older version', async () => {
    const id = await addBlueprint(admin, 'one\n\ntwo\n')
    await workspace.sql`update documents set markdown_content = ${'one\u0085\n\ntwo\n'} where id = ${id}`
    const person = await open(admin, id)
    person.type(1, '!')
    await eventually(async () => (await contentOf(id)) === 'one\u0085\n\ntwo!\n')
  })

  test('is stored at least every second while someone types without a pause', async () => {
    const id = await addBlueprint(admin, 'Start\n')
    const person = await open(admin, id)
    const typedAt = Date.now()
    const typing = setInterval(() => person.type(0, '.'), 50)
    const stored = await eventually(async () => {
      const { markdown_content, updated_at } = await detailOf(id)
      return markdown_content.includes('Start.') && updated_at
    }).finally(() => clearInterval(typing))
    expect(Date.parse(stored) - typedAt).toBeLessThan(1_000)
  })

  test('shows two people the same content, and shows an API write at once as a small change', async () => {
    const id = await addBlueprint(admin, 'one\n\ntwo\n\nthree\n')
    const [first, second] = [await open(admin, id), await open(editor, id)]
    first.type(0, ' A')
    await sawBoth(second, first, 'one A')
    await eventually(async () => (await contentOf(id)).includes('one A'))
    let received = 0
    second.shared.on('update', (update: Uint8Array) => {
      received += update.length
    })
    const { status, body } = await admin.api.patch(`/blueprints/${id}`, {
      markdown_content: 'one A\n\ntwo!\n\nthree\n',
    })
    expect([status, body.data.markdown_content]).toEqual([200, 'one A\n\ntwo!\n\nthree\n'])
    await sawBoth(first, second, 'two!')
    expect(first.text()).toBe('one A\ntwo!\nthree')
    expect(received).toBeLessThan(200)
    expect((await detailOf(id)).version_id).toBe(body.data.version_id)
  })

  test('keeps what was typed but not yet stored when the API writes', async () => {
    const id = await addBlueprint(admin, 'one\n\ntwo\n\nthree\n')
    const person = await open(admin, id)
    const markdown_content = 'zero\n\none\n\nTWO\n\nthree\n'
    // The write waits for the lock, and the session stores what is typed after it: whoever waits first goes first.
    const writing = await inTransaction({ db: workspace.sql }, async ({ db }) => {
      await db`select 1 from documents where id = ${id} for update`
      const written = admin.api.patch(`/blueprints/${id}`, { markdown_content })
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

  test('turns lists, headings and marks made in the editor into markdown', async () => {
    const id = await addBlueprint(admin, 'one\n')
    const person = await open(admin, id)
    const { heading, bullet_list, list_item } = schema.nodes
    const items = ['a', 'b'].map((text) => list_item.create(null, paragraph(text)))
    const strong = schema.nodes.paragraph.create(null, [
      schema.text('very '),
      schema.text('bold', [schema.marks.strong.create()]),
    ])
    person.edit((doc) =>
      doc.copy(
        doc.content
          .addToEnd(heading.create({ level: 2 }, schema.text('Two')))
          .addToEnd(bullet_list.create(null, items))
          .addToEnd(strong),
      ),
    )
    await eventually(async () => (await contentOf(id)) === 'one\n\n## Two\n\n- a\n- b\n\nvery **bold**\n')
  })

  test('can be empty at first', async () => {
    const id = await addBlueprint(admin, '')
    const person = await open(admin, id)
    person.edit((doc) => doc.copy(doc.content.addToEnd(paragraph('First words'))))
    await eventually(async () => (await contentOf(id)).trim() === 'First words')
  })
})

test('two people and the API writing at once converge, and nothing is lost', async () => {
  const places = Array.from({ length: 12 }, (_, at) => `Paragraph ${at}:`)
  const id = await addBlueprint(admin, `${places.join('\n\n')}\n`)
  const people = [await open(admin, id), await open(editor, id)]
  const rounds = Array.from({ length: 8 }, (_, at) => at)
  const typing = people.map(async (person, who) => {
    for (const round of rounds) {
      // Finds the block by its text, because blocks before it come and go.
      const block = person.doc().children.findIndex((node) => node.textContent.startsWith(`Paragraph ${who}:`))
      person.type(block, ` p${who}r${round}`)
      if (round % 3 === 0) person.edit((doc) => doc.copy(doc.content.addToEnd(paragraph(`added p${who}r${round}`))))
      await eventually(person.isSent)
    }
  })
  const writing = (async () => {
    for (const round of rounds) {
      for (;;) {
        const read = await admin.api.get(`/blueprints/${id}`)
        const content = read.body.data.markdown_content as string
        const changed = `inserted w${round}\n\n${content.replace('Paragraph 7:', `Paragraph 7: w${round}`)}`
        const headers = { 'if-match': read.headers.etag! }
        const { status } = await admin.api.patch(`/blueprints/${id}`, { markdown_content: changed }, headers)
        if (status === 200) break
        expect(status).toBe(412)
      }
    }
  })()
  await Promise.all([...typing, writing])
  const expected = [
    ...rounds.flatMap((round) => [`w${round}`, `inserted w${round}`, `p0r${round}`, `p1r${round}`]),
    ...[0, 3, 6].flatMap((round) => [`added p0r${round}`, `added p1r${round}`]),
  ]
  const content = await eventually(async () => {
    const stored = await contentOf(id)
    const lines = stored.split('\n').filter((line) => line !== '')
    return people.every((person) => person.text() === lines.join('\n')) && stored
  })
  for (const text of expected) expect(content.split(new RegExp(`\\b${text}\\b`)).length, text).toBeGreaterThan(1)
  for (const round of rounds) expect(content.match(new RegExp(`\\binserted w${round}\\b`, 'g'))).toHaveLength(1)
  for (const place of places) expect(content.split(place)).toHaveLength(2)
  const states = people.map(({ shared }) => Buffer.from(Y.encodeStateVector(shared)).toString('hex'))
  expect(new Set(people.map((person) => person.text())).size, states.join()).toBe(1)
})

test('what someone typed offline in a paragraph that the API has removed since is stored in one of its own', async () => {
  const id = await addBlueprint(admin, 'one\n\ntwo\n\nthree\n')
  const person = await open(editor, id)
  const other = await open(admin, id)
  person.disconnect()
  await eventually(() => person.provider.isSynced === false)
  person.type(1, ' written offline')
  const { status } = await admin.api.patch(`/blueprints/${id}`, { markdown_content: 'one\n\nthree\n' })
  expect(status).toBe(200)
  await eventually(() => other.text() === 'one\nthree')
  person.reconnect()
  await eventually(async () => (await contentOf(id)) === 'one\n\nwritten offline\n\nthree\n')
  await eventually(() => person.text() === other.text())
})
