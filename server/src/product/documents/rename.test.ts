import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KINDS, NEVER } from './document.factory.ts'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
})
afterAll(() => ws.close())

describe.each(KINDS)('renaming %s', (_, kind) => {
  const { path } = kind
  const setUp = async () => {
    const parent = await createDocument(api, kind, { title: 'Parent' })
    const { id } = await createDocument(api, kind, { title: 'Old', parent_id: parent.id, markdown_content: '# Old\n' })
    const one = `${path}/${id}`
    return { parent, id, one, rename: (body: unknown) => api.patch(`${one}/rename`, body) }
  }

  it('changes the title and the ETag, but neither content nor version', async () => {
    const { one, rename } = await setUp()
    const before = await api.get(one)
    const { status, body, headers } = await rename({ title: 'New' })
    expect(status).toBe(200)
    const { updated_at, ...rest } = body.data
    const { updated_at: was, ...old } = before.body.data
    expect(rest).toEqual({ ...old, title: 'New' })
    expect(updated_at > was).toBe(true)
    expect(headers.etag).not.toBe(before.headers.etag)
    const after = await api.get(one)
    expect(after.body).toEqual(body)
    expect(after.headers.etag).toBe(headers.etag)
    expect((await api.get(`${one}/versions`)).body.total_count).toBe(1)
  })

  it('shows in the parent and in the list', async () => {
    const { parent, id, rename } = await setUp()
    const title = `Renamed ${id}`
    await rename({ title })
    expect((await api.get(`${path}/${parent.id}`)).body.data.children).toEqual([{ id, document_id: id, title }])
    expect((await api.get(`${path}?title=${encodeURIComponent(title)}`)).body.items).toMatchObject([{ id, title }])
  })

  it('to the same title changes nothing', async () => {
    const { one, rename } = await setUp()
    const before = await api.get(one)
    expect((await rename({ title: 'Old' })).body).toEqual(before.body)
    expect((await api.get(one)).headers.etag).toBe(before.headers.etag)
  })

  it('refuses to replace a title that the sender has not seen, and names both', async () => {
    const { one, rename } = await setUp()
    expect((await rename({ title: 'Theirs', expected_title: 'Old' })).status).toBe(200)
    const refused = await rename({ title: 'Mine', expected_title: 'Old' })
    expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed'])
    expect(refused.body.detail).toContain('The title is "Theirs" now, not "Old".')
    expect((await api.get(one)).body.data.title).toBe('Theirs')
    // The answer of an earlier attempt may be lost.
    expect((await rename({ title: 'Theirs', expected_title: 'Old' })).status).toBe(200)
    expect((await rename({ title: 'Mine', expected_title: 'Theirs' })).body.data.title).toBe('Mine')
  })

  it('accepts 1 to 500 characters and titles that other documents have', async () => {
    const { rename } = await setUp()
    for (const title of ['x', '😀'.repeat(500), 'Parent']) {
      const { status, body } = await rename({ title })
      expect([status, body.data.title]).toEqual([200, title])
    }
  })

  it.each([
    ['no title', {}],
    ['an empty one', { title: '' }],
    ['a blank one', { title: ' \n' }],
    ['501 characters', { title: 'x'.repeat(501) }],
    ['null', { title: null }],
    ['a number', { title: 1 }],
    ['NUL', { title: 'a\u0000' }],
    ['a lone surrogate', { title: '\udfff' }],
    ['only unknown fields', { name: 'New' }],
  ])('refuses %s', async (_, body) => {
    const { one, rename } = await setUp()
    const answer = await rename(body)
    expect(answer.status).toBe(422)
    expect(answer.text).toContain('title')
    expect((await api.get(one)).body.data.title).toBe('Old')
  })

  it('increases updated_at even if the rename waits for a write', async () => {
    const { id, one } = await setUp()
    const answers = await Promise.all([
      ...['a', 'b', 'c', 'd'].map((markdown_content) => api.patch(one, { markdown_content })),
      ...['e', 'f', 'g', 'h'].map((title) => api.patch(`${one}/rename`, { title })),
    ])
    const latest = answers.map((answer) => answer.body.data.updated_at as string).sort()
    expect((await api.get(`${path}/${id}`)).body.data.updated_at).toBe(latest.at(-1))
    expect(new Set(latest).size).toBe(latest.length)
  })

  it('answers 404 for an unknown id', async () => {
    expect((await api.patch(`${path}/${NEVER}/rename`, { title: 'a' })).status).toBe(404)
  })
})
