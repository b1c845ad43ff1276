import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { createDocument, KINDS, NEVER, OVERVIEW, outlineOf } from './document.factory.ts'

let ws: Workspace
let shared: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  ws = await openWorkspace()
  shared = await ws.project()
})
afterAll(() => ws.close())

describe.each(KINDS)('creating %s', (_, kind) => {
  const { path, needs, tree } = kind
  const roots = (...titles: string[]) => [...(tree === 'OVERVIEW' ? [OVERVIEW] : []), ...titles].join(' ')

  const setUp = async () => {
    const { api } = shared.admin
    const post = (body: unknown) => api.post(path, body)
    const refused = async (body: unknown, expected: number) => {
      const { total } = (await api.get(path)).body
      const answer = await post(body)
      expect(answer.status).toBe(expected)
      expect(answer.headers['content-type']).toContain('application/problem+json')
      expect((await api.get(path)).body.total).toBe(total)
      return answer.body
    }
    return { api, post, refused }
  }

  it('adds the document as the last root, or as the last child of its parent', async () => {
    const project = await ws.project()
    const { api } = project.admin
    const a = await createDocument(api, kind, { title: 'a' })
    await createDocument(api, kind, { title: 'b' })
    const c = await createDocument(api, kind, { title: 'c', parent_id: a.id })
    await createDocument(api, kind, { title: 'd', parent_id: a.id.toUpperCase() })
    await createDocument(api, kind, { title: 'e', parent_id: c.id })
    await createDocument(api, kind, { title: 'f', parent_id: null })
    expect(await outlineOf(ws.sql, project.id, tree)).toBe(roots('a(c(e) d)', 'b', 'f'))
    const { data } = (await api.get(`${path}/${a.id}`)).body
    expect(data.children.map((child: { title: string }) => child.title)).toEqual(['c', 'd'])
  })

  it('makes an empty document without markdown_content', async () => {
    const { api } = await setUp()
    const made = await createDocument(api, kind)
    expect([made.markdown_content, made.version_number]).toEqual(['', 1])
  })

  it('keeps the title as it was sent', async () => {
    const { api } = await setUp()
    for (const title of ['x', ' two  spaces ', '# not a heading', '😀'.repeat(500), 'a\tb', '<b>&amp;</b>'])
      expect((await createDocument(api, kind, { title })).title).toBe(title)
  })

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['blank', ' \t '],
    ['of 501 characters', 'x'.repeat(501)],
    ['null', null],
    ['a number', 5],
    ['with NUL', 'a\u0000b'],
    ['with another control character', 'a\u0007b'],
    ['with a lone surrogate', 'a\ud800b'],
  ])('refuses a title that is %s', async (_, title) => {
    const { refused } = await setUp()
    const body = await refused({ ...needs, title }, 422)
    expect(body.errors[0].pointer).toBe('/title')
  })

  it.each([
    ['markdown_content', 5],
    ['markdown_content', null],
    ['parent_id', 'abc'],
    ['parent_id', 5],
  ])('refuses %s of %j', async (field, value) => {
    const { refused } = await setUp()
    const body = await refused({ ...needs, title: 'a', [field]: value }, 422)
    expect(body.errors[0].pointer).toBe(`/${field}`)
  })

  it('refuses an unknown parent and a parent in another project with the same text', async () => {
    const { refused } = await setUp()
    const foreign = await createDocument((await ws.project()).admin.api, kind)
    const details = []
    for (const parent_id of [NEVER, foreign.id]) {
      const body = await refused({ ...needs, title: 'a', parent_id }, 404)
      expect(body).toMatchObject({ code: 'not_found', errors: [{ pointer: '/parent_id' }] })
      expect(body.detail).toContain(`"${parent_id}"`)
      details.push(body.detail.replace(parent_id, ''))
    }
    expect(details[0]).toBe(details[1])
  })

  it('refuses a parent of another kind', async () => {
    const { api, refused } = await setUp()
    const other = KINDS.find(([, one]) => one.path !== path)![1]
    const strange = [(await createDocument(api, other)).id, (await createWorkOrder(api)).id]
    for (const parent_id of strange) {
      const body = await refused({ ...needs, title: 'a', parent_id }, 422)
      expect(body.errors[0].pointer).toBe('/parent_id')
      expect(body.detail).toContain(parent_id)
    }
  })

  it('ignores unknown fields and names them', async () => {
    const { post } = await setUp()
    const { status, headers } = await post({ ...needs, title: 'a', color: 'red', version_number: 7 })
    expect(status).toBe(201)
    expect(headers['x-ignored-fields']!.split(/, ?/).sort()).toEqual(['color', 'version_number'])
  })

  it.each(['', '{"title":', 'title=a'])('refuses %j, which is not JSON', async (text) => {
    const { refused } = await setUp()
    await refused(text, 400)
  })

  it.each([[[]], ['"a"'], ['null']])('refuses %j, which is not an object', async (body) => {
    const { refused } = await setUp()
    await refused(body, 422)
  })

  it('creates one document for one Idempotency-Key', async () => {
    const { api } = await setUp()
    const body = { ...needs, title: 'Once' }
    const { total } = (await api.get(path)).body
    const first = await api.post(path, body, { 'idempotency-key': `once ${kind.object}` })
    const again = await api.post(path, body, { 'idempotency-key': `once ${kind.object}` })
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(again.headers['idempotency-replayed']).toBe('true')
    expect((await api.get(path)).body.total).toBe(total + 1)
  })
})
