import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KIND_OF_TEXTS, KINDS, NEVER } from './document.factory.ts'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
})
afterAll(() => ws.close())

const ODD: [string, string][] = [
  ['CRLF', 'a\r\n\r\nb\r\n'],
  ['mixed line ends', 'a\rb\nc\r\nd'],
  ['tabs', '\ta\n\n-\tb\n\t\tc\n'],
  ['trailing spaces', 'a  \nb   \n   \n'],
  ['a byte order mark', '\ufeff# a\n'],
  ['emoji and other planes', '😀👩‍👩‍👧 𝒳 \u{10ffff}\n'],
  ['text that is not normalised', 'e\u0301 \u00e9 \ufb01\n'],
  ['no final newline', '# a\n\nb'],
  ['only newlines', '\n\n\n'],
  ['separators that are no line ends', 'a\u2028b\u2029cd\u00a0e\n'],
  ['odd but valid markdown', '* a\n+ b\n1) c\n\n***\n\nSetext\n===\n\n| a |\n|:-:|\n| b |\n\n~~~ js x\n```\n~~~\n'],
  ['raw HTML, references and footnotes', '<div  a = "1">\n\n[a][b] ![c](<d e> "f") [^1]\n\n[B]: /u\n[^1]: note\n'],
  ['entities and escapes', '&copy; &#35; \\* \\\\ &nosuch;\n'],
  ['front matter', '---\ntitle:  a\n---\n\n# b\n'],
  ['text that looks like SQL or JSON', '\'"; drop table x; -- $1 \\u0041 {"a": null}\n'],
]

describe.each(KIND_OF_TEXTS)('writing %s', (_, kind) => {
  const { path } = kind
  const setUp = async (values = {}) => {
    const made = await createDocument(api, kind, values)
    const one = `${path}/${made.id}`
    const versions = async () => (await api.get(`${one}/versions`)).body
    return { made, one, versions, write: (body: unknown) => api.patch(one, body) }
  }

  it.each(ODD)('returns %s byte for byte', async (_, markdown_content) => {
    const created = await setUp({ markdown_content })
    expect((await api.get(created.one)).body.data.markdown_content).toBe(markdown_content)
    const { one, write } = await setUp()
    expect((await write({ markdown_content })).body.data.markdown_content).toBe(markdown_content)
    const { data } = (await api.get(one)).body
    expect(data.markdown_content).toBe(markdown_content)
    expect((await api.get(`${one}/versions/${data.version_id}`)).body.data.markdown_content).toBe(markdown_content)
  })

  it('makes the next version for every change', async () => {
    const { made, one, write, versions } = await setUp({ markdown_content: 'a' })
    const ids = [made.version_id]
    for (const [index, markdown_content] of ['b', '', 'a'].entries()) {
      const { status, body } = await write({ markdown_content })
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ version_number: index + 2, markdown_content })
      expect(body.data.updated_at > made.updated_at).toBe(true)
      ids.push(body.data.version_id)
    }
    expect(new Set(ids).size).toBe(4)
    expect((await versions()).items.map((item: { version_id: string }) => item.version_id)).toEqual(ids.reverse())
    expect((await api.get(one)).body.data.version_id).toBe(ids[0])
  })

  it('makes no version for identical content', async () => {
    const { one, write, versions } = await setUp({ markdown_content: 'same\n' })
    const before = await api.get(one)
    for (const more of [{}, { force_new_version: false }]) {
      const { status, body } = await write({ markdown_content: 'same\n', ...more })
      expect(status).toBe(200)
      expect(body).toEqual(before.body)
    }
    const after = await api.get(one)
    expect(after.body).toEqual(before.body)
    expect(after.headers.etag).toBe(before.headers.etag)
    expect((await versions()).total_count).toBe(1)
  })

  it('makes a version for identical content if forced', async () => {
    const { made, write, versions } = await setUp({ markdown_content: 'same' })
    const { body } = await write({ markdown_content: 'same', force_new_version: true })
    expect(body.data).toMatchObject({ version_number: 2, markdown_content: 'same' })
    expect(body.data.version_id).not.toBe(made.version_id)
    expect((await versions()).total_count).toBe(2)
  })

  it('makes a version if only a space or a line end differs', async () => {
    const { write } = await setUp({ markdown_content: 'a\n' })
    expect((await write({ markdown_content: 'a\r\n' })).body.data.version_number).toBe(2)
    expect((await write({ markdown_content: 'a \r\n' })).body.data.version_number).toBe(3)
  })

  it('accepts 2,000,000 characters, not one more', async () => {
    const { one, write } = await setUp()
    const longest = `${'x'.repeat(1_999)}\n`.repeat(1_000)
    expect((await write({ markdown_content: longest })).status).toBe(200)
    const { status, body } = await write({ markdown_content: `${longest}x` })
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe('/markdown_content')
    const { data } = (await api.get(one)).body
    expect(data.version_number).toBe(2)
    expect(data.markdown_content === longest).toBe(true)
    const created = await api.post(path, { ...kind.needs, title: 'a', markdown_content: `${longest}x` })
    expect(created.status).toBe(422)
  })

  it.each([
    ['a missing markdown_content', {}, '/markdown_content'],
    ['null', { markdown_content: null }, '/markdown_content'],
    ['a number', { markdown_content: 5 }, '/markdown_content'],
    ['force_new_version as text', { markdown_content: 'b', force_new_version: 'yes' }, '/force_new_version'],
    ['only unknown fields', { content: 'b' }, ''],
  ])('refuses %s', async (_, body, pointer) => {
    const { one, write, versions } = await setUp({ markdown_content: 'a' })
    const answer = await write(body)
    expect(answer.status).toBe(422)
    if (pointer) expect(answer.body.errors[0].pointer).toBe(pointer)
    else expect(answer.text).toContain('markdown_content')
    expect((await api.get(one)).body.data.markdown_content).toBe('a')
    expect((await versions()).total_count).toBe(1)
  })

  it('ignores unknown fields and names them', async () => {
    const { write } = await setUp()
    const { status, headers, body } = await write({ markdown_content: 'b', title: 'New' })
    expect([status, headers['x-ignored-fields'], body.data.title]).toEqual([200, 'title', 'Sign in'])
  })

  it('answers 404 for an unknown id', async () => {
    expect((await api.patch(`${path}/${NEVER}`, { markdown_content: 'a' })).status).toBe(404)
  })
})

it('the limit of a document counts characters, not bytes', async () => {
  const [, kind] = KINDS[0]!
  const markdown_content = '😀'.repeat(1_999_999)
  const { id } = await createDocument(api, kind, { markdown_content })
  expect((await api.get(`${kind.path}/${id}`)).body.data.markdown_content === markdown_content).toBe(true)
})
