import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, KINDS, NEVER, TIME, UUID } from './document.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const sorted = (value: object) => Object.keys(value).sort()

describe.each(KINDS)('%s', (_, kind) => {
  const { path, object, treeField, nodeField } = kind
  const summary = ['children', 'document_id', 'feature_id', 'id', 'object', 'parent_id', 'title', 'updated_at']
  const SUMMARY = [...summary, treeField, nodeField].sort()
  const DETAIL = [...SUMMARY, 'connectedContext', 'markdown_content', 'version_id', 'version_number'].sort()

  const setUp = async () => {
    const { admin } = await ws.project()
    const { id } = await createDocument(admin.api, kind, { title: 'Parent' })
    const child = await createDocument(admin.api, kind, { title: 'Child', parent_id: id, markdown_content: '# a\n' })
    return { api: admin.api, id, child, one: `${path}/${id}` }
  }

  it('are created with 201 and every field of the detail', async () => {
    const { child, id } = await setUp()
    expect(sorted(child)).toEqual(DETAIL)
    expect(child).toMatchObject({
      object,
      document_id: child.id,
      title: 'Child',
      [treeField]: kind.tree,
      parent_id: id,
      children: [],
      feature_id: null,
      [nodeField]: child.id,
      connectedContext: [],
      version_number: 1,
      markdown_content: '# a\n',
    })
    expect(child.id).toMatch(UUID)
    expect(child.version_id).toMatch(UUID)
    expect(child.updated_at).toMatch(TIME)
  })

  it('are returned by every operation with every field of the detail', async () => {
    const { api, one, child, id } = await setUp()
    const { body } = await api.get(`${one}/versions`)
    const version = `${one}/versions/${body.items[0].version_id}`
    const answers = [
      await api.get(one),
      await api.patch(one, { markdown_content: 'a' }),
      await api.patch(one, { markdown_content: 'a' }),
      await api.patch(`${one}/rename`, { title: 'New' }),
      await api.put(`${one}/move`, { position: 0 }),
      await api.put(`${one}/move`, {}),
      await api.get(version),
      await api.post(`${version}/restore`),
      await api.post(`${one}/suggestions/accept_all`),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(200)
      expect(sorted(answer.body)).toEqual(['data'])
      expect(sorted(answer.body.data)).toEqual(DETAIL)
      expect(answer.body.data).toMatchObject({ id, document_id: id, parent_id: null, feature_id: null })
      expect(answer.body.data.children).toEqual([{ id: child.id, document_id: child.id, title: 'Child' }])
    }
  })

  it('are listed with exactly the fields of the summary', async () => {
    const { api, id, child } = await setUp()
    const { status, body } = await api.get(`${path}?page_size=100`)
    expect(status).toBe(200)
    expect(sorted(body)).toEqual(['items', 'page', 'page_size', 'total', 'total_pages'])
    for (const item of body.items) expect(sorted(item)).toEqual(SUMMARY)
    const parent = body.items.find((item: { id: string }) => item.id === id)
    expect(parent.children).toEqual([{ id: child.id, document_id: child.id, title: 'Child' }])
    const { connectedContext: _, version_id: _id, version_number: _n, markdown_content: _c, ...rest } = child
    expect(body.items.find((item: { id: string }) => item.id === child.id)).toEqual(rest)
  })

  it('are found by an id in any case', async () => {
    const { api, id, one } = await setUp()
    const upper = await api.get(`${path}/${id.toUpperCase()}`)
    expect(upper.status).toBe(200)
    expect(upper.body).toEqual((await api.get(one)).body)
  })

  it('answer HEAD like GET without a body', async () => {
    const { api, one } = await setUp()
    const [get, head] = [await api.get(one), await api.head(one)]
    expect([head.status, head.text, head.headers.etag]).toEqual([200, '', get.headers.etag])
  })

  it.each(['abc', '1', '%00', 'null', `${NEVER}0`])('refuse "%s" as an id', async (id) => {
    const { admin } = await ws.project()
    for (const tail of ['', '/versions', '/comments', '/suggestions']) {
      const { status, body } = await admin.api.get(`${path}/${id}${tail}`)
      expect(status).toBe(422)
      expect(body.errors[0].pointer).toBe(`/${kind.idParam}`)
    }
  })

  it('are not found under the path of another kind', async () => {
    const { api, id } = await setUp()
    const other = KINDS.find(([, one]) => one.path !== path)![1]
    expect((await api.get(`${other.path}/${id}`)).status).toBe(404)
    expect((await api.get(`/work_orders/${id}`)).status).toBe(404)
    expect((await api.delete(`${other.path}/${id}`)).status).toBe(404)
    expect((await api.get(`${path}/${id}`)).status).toBe(200)
  })

  it('answer 405 with the allowed methods to any other method', async () => {
    const { api, one } = await setUp()
    const { status, headers } = await api.put(one, {})
    expect(status).toBe(405)
    for (const method of ['GET', 'PATCH', 'DELETE']) expect(headers.allow).toContain(method)
  })
})
