import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KIND_OF_TEXTS, NEVER } from './document.factory.ts'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
})
afterAll(() => ws.close())

const INVALID: [string, string, number][] = [
  ['NUL', 'one\ntwo\u0000\n', 2],
  ['another control character', 'a\u000bb', 1],
  ['the first C1 control character', 'one\n\ntwo\u0080', 3],
  ['the last C1 control character', '\u009fone\n', 1],
  ['a lone high surrogate', 'a\nb\n\ud83d\n', 3],
  ['a lone low surrogate', '\udc00', 1],
  ['an unclosed fence', 'a\n\n```js\ncode\n', 3],
  ['an unclosed comment', 'a\n\n<!-- b\n\nc\n', 3],
  ['an unclosed script', '<script>\na\n', 1],
  ['an unclosed style', 'a\n\n<style>\nb {}\n', 3],
  ['an unclosed textarea', '<textarea>\n', 1],
  ['an unclosed title', '\n<title>a\n', 2],
  ['quotes nested deeper than 100', `${'> '.repeat(101)}a`, 1],
  ['lists nested deeper than 100', `a\n\n${'- '.repeat(101)}b`, 3],
]

describe.each(KIND_OF_TEXTS)('invalid markdown in %s', (_, kind) => {
  const { path, needs } = kind
  const expectRefusal = ({ status, body, headers }: Awaited<ReturnType<Client['get']>>, line: number) => {
    expect(status).toBe(400)
    expect(headers['content-type']).toContain('application/problem+json')
    expect(body).toMatchObject({ status: 400, code: 'invalid_markdown', line })
    expect(body.reason).toMatch(/\w+/)
    expect(body.detail).toContain(String(line))
    expect(body.detail).toContain(body.reason)
  }

  it.each(INVALID)('such as %s is refused in a new document', async (_, markdown_content, line) => {
    const { total } = (await api.get(path)).body
    expectRefusal(await api.post(path, { ...needs, title: 'a', markdown_content }), line)
    expect((await api.get(path)).body.total).toBe(total)
  })

  it.each(INVALID)('such as %s is refused in new content', async (_, markdown_content, line) => {
    const { id } = await createDocument(api, kind, { markdown_content: 'Stays\n' })
    const before = await api.get(`${path}/${id}`)
    expectRefusal(await api.patch(`${path}/${id}`, { markdown_content, force_new_version: true }), line)
    const after = await api.get(`${path}/${id}`)
    expect(after.body).toEqual(before.body)
    expect((await api.get(`${path}/${id}/versions`)).body.total_count).toBe(1)
  })

  it.each(INVALID)('such as %s is refused in a suggestion', async (_, new_text) => {
    const { id } = await createDocument(api, kind, { markdown_content: 'First\n\nhere\n' })
    const before = await api.get(`${path}/${id}`)
    const { status, body } = await api.post(`${path}/${id}/apply_suggestion`, { old_text: 'here', new_text })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'invalid_markdown', line: expect.any(Number), reason: expect.any(String) })
    expect((await api.get(`${path}/${id}`)).body).toEqual(before.body)
    expect((await api.get(`${path}/${id}/suggestions`)).body.items).toEqual([])
  })

  it('is refused in a suggestion that fills an empty document', async () => {
    const { id } = await createDocument(api, kind)
    const answer = await api.post(`${path}/${id}/apply_suggestion`, { old_text: '', new_text: '```\na\n' })
    expectRefusal(answer, 1)
    expect((await api.get(`${path}/${id}`)).body.data.markdown_content).toBe('')
  })

  it('is refused before the document, its parent and If-Match are checked', async () => {
    const { id } = await createDocument(api, kind)
    const markdown_content = '```\n'
    const stale = { 'if-match': '"old"' }
    expectRefusal(await api.patch(`${path}/${id}`, { markdown_content }, stale), 1)
    expectRefusal(await api.patch(`${path}/${NEVER}`, { markdown_content }), 1)
    expectRefusal(await api.post(path, { ...needs, title: 'a', parent_id: NEVER, markdown_content }), 1)
  })

  it('is refused in the texts of a suggestion before the document and If-Match are checked', async () => {
    const { id } = await createDocument(api, kind, { markdown_content: 'here\n' })
    const stale = { 'if-match': '"old"' }
    for (const bad of ['a\nb\u0000', '\n\u0085', '\n\ud800'])
      for (const texts of [
        { old_text: bad, new_text: 'x' },
        { old_text: 'nowhere', new_text: bad },
      ]) {
        expectRefusal(await api.post(`${path}/${id}/apply_suggestion`, texts), 2)
        expectRefusal(await api.post(`${path}/${id}/apply_suggestion`, texts, stale), 2)
        expectRefusal(await api.post(`${path}/${NEVER}/apply_suggestion`, texts), 2)
      }
  })

  it('that was stored earlier does not prevent changes elsewhere in the document', async () => {
    const { id } = await createDocument(api, kind, { markdown_content: 'one\n\ntwo\n' })
    await ws.sql`update documents set markdown_content = ${'\u0085one\n\ntwo\n'} where id = ${id}`
    const suggestion = { old_text: 'two', new_text: '2' }
    const { body } = await api.post(`${path}/${id}/apply_suggestion`, suggestion)
    const accepted = await api.post(`${path}/${id}/suggestions/${body.data.change_ids[0]}/accept`)
    expect(accepted.body.data.markdown_content).toMatch(/^\u0085one\n/)
    expectRefusal(await api.patch(`${path}/${id}`, { markdown_content: '\u0085one\n' }), 1)
  })

  it.each([
    ['a fence inside a longer fence', '````\n```\n````\n'],
    ['a comment in code', '`<!--`\n\n    <script>\n'],
    ['a hundred quotes in each other', `${'> '.repeat(100)}a`],
    ['tab, LF and CR', 'a\tb\r\nc\rd\n'],
    ['surrogates in pairs', '😀\n'],
    ['CriticMarkup that nothing closes', 'a {++ b\n\nc --} d\n'],
  ])('is not %s', async (_, markdown_content) => {
    const { id } = await createDocument(api, kind)
    expect((await api.patch(`${path}/${id}`, { markdown_content })).status).toBe(200)
  })

  it('may be corrected under the same Idempotency-Key', async () => {
    const key = { 'idempotency-key': `corrected ${kind.object}` }
    expect((await api.post(path, { ...needs, title: 'a', markdown_content: '```' }, key)).status).toBe(400)
    expect((await api.post(path, { ...needs, title: 'a', markdown_content: 'b' }, key)).status).toBe(201)
  })
})
