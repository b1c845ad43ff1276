import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KIND_OF_TEXTS, NEVER } from './document.factory.ts'

let ws: Workspace
let admin: Member
let editor: Member
beforeAll(async () => {
  ws = await openWorkspace()
  const project = await ws.project()
  admin = project.admin
  editor = await project.join('editor')
})
afterAll(() => ws.close())

interface Item {
  id: string
  kind: string
  text: string
  created_by_name: string
  created_at: string
}

describe.each(KIND_OF_TEXTS)('reviewing %s', (_, kind) => {
  const { path } = kind
  const setUp = async (markdown_content = 'one two three\n') => {
    const { api } = admin
    const { id } = await createDocument(api, kind, { markdown_content })
    const one = `${path}/${id}`
    const suggest = async (old_text: string, new_text: string): Promise<string[]> =>
      (await api.post(`${one}/apply_suggestion`, { old_text, new_text })).body.data.change_ids
    const settle = (changeId: string, verdict: string, by = admin) =>
      by.api.post(`${one}/suggestions/${changeId}/${verdict}`)
    const settleAll = (verdict: string, headers = {}) =>
      api.post(`${one}/suggestions/${verdict}_all`, undefined, headers)
    const pending = async () => (await api.get(`${one}/suggestions`)).body.items as Item[]
    const write = (markdown: string, by = admin) => by.api.patch(one, { markdown_content: markdown })
    const detail = async () => (await api.get(one)).body.data
    return { api, one, suggest, settle, settleAll, pending, write, detail }
  }

  it('accepts or rejects one change and leaves the others pending', async () => {
    const { api, one, suggest, settle, pending, detail } = await setUp()
    const [del, ins] = await suggest('one', '1')
    const rest = await suggest('three', '3')
    const accepted = await settle(ins!, 'accept', editor)
    expect(accepted.status).toBe(200)
    expect(accepted.body.data).toMatchObject({
      markdown_content: '{--one--}1 two {--three--}{++3++}\n',
      version_number: 4,
    })
    expect((await pending()).map((item) => item.id)).toEqual([del, ...rest])
    const rejected = await settle(del!, 'reject')
    expect(rejected.body.data.markdown_content).toBe('one1 two {--three--}{++3++}\n')
    expect((await pending()).map((item) => item.id)).toEqual(rest)
    const { items } = (await api.get(`${one}/versions`)).body
    expect(items.map((item: { version_number: number }) => item.version_number)).toEqual([5, 4, 3, 2, 1])
    expect(items[1].attribution.user_id).toBe(editor.userId)
    expect(await detail()).toEqual(rejected.body.data)
  })

  it.each([
    ['accept', 'deletion', 'a  c\n'],
    ['reject', 'deletion', 'a b c\n'],
    ['accept', 'insertion', 'a x c\n'],
    ['reject', 'insertion', 'a  c\n'],
  ])('%ss a single %s', async (verdict, change, expected) => {
    const { write, settle, pending } = await setUp()
    await write(change === 'deletion' ? 'a {--b--} c\n' : 'a {++x++} c\n')
    const [item] = await pending()
    expect((await settle(item!.id, verdict)).body.data.markdown_content).toBe(expected)
    expect(await pending()).toEqual([])
  })

  it('accepting all gives the replaced text, rejecting all restores every byte', async () => {
    const source = '\ufeffone\ttwo  \r\n\r\n> three\r\n\r\nend'
    for (const [verdict, expected] of [
      ['accept', source.replace('one', '1').replace('three', '3\r\n> 4').replace('end', '')],
      ['reject', source],
    ] as const) {
      const { suggest, settleAll, pending, detail } = await setUp(source)
      await suggest('one', '1')
      await suggest('three', '3\r\n> 4')
      await suggest('end', '')
      const { version_number } = await detail()
      const { status, body, headers } = await settleAll(verdict)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ markdown_content: expected, version_number: version_number + 1 })
      expect(headers.etag).toBeDefined()
      expect(await pending()).toEqual([])
    }
  })

  it('of all changes is 200 and does nothing if none is pending', async () => {
    const { one, api, settleAll } = await setUp()
    const before = await api.get(one)
    for (const verdict of ['accept', 'reject']) {
      const { status, body } = await settleAll(verdict)
      expect(status).toBe(200)
      expect(body).toEqual(before.body)
    }
    expect((await api.get(`${one}/versions`)).body.total_count).toBe(1)
  })

  it.each([
    ['accept', '1 two {--three--}{++3++}\n'],
    ['reject', 'one two {--three--}{++3++}\n'],
  ])('%ss the named changes in one version, as far as they are pending', async (verdict, expected) => {
    const { api, one, suggest, pending } = await setUp()
    const named = await suggest('one', '1')
    const rest = await suggest('three', '3')
    const settle = (change_ids: unknown) => api.post(`${one}/suggestions/${verdict}_all`, { change_ids })
    const { status, body } = await settle([NEVER, named[1]!.toUpperCase(), named[0]])
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ markdown_content: expected, version_number: 4 })
    expect((await pending()).map((item) => item.id)).toEqual(rest)
    expect((await settle(named)).status).toBe(404)
    for (const wrong of [[], null, ['abc'], rest[0]]) expect((await settle(wrong)).status).toBe(422)
    expect(await pending()).toHaveLength(2)
  })

  it('answers 404 for a change that is settled or belongs to another document', async () => {
    const { suggest, settle } = await setUp()
    const [del] = await suggest('one', '1')
    const other = await setUp()
    const [theirs] = await other.suggest('one', '1')
    expect((await settle(del!, 'accept')).status).toBe(200)
    for (const id of [del!, theirs!, NEVER])
      for (const verdict of ['accept', 'reject']) expect((await settle(id, verdict)).status).toBe(404)
    expect((await settle('abc', 'accept')).status).toBe(422)
    expect(await other.pending()).toHaveLength(2)
  })

  it('lets exactly one of two reviewers settle a change', async () => {
    const { suggest, settle, pending } = await setUp()
    const [del] = await suggest('one', '1')
    const answers = await Promise.all([settle(del!, 'accept'), settle(del!, 'reject', editor)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 404])
    expect(await pending()).toHaveLength(1)
  })

  it('settles the named change among identical ones', async () => {
    const { api, one, settle, pending } = await setUp('cat cat cat\n')
    const answer = await api.post(`${one}/apply_suggestion`, { old_text: 'cat', new_text: 'dog', replace_all: true })
    const [del, ins, ...rest] = answer.body.data.change_ids as string[]
    await settle(ins!, 'accept')
    await settle(del!, 'accept')
    expect((await pending()).map((item) => item.id)).toEqual(rest)
    expect((await settle(rest[3]!, 'accept')).body.data.markdown_content).toBe('dog {--cat--}{++dog++} {--cat--}dog\n')
    expect((await pending()).map((item) => item.id)).toEqual(rest.slice(0, 3))
  })

  it('refuses a result that a client could not send back', async () => {
    const { write, settle, settleAll, pending, detail } = await setUp()
    await write('a\n\n{++```++}\nb\n\n{++```++}\n')
    const before = await detail()
    const [opening] = await pending()
    const { status, body } = await settle(opening!.id, 'accept')
    expect([status, body.code]).toEqual([400, 'invalid_markdown'])
    expect(await detail()).toEqual(before)
    expect((await settleAll('accept')).body.data.markdown_content).toBe('a\n\n```\nb\n\n```\n')
  })

  it('respects If-Match', async () => {
    const { one, api, suggest, settleAll } = await setUp()
    const [del] = await suggest('one', '1')
    const stale = { 'if-match': '"old"' }
    expect((await settleAll('accept', stale)).status).toBe(412)
    expect((await api.post(`${one}/suggestions/${del}/accept`, undefined, stale)).status).toBe(412)
    const { headers } = await api.get(one)
    expect((await settleAll('accept', { 'if-match': headers.etag! })).status).toBe(200)
  })

  it('keeps id, author and time of a change when a client writes back what it read', async () => {
    const { suggest, pending, write, detail } = await setUp()
    await suggest('two', '2')
    const before = await pending()
    const { markdown_content, version_number } = await detail()
    await write(markdown_content, editor)
    expect((await detail()).version_number).toBe(version_number)
    await write(`New first line.\n\n${markdown_content}`, editor)
    expect(await pending()).toEqual(before)
  })

  it('drops a change that a write leaves out, and keeps the other', async () => {
    const { suggest, pending, write } = await setUp()
    await suggest('one', '')
    const [kept] = await suggest('three', '')
    await write('one two {--three--}\n')
    expect((await pending()).map((item) => item.id)).toEqual([kept])
  })

  it('treats new CriticMarkup as pending changes by the author of the write', async () => {
    const { write, pending, settleAll } = await setUp()
    await write('one {++two ++}{--three--}\n', editor)
    expect(await pending()).toMatchObject([
      { kind: 'insertion', text: 'two ', created_by_name: editor.name },
      { kind: 'deletion', text: 'three', created_by_name: editor.name },
    ])
    expect((await settleAll('accept')).body.data.markdown_content).toBe('one two \n')
  })

  it('treats CriticMarkup in a new document as pending changes', async () => {
    const { pending, settle } = await setUp('a {--b--}{++c++}\n')
    const items = await pending()
    expect(items.map((item) => [item.kind, item.text])).toEqual([
      ['deletion', 'b'],
      ['insertion', 'c'],
    ])
    expect((await settle(items[1]!.id, 'accept')).body.data.markdown_content).toBe('a {--b--}c\n')
  })

  it.each([
    ['a fence', '```\n{++a++}\n```\n'],
    ['indented code', 'a\n\n    {--b--}\n'],
    ['a code span', 'a `{++b++}` c\n'],
    ['an escape', 'a \\{++b++}\n'],
  ])('leaves CriticMarkup in %s alone', async (_, markdown) => {
    const { write, pending, settleAll, api, one } = await setUp()
    await write(markdown)
    expect(await pending()).toEqual([])
    for (const verdict of ['accept', 'reject'])
      expect((await settleAll(verdict)).body.data.markdown_content).toBe(markdown)
    expect((await api.get(`${one}?suggestions=accepted`)).body.data.markdown_content).toBe(markdown)
  })

  it('lists changes in the order of the text, not of their creation', async () => {
    const { suggest, pending } = await setUp('a b c d\n')
    for (const word of ['c', 'a', 'd', 'b']) await suggest(word, '')
    expect((await pending()).map((item) => item.text)).toEqual(['a', 'b', 'c', 'd'])
  })
})
