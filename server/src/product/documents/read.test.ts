import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { createDocument, KINDS, NEVER } from './document.factory.ts'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
})
afterAll(() => ws.close())

const FIVE = 'one\ntwo\n\nfour\nfive\n'

describe.each(KINDS)('reading %s', (_, kind) => {
  const { path } = kind
  const written = async (markdown_content: string) => {
    const { id } = await createDocument(api, kind, { markdown_content })
    const content = async (query: string) => {
      const { status, body } = await api.get(`${path}/${id}?${query}`)
      expect(status).toBe(200)
      return body.data.markdown_content
    }
    return { id, one: `${path}/${id}`, content }
  }

  it.each([
    ['', FIVE],
    ['start_line=1', FIVE],
    ['start_line=4', 'four\nfive\n'],
    ['start_line=5', 'five\n'],
    ['end_line=1', 'one\n'],
    ['end_line=3', 'one\ntwo\n\n'],
    ['start_line=2&end_line=4', 'two\n\nfour\n'],
    ['start_line=3&end_line=3', '\n'],
    ['start_line=4&end_line=999999999', 'four\nfive\n'],
    ['end_line=6', FIVE],
    ['start_line=6', ''],
    ['start_line=999999999', ''],
    ['start_line=4&end_line=9007199254740991', 'four\nfive\n'],
    ['start_line=9007199254740991', ''],
    ['start_line=&end_line=', FIVE],
    ['start_line=null&end_line=null', FIVE],
    ['start_line=&end_line=2', 'one\ntwo\n'],
    ['start_line=4&end_line=null', 'four\nfive\n'],
  ])('with "%s" returns these lines', async (query, expected) => {
    const { content } = await written(FIVE)
    expect(await content(query)).toBe(expected)
  })

  it.each([
    ['a\r\nb\r\nc', 'start_line=2&end_line=2', 'b\r\n'],
    ['a\r\nb\r\nc', 'start_line=3', 'c'],
    ['a\rb\nc', 'end_line=1', 'a\rb\n'],
    ['a\u2028b\u2029c\nd', 'end_line=1', 'a\u2028b\u2029c\n'],
    ['only', 'start_line=1&end_line=1', 'only'],
    ['only', 'start_line=2', ''],
    ['a\n\n', 'start_line=2', '\n'],
    ['a\n\n', 'start_line=3', ''],
    ['', 'start_line=1', ''],
    ['', 'start_line=1&end_line=1', ''],
    ['', 'end_line=1', ''],
  ])('counts lines by LF alone: %j with "%s"', async (markdown, query, expected) => {
    const { content } = await written(markdown)
    expect(await content(query)).toBe(expected)
  })

  it.each([
    ['start_line=3&end_line=2', '/start_line'],
    ['start_line=0', '/start_line'],
    ['start_line=-1', '/start_line'],
    ['start_line=one', '/start_line'],
    ['start_line=1.5', '/start_line'],
    ['end_line=0', '/end_line'],
    ['end_line=-1', '/end_line'],
    ['end_line=1e3', '/end_line'],
    ['suggestions=all', '/suggestions'],
  ])('refuses "%s"', async (query, pointer) => {
    const { one } = await written(FIVE)
    for (const where of [one, `${path}/${NEVER}`]) {
      const { status, body } = await api.get(`${where}?${query}`)
      expect(status).toBe(422)
      expect(body.errors[0].pointer).toMatch(query.includes('&') ? /_line$/ : pointer)
    }
  })

  it('returns only the requested lines, with the version and title of the document', async () => {
    const { one } = await written(FIVE)
    const [whole, part] = [await api.get(one), await api.get(`${one}?end_line=1`)]
    expect(part.body.data).toEqual({ ...whole.body.data, markdown_content: 'one\n' })
  })

  it('shows pending changes inline, accepted or rejected', async () => {
    const { one, content } = await written('The old way.\n\nStays.\n')
    await api.post(`${one}/apply_suggestion`, { old_text: 'old', new_text: 'new' })
    expect(await content('')).toBe('The {--old--}{++new++} way.\n\nStays.\n')
    expect(await content('suggestions=inline')).toBe('The {--old--}{++new++} way.\n\nStays.\n')
    expect(await content('suggestions=accepted')).toBe('The new way.\n\nStays.\n')
    expect(await content('suggestions=rejected')).toBe('The old way.\n\nStays.\n')
  })

  it('counts the lines of the requested view', async () => {
    const { one, content } = await written('first\nlast\n')
    await api.post(`${one}/apply_suggestion`, { old_text: 'first\n', new_text: 'one\ntwo\nthree\n' })
    expect(await content('suggestions=accepted&start_line=2&end_line=3')).toBe('two\nthree\n')
    expect(await content('suggestions=rejected&start_line=2')).toBe('last\n')
  })

  it('answers 404 for an unknown id', async () => {
    const { status, body } = await api.get(`${path}/${NEVER}`)
    expect(status).toBe(404)
    expect(body.code).toBe('not_found')
    expect(body.detail).toContain(NEVER)
  })

  it('returns the current state of a document that was read before, whatever changed it', async () => {
    const { id, one } = await written(FIVE)
    const read = async () => (await api.get(one)).body.data
    const first = await read()
    expect(await read()).toEqual(first)
    await api.patch(one, { markdown_content: 'New.' })
    expect((await read()).markdown_content).toBe('New.')
    await api.patch(`${one}/rename`, { title: 'Sign out' })
    expect((await read()).title).toBe('Sign out')
    const child = await createDocument(api, kind, { parent_id: id })
    const children = async () => (await read()).children.map(({ title }: { title: string }) => title)
    expect(await children()).toEqual(['Sign in'])
    await api.patch(`${path}/${child.id}/rename`, { title: 'Renamed' })
    expect(await children()).toEqual(['Renamed'])
    await api.delete(`${path}/${child.id}`)
    expect(await children()).toEqual([])
    await createWorkOrder(api, { connectedContext: [{ resourceType: kind.object, resourceId: id }] })
    expect((await read()).connectedContext).toHaveLength(1)
    await api.delete(one)
    expect((await api.get(one)).status).toBe(404)
  })

  it('does not find documents of another kind or of another project', async () => {
    const { id, one } = await written(FIVE)
    await api.get(one)
    const other = KINDS.find(([, { path }]) => path !== kind.path)![1]
    expect((await api.get(`${other.path}/${id}`)).status).toBe(404)
    const stranger = await ws.project()
    expect((await stranger.admin.api.get(one)).status).toBe(404)
  })

  it('sends a long document in pieces, as it was written', async () => {
    const long = 'A line with "quotes" and 🚀.\n\n'.repeat(6_000)
    const { one } = await written(long)
    const { version_id } = (await api.get(one)).body.data
    const etags = new Set<unknown>()
    for (const path of [one, `${one}?suggestions=accepted`, `${one}/versions/${version_id}`]) {
      const { body, headers } = await api.get(path)
      expect(body.data.markdown_content).toBe(long)
      expect([headers['transfer-encoding'], headers['content-length']]).toEqual(['chunked', undefined])
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      etags.add(headers.etag)
    }
    expect(etags.size).toBe(3)
    expect(await api.head(one)).toMatchObject({ status: 200 })
    const { headers } = await api.get(one)
    expect((await api.get(one, { 'if-none-match': String(headers.etag) })).status).toBe(304)
    const restore = () => api.post(`${one}/versions/${version_id}/restore`, {}, { 'idempotency-key': 'again' })
    const [first, again] = [await restore(), await restore()]
    expect(first.body.data.markdown_content).toBe(long)
    expect(again.body).toEqual(first.body)
  })
})
