import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { createDocument, KIND_OF_TEXTS, NEVER } from './document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
})
afterAll(() => ws.close())

describe.each(KIND_OF_TEXTS)('the ETag of %s', (_, kind) => {
  const { path } = kind
  const setUp = async () => {
    const { api } = project.admin
    const parent = await createDocument(api, kind, { title: 'Parent' })
    const { id } = await createDocument(api, kind, { parent_id: parent.id, markdown_content: 'one\ntwo {++3++}\n' })
    const child = await createDocument(api, kind, { title: 'Child', parent_id: id })
    const one = `${path}/${id}`
    const etag = async (query = '') => (await api.get(one + query)).headers.etag!
    return { api, parent: parent.id, id, child: child.id, one, etag }
  }
  type Setting = Awaited<ReturnType<typeof setUp>>

  const CHANGES: [string, (setting: Setting) => Promise<{ status: number } | unknown>][] = [
    ['the content', ({ api, one }) => api.patch(one, { markdown_content: 'new' })],
    [
      'a forced version',
      ({ api, one }) => api.patch(one, { markdown_content: 'one\ntwo {++3++}\n', force_new_version: true }),
    ],
    ['the title', ({ api, one }) => api.patch(`${one}/rename`, { title: 'New' })],
    ['the parent', ({ api, one }) => api.put(`${one}/move`, { parent_id: null })],
    ['the title of a child', ({ api, child }) => api.patch(`${path}/${child}/rename`, { title: 'New' })],
    ['a new child', ({ api, id }) => createDocument(api, kind, { parent_id: id })],
    ['a child that goes', ({ api, child }) => api.delete(`${path}/${child}`)],
    ['a child that moves away', ({ api, child }) => api.put(`${path}/${child}/move`, { parent_id: null })],
    ['a suggestion', ({ api, one }) => api.post(`${one}/apply_suggestion`, { old_text: 'one', new_text: '1' })],
    ['an accepted one', ({ api, one }) => api.post(`${one}/suggestions/accept_all`)],
    [
      'a connection',
      ({ api, id }) => createWorkOrder(api, { connectedContext: [{ resourceType: kind.object, resourceId: id }] }),
    ],
  ]

  it('is strong and does not change while the document does not', async () => {
    const { etag } = await setUp()
    const first = await etag()
    expect(first).toMatch(/^"[^"]+"$/)
    expect(await etag()).toBe(first)
  })

  it.each(CHANGES)('changes with %s', async (_, act) => {
    const setting = await setUp()
    const before = await setting.etag()
    await act(setting)
    expect(await setting.etag()).not.toBe(before)
  })

  it('differs for a range of lines or another view, which If-Match still accepts', async () => {
    const { api, one, etag } = await setUp()
    const tags = [
      await etag(),
      await etag('?start_line=2'),
      await etag('?end_line=1'),
      await etag('?suggestions=accepted'),
    ]
    expect(new Set(tags).size).toBe(4)
    expect((await api.get(`${one}?start_line=2`, { 'if-none-match': tags[1]! })).status).toBe(304)
    expect((await api.get(`${one}?start_line=2`, { 'if-none-match': tags[0]! })).status).toBe(200)
    const headers = { 'if-match': tags[1]! }
    expect((await api.patch(one, { markdown_content: 'new' }, headers)).status).toBe(200)
    expect((await api.patch(one, { markdown_content: 'late' }, headers)).status).toBe(412)
  })

  it.each([
    ['the tag', (tag: string) => tag],
    ['a list with the tag', (tag: string) => `"other", ${tag}`],
    ['the tag as a weak one', (tag: string) => `W/${tag}`],
    ['anything', () => '*'],
  ])('in If-None-Match as %s gives 304 without a body', async (_, header) => {
    const { api, one, etag } = await setUp()
    const tag = await etag()
    const { status, text, headers } = await api.get(one, { 'if-none-match': header(tag) })
    expect([status, text, headers.etag]).toEqual([304, '', tag])
  })

  const WRITES: [string, (setting: Setting, headers: Record<string, string>) => Promise<{ status: number }>][] = [
    ['PATCH', ({ api, one }, headers) => api.patch(one, { markdown_content: 'x' }, headers)],
    ['rename', ({ api, one }, headers) => api.patch(`${one}/rename`, { title: 'x' }, headers)],
    ['move', ({ api, one }, headers) => api.put(`${one}/move`, { parent_id: null }, headers)],
    ['DELETE', ({ api, one }, headers) => api.delete(one, headers)],
  ]

  it.each(WRITES)('allows a %s only on the state it names', async (_, act) => {
    const setting = await setUp()
    const { api, one, etag } = setting
    const before = await api.get(one)
    for (const stale of ['"old"', `W/${before.headers.etag}`, 'nonsense']) {
      const answer = await act(setting, { 'if-match': stale })
      expect(answer).toMatchObject({
        status: 412,
        body: {
          code: 'precondition_failed',
          current_etag: before.headers.etag,
          version_id: before.body.data.version_id,
        },
      })
    }
    expect((await api.get(one)).body).toEqual(before.body)
    expect((await act(setting, { 'if-match': `"other", ${await etag()}` })).status).toBeLessThan(300)
  })

  it('is checked after the resources that a write names, and before its conflicts', async () => {
    const { api, one, child } = await setUp()
    const stale = { 'if-match': '"old"' }
    const workOrder = await createWorkOrder(api)
    const answers = [
      await api.put(`${one}/move`, { parent_id: NEVER }, stale),
      await api.put(`${one}/move`, { parent_id: workOrder.id }, stale),
      await api.put(`${one}/move`, { parent_id: child }, stale),
      await api.post(`${one}/versions/${NEVER}/restore`, undefined, stale),
      await api.post(`${one}/suggestions/${NEVER}/accept`, undefined, stale),
      await api.post(`${one}/apply_suggestion`, { old_text: '', new_text: 'x' }, stale),
      await api.post(`${one}/apply_suggestion`, { old_text: 'nowhere', new_text: 'x' }, stale),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 422, 412, 404, 404, 422, 412])
  })

  it('is part of the answer to every write', async () => {
    const { api, one, etag } = await setUp()
    for (const answer of [
      await api.patch(one, { markdown_content: 'x' }),
      await api.patch(`${one}/rename`, { title: 'x' }),
      await api.put(`${one}/move`, { parent_id: null }),
    ])
      expect(answer.headers.etag).toBeDefined()
    expect((await api.put(`${one}/move`, { position: 0 })).headers.etag).toBe(await etag())
  })

  it('matches any existing document as *', async () => {
    const { api, one } = await setUp()
    const any = { 'if-match': '*' }
    expect((await api.patch(one, { markdown_content: 'x' }, any)).status).toBe(200)
    expect((await api.delete(one, any)).status).toBe(204)
    expect((await api.delete(one, any)).status).toBe(404)
  })
})
