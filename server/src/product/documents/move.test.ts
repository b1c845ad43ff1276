import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { createDocument, KINDS, NEVER, outlineOf, plant } from './document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
})
afterAll(() => ws.close())

describe.each(KINDS)('moving %s', (_, kind) => {
  const { path } = kind

  /** Creates the documents below one root, so that the documents of a new project do not interfere. */
  const setUp = async (forest = 'a(b(c d e) f) g h') => {
    const { api } = project.admin
    const root = await createDocument(api, kind, { title: 'root' })
    const ids = await plant(forest, (title, parentId = root.id) =>
      createDocument(api, kind, { title, parent_id: parentId }),
    )
    const id = (name: string) => ids[name] ?? name
    const move = (name: string, { parent, ...body }: Record<string, unknown> = {}) =>
      api.put(`${path}/${id(name)}/move`, {
        ...(parent === undefined ? {} : { parent_id: parent === 'root' ? root.id : parent && id(parent as string) }),
        ...body,
      })
    const forestNow = () => outlineOf(ws.sql, project.id, kind.tree, root.id)
    return { api, id, move, forestNow }
  }

  it.each<[string, Record<string, unknown>, string]>([
    ['h', { position: 0 }, 'h a(b(c d e) f) g'],
    ['h', { position: 1 }, 'a(b(c d e) f) h g'],
    ['a', { position: 1 }, 'g a(b(c d e) f) h'],
    ['a', { position: 2 }, 'g h a(b(c d e) f)'],
    ['a', { position: 99 }, 'g h a(b(c d e) f)'],
    ['a', { position: 0 }, 'a(b(c d e) f) g h'],
    ['a', { parent: 'root' }, 'g h a(b(c d e) f)'],
    ['c', { position: 2 }, 'a(b(d e c) f) g h'],
    ['d', { position: 0 }, 'a(b(d c e) f) g h'],
    ['g', { parent: 'b', position: 0 }, 'a(b(g c d e) f) h'],
    ['g', { parent: 'b', position: 2 }, 'a(b(c d g e) f) h'],
    ['g', { parent: 'b', position: 3 }, 'a(b(c d e g) f) h'],
    ['g', { parent: 'b', position: 1_000_000 }, 'a(b(c d e g) f) h'],
    ['g', { parent: 'b', position: Number.MAX_SAFE_INTEGER }, 'a(b(c d e g) f) h'],
    ['g', { parent: 'b' }, 'a(b(c d e g) f) h'],
    ['g', { parent: 'f' }, 'a(b(c d e) f(g)) h'],
    ['b', { parent: 'root', position: 1 }, 'a(f) b(c d e) g h'],
    ['b', { parent: 'h' }, 'a(f) g h(b(c d e))'],
    ['c', { parent: 'a', position: 0 }, 'a(c b(d e) f) g h'],
    ['b', { parent: 'a', position: 1 }, 'a(f b(c d e)) g h'],
  ])('%s with %j results in %s', async (name, body, expected) => {
    const { move, forestNow } = await setUp()
    expect((await move(name, body)).status).toBe(200)
    expect(await forestNow()).toBe(expected)
  })

  it('returns the new parent, and both parents list their children in order', async () => {
    const { api, id, move } = await setUp()
    const before = await api.get(`${path}/${id('c')}`)
    const { status, body, headers } = await move('c', { parent: 'a', position: 1 })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ id: id('c'), parent_id: id('a'), version_number: 1 })
    expect(body.data.version_id).toBe(before.body.data.version_id)
    expect(headers.etag).not.toBe(before.headers.etag)
    expect((await api.get(`${path}/${id('c')}`)).body).toEqual(body)
    const titles = async (name: string) =>
      (await api.get(`${path}/${id(name)}`)).body.data.children.map((child: { title: string }) => child.title)
    expect([await titles('a'), await titles('b')]).toEqual([
      ['b', 'c', 'f'],
      ['d', 'e'],
    ])
  })

  it("ignores the case of the parent's id", async () => {
    const { id, move, forestNow } = await setUp()
    expect((await move('c', { parent_id: id('b').toUpperCase() })).body.data.parent_id).toBe(id('b'))
    expect(await forestNow()).toBe('a(b(d e c) f) g h')
    await move('g', { parent_id: id('b').toUpperCase(), position: 1 })
    expect(await forestNow()).toBe('a(b(d g e c) f) h')
  })

  it('to the root takes null as the parent', async () => {
    const { api, id, move, forestNow } = await setUp()
    const { status, body } = await move('b', { parent: null })
    expect([status, body.data.parent_id, body.data.children.length]).toEqual([200, null, 3])
    expect((await api.get(`${path}/${id('c')}`)).body.data.parent_id).toBe(id('b'))
    await move('b', { parent: 'root', position: 0 })
    expect(await forestNow()).toBe('b(c d e) a(f) g h')
  })

  it('can put a root first, in the middle or last', async () => {
    const { move } = await setUp('a b')
    const roots = () => outlineOf(ws.sql, project.id, kind.tree)
    await move('a', { parent: null })
    await move('b', { parent: null })
    expect(await roots()).toMatch(/ a b$/)
    await move('b', { position: 0 })
    expect(await roots()).toMatch(/^b .* a$/)
    await move('a', { position: 1 })
    expect(await roots()).toMatch(/^b a .+/)
  })

  it.each([
    ['itself', 'a'],
    ['its child', 'b'],
    ['a later descendant', 'e'],
  ])('below %s is refused', async (_, parent) => {
    const { move, forestNow } = await setUp()
    const { status, body } = await move('a', { parent, position: 0 })
    expect([status, body.code]).toEqual([409, 'cycle'])
    expect(await forestNow()).toBe('a(b(c d e) f) g h')
  })

  it('with {} changes nothing', async () => {
    const { api, id, move, forestNow } = await setUp()
    const before = await api.get(`${path}/${id('a')}`)
    const { status, body } = await move('a')
    expect(status).toBe(200)
    expect(body).toEqual(before.body)
    expect((await api.get(`${path}/${id('a')}`)).headers.etag).toBe(before.headers.etag)
    expect(await forestNow()).toBe('a(b(c d e) f) g h')
  })

  it.each([
    ['only unknown fields', { index: 0 }],
    ['a negative position', { position: -1 }],
    ['a broken position', { position: 1.5 }],
    ['a position as text', { position: '1' }],
    ['null as position', { position: null }],
    ['a parent that is no id', { parent_id: 'abc' }],
    ['a parent as number', { parent_id: 5 }],
  ])('refuses %s', async (_, body) => {
    const { move, forestNow } = await setUp()
    const answer = await move('g', body)
    expect(answer.status).toBe(422)
    if ('index' in body) for (const known of ['parent_id', 'position']) expect(answer.text).toContain(known)
    else expect(answer.body.errors[0].pointer).toBe(`/${Object.keys(body)[0]}`)
    expect(await forestNow()).toBe('a(b(c d e) f) g h')
  })

  it('refuses a parent that does not exist or is not a document of this kind', async () => {
    const { api, move, forestNow } = await setUp()
    const foreign = await createDocument((await ws.project()).admin.api, kind)
    for (const parent_id of [NEVER, foreign.id]) {
      const { status, body } = await move('g', { parent_id, position: 0 })
      expect(status).toBe(404)
      expect(body.errors[0].pointer).toBe('/parent_id')
    }
    const other = KINDS.find(([, one]) => one.path !== path)![1]
    for (const parent_id of [(await createDocument(api, other)).id, (await createWorkOrder(api)).id]) {
      const { status, body } = await move('g', { parent_id })
      expect(status).toBe(422)
      expect(body.errors[0].pointer).toBe('/parent_id')
    }
    expect(await forestNow()).toBe('a(b(c d e) f) g h')
  })

  it('answers 404 for an unknown id', async () => {
    const { move } = await setUp('a')
    expect((await move(NEVER, { position: 0 })).status).toBe(404)
  })

  it('keeps versions, comments and content', async () => {
    const { api, id, move } = await setUp()
    const one = `${path}/${id('c')}`
    await api.patch(one, { markdown_content: 'Text' })
    await api.post(`${one}/comments`, { message: 'Why?' })
    await move('c', { parent: 'g' })
    expect((await api.get(one)).body.data).toMatchObject({ markdown_content: 'Text', version_number: 2 })
    expect((await api.get(`${one}/versions`)).body.total_count).toBe(2)
    expect((await api.get(`${one}/comments`)).body.items).toHaveLength(1)
  })
})
