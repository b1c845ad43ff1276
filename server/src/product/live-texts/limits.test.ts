import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import { eventually, type Member, onTestFinished, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { unpackState } from './conversion/packed-state.ts'
import {
  addBlueprint,
  listen,
  messageOf,
  openDocument,
  openEditor,
  openRawDocument,
  type RawEditor,
} from './live.factory.ts'

const lines: string[] = []
let workspace: Workspace
let admin: Member
let id: string
let name: string

beforeAll(async () => {
  workspace = await openWorkspace({
    logger: { level: 'warn', stream: { write: (line: string) => void lines.push(line) } },
  })
  admin = (await workspace.project()).admin
})
afterAll(() => workspace.close())

const enter = async (content = 'hello\n') => {
  id = await addBlueprint(admin, content)
  name = `blueprint/${id}`
  return openRawDocument(workspace.app, admin, name)
}

const updateOf = (change: (shared: Y.Doc) => void) => {
  const shared = new Y.Doc()
  change(shared)
  return Y.encodeStateAsUpdate(shared)
}

async function storedState(): Promise<Y.Doc> {
  const [row] = await workspace.sql<{ state: Buffer }[]>`select state from live_texts where id = ${id}`
  const shared = new Y.Doc()
  Y.applyUpdate(shared, unpackState(row!.state))
  return shared
}

const closeOf = (raw: RawEditor) => eventually(() => raw.closed(), 30_000)
const contentOf = async () => (await admin.api.get(`/blueprints/${id}`)).body.data.markdown_content

describe('an update', () => {
  test.for<[string, (shared: Y.Doc) => void]>([
    ['a map of another name', (shared) => shared.getMap('other').set('key', 'x'.repeat(100_000))],
    ['a map of the same name', (shared) => shared.getMap('default').set('key', 'x'.repeat(100_000))],
    ['a text of another name', (shared) => shared.getText('other').insert(0, 'hidden')],
    [
      'the document and something else',
      (shared) => {
        shared.getXmlFragment('default').push([new Y.XmlElement('paragraph')])
        shared.getArray('other').push(['hidden'])
      },
    ],
  ])('of %s closes the socket and is not stored', async ([, change]) => {
    const raw = await enter()
    const witness = await openDocument(workspace.app, admin, id)
    raw.sendUpdate(name, updateOf(change))
    expect(await closeOf(raw)).toBe('4422 Only the fragment "default" can be edited')
    witness.type(0, ' there')
    await eventually(async () => (await contentOf()) === 'hello there\n')
    expect([...(await storedState()).share.keys()]).toEqual(['default'])
    expect((await storedState()).getXmlFragment('default').toJSON()).toBe('<paragraph>hello there</paragraph>')
  })

  test('that makes the shared state too large closes the socket, and is not stored', async () => {
    const raw = await enter()
    const part = (letter: string) =>
      updateOf((shared) => {
        const element = new Y.XmlElement('paragraph')
        element.setAttribute('hidden', letter.repeat(9_000_000))
        shared.getXmlFragment('default').push([element])
      })
    for (const letter of 'abcd') raw.sendUpdate(name, part(letter))
    expect(await closeOf(raw)).toBe('4413 Too large')
    await eventually(async () => (await contentOf()).startsWith('hello\n'))
    const held = Y.encodeStateAsUpdate(await storedState())
    expect(held.length).toBeLessThan(32_000_000)
  })

  test('that depends on missing updates counts like any other', async () => {
    const raw = await enter()
    const shared = new Y.Doc()
    const updates: Uint8Array[] = []
    shared.on('update', (update: Uint8Array) => updates.push(update))
    const element = new Y.XmlElement('paragraph')
    shared.getXmlFragment('default').push([element])
    for (const letter of 'abcd') element.setAttribute(letter, letter.repeat(9_000_000))
    for (const update of updates.slice(1)) raw.sendUpdate(name, update)
    expect(await closeOf(raw)).toBe('4413 Too large')
  })

  test('that exceeds the message limit closes the socket', async () => {
    const raw = await enter()
    raw.sendUpdate(name, new Uint8Array(16_000_001))
    expect(await closeOf(raw)).toMatch(/^1009/)
  })
})

describe('a socket', () => {
  test('that sends content for a document it was refused is closed', async () => {
    const raw = await enter()
    const refused = 'blueprint/00000000-0000-7000-8000-000000000000'
    raw.sendKey(refused, admin.key)
    const before = raw.received()
    await eventually(() => raw.received() > before)
    raw.sendAwareness(refused, new Uint8Array(100))
    raw.sendUpdate(refused, new Uint8Array(1_000_000))
    expect(await closeOf(raw)).toBe('4403 Not admitted to this document')
  })

  test('that sends content for a document it never requested is closed', async () => {
    const raw = await enter()
    raw.sendUpdate('blueprint/other', new Uint8Array(1_000_000))
    expect(await closeOf(raw)).toBe('4403 Not admitted to this document')
  })

  test('that was refused one document can keep editing another', async () => {
    await enter()
    const person = await openDocument(workspace.app, admin, id)
    const refused = openEditor({
      url: '',
      name: 'blueprint/none',
      token: admin.key,
      socket: person.provider.configuration.websocketProvider,
    })
    await eventually(() => refused.refusal() === 'permission-denied')
    refused.provider.awareness?.setLocalState({ cursor: 1 })
    person.type(0, ' there')
    await eventually(async () => (await contentOf()) === 'hello there\n')
    expect(person.closeCode()).toBeUndefined()
  })

  test('that requests a hundred documents without success is closed', async () => {
    const raw = await enter()
    for (let number = 0; number <= 101; number++) raw.sendKey(`blueprint/${number}`, admin.key)
    expect(await closeOf(raw)).toBe('4403 Not admitted to this document')
  })

  test('that sends too much awareness data is closed', async () => {
    const raw = await enter()
    raw.sendAwareness(name, new Uint8Array(100_000))
    expect(await closeOf(raw)).toBe('4413 Too large')
  })

  test.for<[string, (name: string) => Uint8Array]>([
    ['no message at all', () => Buffer.from([255, 255, 255, 1, 2, 3])],
    ['a sync message of an unknown kind', (name) => messageOf(name, 0, 99, 'what')],
    ['an update that is none', (name) => messageOf(name, 0, 2, Buffer.from([9, 9, 9, 9]))],
  ])('that sends %s is closed, with one line in the log and nothing on stderr', async ([, message]) => {
    const raw = await enter()
    lines.length = 0
    const stderr = vi.spyOn(process.stderr, 'write')
    onTestFinished(() => stderr.mockRestore())
    raw.send(message(name))
    expect(await closeOf(raw)).toBe('4400 Not a message of the hocuspocus protocol')
    await eventually(() => lines.length > 0)
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0]!).msg).not.toContain('\n')
    expect(stderr).not.toHaveBeenCalled()
  })

  test('cannot talk to other editors through the server', async () => {
    const raw = await enter()
    const person = await openDocument(workspace.app, admin, id)
    const heard: unknown[] = []
    person.provider.on('stateless', (said: unknown) => heard.push(said))
    for (const type of [5, 6]) raw.send(messageOf(name, type, '{"type":"not_stored"}'))
    raw.sendUpdate(
      name,
      updateOf((shared) => shared.getXmlFragment('default').push([new Y.XmlElement('horizontal_rule')])),
    )
    await eventually(() => person.shared.getXmlFragment('default').length === 2)
    expect(heard).toEqual([])
  })
})

test('an honest editor of the largest document is not refused', async () => {
  await enter(`${'A line of text. '.repeat(100)}\n\n`.repeat(1_200).slice(0, 1_900_000))
  const url = await listen(workspace.app)
  const person = openEditor({ url, token: admin.key, name })
  await eventually(() => person.provider.isSynced, 60_000)
  person.type(0, ' more')
  await eventually(async () => (await contentOf()).includes('text. more'), 60_000)
  expect(person.closeCode()).toBeUndefined()
})
