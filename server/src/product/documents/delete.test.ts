import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KINDS, NEVER, outlineOf, plant } from './document.factory.ts'

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
})
afterAll(() => ws.close())

describe.each(KINDS)('deleting %s', (_, kind) => {
  const { path } = kind
  const setUp = async (forest = 'a(b(c d(x) e) f) g') => {
    const { api } = project.admin
    const root = await createDocument(api, kind, { title: 'root' })
    const ids = await plant(forest, (title, parentId = root.id) =>
      createDocument(api, kind, { title, parent_id: parentId }),
    )
    const forestNow = () => outlineOf(ws.sql, project.id, kind.tree, root.id)
    return { api, root: root.id, ids, forestNow, remove: (name: string) => api.delete(`${path}/${ids[name]}`) }
  }

  it.each([
    ['b', 'a(c d(x) e f) g'],
    ['a', 'b(c d(x) e) f g'],
    ['d', 'a(b(c x e) f) g'],
    ['c', 'a(b(d(x) e) f) g'],
    ['e', 'a(b(c d(x)) f) g'],
    ['f', 'a(b(c d(x) e)) g'],
    ['g', 'a(b(c d(x) e) f)'],
  ])('%s leaves its children in its place and order: %s', async (name, expected) => {
    const { remove, forestNow } = await setUp()
    const { status, text } = await remove(name)
    expect([status, text]).toEqual([204, ''])
    expect(await forestNow()).toBe(expected)
  })

  it('a root leaves its children as roots in its place', async () => {
    const { api, root, ids } = await setUp('a b')
    await createDocument(api, kind, { title: 'last' })
    await api.delete(`${path}/${root}`)
    expect(await outlineOf(ws.sql, project.id, kind.tree)).toMatch(/(^| )a b last$/)
    const { data } = (await api.get(`${path}/${ids.a}`)).body
    expect([data.parent_id, data[kind.treeField]]).toEqual([null, kind.tree])
  })

  it('changes the ETag of the children it moves up and of the parent that gets them', async () => {
    const { api, ids, remove } = await setUp()
    const tags = () => Promise.all(['a', 'c'].map(async (name) => (await api.get(`${path}/${ids[name]}`)).headers.etag))
    const before = await tags()
    await remove('b')
    const after = await tags()
    for (const index of [0, 1]) expect(after[index]).not.toBe(before[index])
    expect((await api.get(`${path}/${ids.c}`)).body.data.parent_id).toBe(ids.a)
  })

  it('is permanent: nothing of the document is found again', async () => {
    const { api, ids, remove } = await setUp()
    const one = `${path}/${ids.f}`
    await api.patch(one, { markdown_content: 'a {++x++}' })
    const thread = await api.post(`${one}/comments`, { message: 'Why?' })
    const { items } = (await api.get(`${one}/versions`)).body
    await remove('f')
    const tails = ['', '/versions', `/versions/${items[0].version_id}`, '/comments', '/suggestions']
    for (const tail of [...tails, `/comments/${thread.body.data.id}`])
      expect((await api.get(one + tail)).status).toBe(404)
    expect((await api.delete(one)).status).toBe(404)
    const left = await ws.sql`
      select 1 from resources where project_id = ${project.id} and id = ${ids.f!}
      union all select 1 from document_versions where project_id = ${project.id} and document_id = ${ids.f!}
      union all select 1 from document_threads where project_id = ${project.id} and document_id = ${ids.f!}`
    expect(left).toHaveLength(0)
  })

  it('answers 404 for an unknown id', async () => {
    expect((await project.admin.api.delete(`${path}/${NEVER}`)).status).toBe(404)
  })

  it('can remove all documents, in any order', async () => {
    const { api, root, ids, remove } = await setUp()
    const { total } = (await api.get(path)).body
    for (const name of ['d', 'a', 'x', 'b', 'g', 'c', 'e', 'f']) expect((await remove(name)).status).toBe(204)
    expect((await api.get(`${path}/${root}`)).body.data.children).toEqual([])
    expect(Object.keys(ids)).toHaveLength(8)
    expect((await api.get(path)).body.total).toBe(total - 8)
  })
})
