import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import {
  createDocument,
  createFeature,
  KINDS,
  OVERVIEW,
  outlineOf,
  plant,
  UUID,
} from '../documents/document.factory.ts'

const requirements = KINDS[0]![1]
const TITLES = [
  'Business Problem',
  'Current State',
  'Product Description',
  'Personas',
  'Success Metrics',
  'Technical Requirements',
]

let ws: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  project = await ws.project()
  api = project.admin.api
})
afterAll(() => ws.close())

describe('a new project', () => {
  it('has six empty OVERVIEW documents in their order and no FEATURE', async () => {
    const fresh = await ws.project()
    const { body } = await fresh.admin.api.get('/requirements')
    expect(body).toMatchObject({ total: 6, page: 1, page_size: 20, total_pages: 1 })
    expect(body.items.map((item: { title: string }) => item.title)).toEqual(TITLES)
    for (const item of body.items) {
      expect(item).toMatchObject({
        object: 'requirements_document',
        document_type: 'OVERVIEW',
        document_id: item.id,
        overview_tree_node_id: item.id,
        feature_id: null,
        parent_id: null,
        children: [],
      })
      expect(item.id).toMatch(UUID)
      const { data } = (await fresh.admin.api.get(`/requirements/${item.id}`)).body
      expect(data).toMatchObject({ markdown_content: '', version_number: 1, connectedContext: [] })
    }
    expect(await outlineOf(ws.sql, fresh.id, 'OVERVIEW')).toBe(OVERVIEW)
  })
})

describe('a FEATURE document', () => {
  it('is its own feature and no node of the overview tree', async () => {
    const feature = await createFeature(api, 'Feature')
    expect(feature).toMatchObject({
      document_type: 'FEATURE',
      feature_id: feature.id,
      overview_tree_node_id: null,
      parent_id: null,
    })
    const { items } = (await api.get('/requirements?title=Feature&document_type=FEATURE')).body
    expect(items).toMatchObject([{ feature_id: feature.id, overview_tree_node_id: null }])
  })

  it('takes markdown_content at its creation', async () => {
    const body = { title: 'With text', document_type: 'FEATURE', markdown_content: '# a\r\n' }
    const { data } = (await api.post('/requirements', body)).body
    expect(data).toMatchObject({ markdown_content: '# a\r\n', version_number: 1 })
  })

  it('grows a tree of its own, apart from the OVERVIEW one', async () => {
    const fresh = await ws.project()
    await plant('a(b(c) d) e', (title, parentId) => createFeature(fresh.admin.api, title, parentId))
    expect(await outlineOf(ws.sql, fresh.id, 'FEATURE')).toBe('a(b(c) d) e')
    expect(await outlineOf(ws.sql, fresh.id, 'OVERVIEW')).toBe(OVERVIEW)
  })
})

describe('document_type', () => {
  it.each([undefined, null, 'feature', 'CUSTOM', '', 5])('refuses %j for a new document', async (document_type) => {
    const { total } = (await api.get('/requirements')).body
    const { status, body } = await api.post('/requirements', { title: 'a', document_type })
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe('/document_type')
    if (typeof document_type === 'string') for (const one of ['FEATURE', 'OVERVIEW']) expect(body.detail).toContain(one)
    expect((await api.get('/requirements')).body.total).toBe(total)
  })

  it('filters the list, with the true total', async () => {
    const fresh = await ws.project()
    for (const title of ['One', 'Two business']) await createFeature(fresh.admin.api, title)
    const titles = async (query: string) => {
      const { body } = await fresh.admin.api.get(`/requirements?${query}`)
      expect(body.total).toBe(body.items.length)
      return body.items.map((item: { title: string }) => item.title)
    }
    expect(await titles('document_type=FEATURE')).toEqual(['One', 'Two business'])
    expect(await titles('document_type=OVERVIEW')).toEqual(TITLES)
    expect(await titles('document_type=OVERVIEW&title=BUSINESS')).toEqual(['Business Problem'])
    expect(await titles('title=business')).toEqual(['Business Problem', 'Two business'])
    expect(await titles('document_type=')).toHaveLength(8)
    expect(await titles('')).toEqual([...TITLES, 'One', 'Two business'])
  })

  it('refuses another value as filter and names the allowed ones', async () => {
    const { status, body } = await api.get('/requirements?document_type=feature')
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe('/document_type')
    for (const one of ['FEATURE', 'OVERVIEW']) expect(body.detail).toContain(one)
  })
})

describe('a parent of the other type', () => {
  it('is refused for a new document', async () => {
    const [feature, overview] = [await createFeature(api, 'f'), await createDocument(api, requirements)]
    for (const [document_type, parent_id] of [
      ['OVERVIEW', feature.id],
      ['FEATURE', overview.id],
    ]) {
      const { status, body } = await api.post('/requirements', { title: 'a', document_type, parent_id })
      expect(status).toBe(422)
      expect(body.errors[0].pointer).toBe('/parent_id')
    }
  })

  it('is refused for a move, which changes nothing', async () => {
    const fresh = await ws.project()
    const client = fresh.admin.api
    const [feature, overview] = [await createFeature(client, 'f'), await createDocument(client, requirements)]
    for (const [id, parent_id] of [
      [feature.id, overview.id],
      [overview.id, feature.id],
    ]) {
      const { status, body } = await client.put(`/requirements/${id}/move`, { parent_id, position: 0 })
      expect(status).toBe(422)
      expect(body.errors[0].pointer).toBe('/parent_id')
    }
    expect(await outlineOf(ws.sql, fresh.id, 'FEATURE')).toBe('f')
    expect(await outlineOf(ws.sql, fresh.id, 'OVERVIEW')).toBe(`${OVERVIEW} Sign in`)
  })
})

it('an OVERVIEW document has no blueprint', async () => {
  const fresh = await ws.project()
  const made = await createDocument(fresh.admin.api, requirements)
  expect((await fresh.admin.api.get('/blueprints')).body.total).toBe(0)
  expect((await fresh.admin.api.get(`/blueprints?feature_id=${made.id}`)).body.items).toEqual([])
})

it('a document that a project began with can be written, renamed, moved and deleted', async () => {
  const fresh = await ws.project()
  const { items } = (await fresh.admin.api.get('/requirements')).body
  const one = `/requirements/${items[0].id}`
  expect((await fresh.admin.api.patch(one, { markdown_content: 'a' })).body.data.version_number).toBe(2)
  expect((await fresh.admin.api.patch(`${one}/rename`, { title: 'Why' })).status).toBe(200)
  expect((await fresh.admin.api.put(`${one}/move`, { parent_id: items[1].id })).status).toBe(200)
  expect((await fresh.admin.api.delete(`/requirements/${items[1].id}`)).status).toBe(204)
  expect(await outlineOf(ws.sql, fresh.id, 'OVERVIEW')).toBe(
    'Why Product Description Personas Success Metrics Technical Requirements',
  )
})
