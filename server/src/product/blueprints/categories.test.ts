import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import {
  blueprintOf,
  categoriesOf,
  createDocument,
  createFeature,
  KINDS,
  NEVER,
  outlineOf,
  plant,
  type Shown,
  UUID,
} from '../documents/document.factory.ts'

const blueprints = KINDS[1]![1]
let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const project = await ws.project()
  const { api } = project.admin
  const categories = await categoriesOf(api)
  const create = (values = {}) => createDocument(api, blueprints, values)
  const move = (id: string, body: unknown) => api.put(`/blueprints/${id}/move`, body)
  const outline = (name: string) => outlineOf(ws.sql, project.id, name)
  return { project, api, categories, create, move, outline }
}
const idOf = (categories: Record<string, Shown>, name: string) => categories[name]!.id
const countsOf = async (api: Client) =>
  Object.values(await categoriesOf(api)).map((category) => category.count as number)

describe('the categories of a new project', () => {
  it('are four in their order, of which the feature one is locked', async () => {
    const { api } = await setUp()
    const { status, body } = await api.get('/blueprints/categories')
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['items'])
    expect(body.items.map(({ id: _, ...rest }: Shown) => rest)).toEqual(
      ['Containers', 'Components', 'Feature Blueprints', 'Custom'].map((name) => ({
        object: 'blueprint_category',
        name,
        locked: name === 'Feature Blueprints',
        is_feature_blueprints: name === 'Feature Blueprints',
        count: 0,
      })),
    )
    for (const item of body.items) expect(item.id).toMatch(UUID)
    expect((await api.get('/blueprints')).body).toMatchObject({ items: [], total: 0, total_pages: 0 })
  })

  it('belong to their project alone', async () => {
    const [mine, theirs] = [await setUp(), await setUp()]
    await mine.create()
    expect(await countsOf(theirs.api)).toEqual([0, 0, 0, 0])
    expect(idOf(mine.categories, 'Custom')).not.toBe(idOf(theirs.categories, 'Custom'))
  })
})

describe('a new blueprint', () => {
  it('goes to the end of Custom, of the named category, or of its parent', async () => {
    const { api, categories, create, outline } = await setUp()
    const component = await create({ title: 'a', category_id: idOf(categories, 'Components') })
    expect(component).toMatchObject({ category_name: 'Components', parent_id: null })
    const nested = await create({ title: 'b', parent_id: component.id })
    expect(nested).toMatchObject({ category_name: 'Components', parent_id: component.id })
    expect((await create({ title: 'c' })).category_name).toBe('Custom')
    expect((await create({ title: 'd', category_id: null, parent_id: null })).category_name).toBe('Custom')
    expect([await outline('Components'), await outline('Custom')]).toEqual(['a(b)', 'c d'])
    expect(await countsOf(api)).toEqual([0, 2, 0, 2])
  })

  it('follows its parent when both ids are given, whatever the category', async () => {
    const { categories, create } = await setUp()
    const parent = await create({ category_id: idOf(categories, 'Containers') })
    for (const category_id of [idOf(categories, 'Components'), idOf(categories, 'Feature Blueprints'), NEVER])
      expect((await create({ parent_id: parent.id, category_id })).category_name).toBe('Containers')
  })

  it('is refused in the feature category and below a feature blueprint', async () => {
    const { api, categories } = await setUp()
    const { id } = await blueprintOf(api, (await createFeature(api, 'f')).id)
    for (const where of [{ category_id: idOf(categories, 'Feature Blueprints') }, { parent_id: id }])
      expect((await api.post('/blueprints', { title: 'a', ...where })).status).toBe(409)
    expect((await api.get('/blueprints')).body.total).toBe(1)
  })

  it('is refused in a category that is not there, or is something else', async () => {
    const { api, create } = await setUp()
    const foreign = (await setUp()).categories
    for (const category_id of [NEVER, idOf(foreign, 'Custom')]) {
      const { status, body } = await api.post('/blueprints', { title: 'a', category_id })
      expect(status).toBe(404)
      expect(body.errors[0].pointer).toBe('/category_id')
    }
    const { id } = await create()
    for (const category_id of [id, 'abc', 5]) {
      const { status, body } = await api.post('/blueprints', { title: 'a', category_id })
      expect(status).toBe(422)
      expect(body.errors[0].pointer).toBe('/category_id')
    }
    expect((await api.get('/blueprints')).body.total).toBe(1)
  })
})

describe('the list', () => {
  it('filters by the whole name of a category in any case, and by feature', async () => {
    const { api, categories, create } = await setUp()
    const component = await create({ title: 'a', category_id: idOf(categories, 'Components') })
    await create({ title: 'b', parent_id: component.id })
    await create({ title: 'c' })
    const feature = await createFeature(api, 'f')
    const titles = async (query: string) => {
      const { status, body } = await api.get(`/blueprints?${query}`)
      expect([status, body.total]).toEqual([200, body.items.length])
      return body.items.map((item: Shown) => item.title)
    }
    expect(await titles('category_name=Components')).toEqual(['a', 'b'])
    expect(await titles('category_name=cOMPONENTS')).toEqual(['a', 'b'])
    expect(await titles('category_name=feature%20blueprints')).toEqual(['f'])
    for (const name of ['Component', 'omponents', '%25', 'Components%20', 'Nothing'])
      expect(await titles(`category_name=${name}`)).toEqual([])
    expect(await titles('category_name=')).toEqual(['a', 'b', 'c', 'f'])
    expect(await titles(`feature_id=${feature.id}`)).toEqual(['f'])
    expect(await titles(`feature_id=${feature.id.toUpperCase()}`)).toEqual(['f'])
    expect(await titles(`feature_id=${NEVER}`)).toEqual([])
    expect(await titles('feature_id=')).toHaveLength(4)
    expect(await titles(`feature_id=${feature.id}&category_name=Custom`)).toEqual([])
    expect(await titles('category_name=Components&title=B')).toEqual(['b'])
    expect((await api.get('/blueprints?feature_id=abc')).status).toBe(422)
  })
})

describe('a move', () => {
  const planted = async () => {
    const setting = await setUp()
    const ids = await plant('a(b(c) d) e', (title, parent_id) =>
      setting.create({ title, parent_id: parent_id ?? null }),
    )
    return { ...setting, ids }
  }

  it('to the root of another category takes the subtree along and counts it there', async () => {
    const { api, categories, ids, move, outline } = await planted()
    const { status, body } = await move(ids.a!, { parent_id: null, category_id: idOf(categories, 'Containers') })
    expect([status, body.data.category_name, body.data.parent_id]).toEqual([200, 'Containers', null])
    expect([await outline('Containers'), await outline('Custom')]).toEqual(['a(b(c) d)', 'e'])
    for (const name of ['b', 'c', 'd'])
      expect((await api.get(`/blueprints/${ids[name]}`)).body.data.category_name).toBe('Containers')
    expect(await countsOf(api)).toEqual([4, 0, 0, 1])
  })

  it('to the root without a category stays in its own', async () => {
    const { ids, move, outline } = await planted()
    expect((await move(ids.b!, { parent_id: null, position: 0 })).body.data.category_name).toBe('Custom')
    expect(await outline('Custom')).toBe('b(c) a(d) e')
  })

  it('of a root needs only the category', async () => {
    const { categories, ids, move, outline } = await planted()
    await move(ids.e!, { category_id: idOf(categories, 'Components') })
    await move(ids.a!, { category_id: idOf(categories, 'Components'), position: 0 })
    expect([await outline('Components'), await outline('Custom')]).toEqual(['a(b(c) d) e', ''])
  })

  it('below a parent goes to its category and ignores category_id', async () => {
    const { categories, create, ids, move, outline } = await planted()
    const parent = await create({ title: 'p', category_id: idOf(categories, 'Components') })
    for (const category_id of [idOf(categories, 'Containers'), idOf(categories, 'Feature Blueprints'), NEVER]) {
      const { status, body } = await move(ids.b!, { parent_id: parent.id, category_id })
      expect([status, body.data.category_name]).toEqual([200, 'Components'])
    }
    expect([await outline('Components'), await outline('Custom')]).toEqual(['p(b(c))', 'a(d) e'])
  })

  it('of a nested one that names only a category keeps its parent', async () => {
    const { categories, ids, move, outline } = await planted()
    const { status, body } = await move(ids.b!, { category_id: idOf(categories, 'Containers') })
    expect([status, body.data.parent_id, body.data.category_name]).toEqual([200, ids.a, 'Custom'])
    expect(await outline('Containers')).toBe('')
  })

  it('into the feature category or below a feature blueprint is refused', async () => {
    const { api, categories, ids, move, outline } = await planted()
    const { id } = await blueprintOf(api, (await createFeature(api, 'f')).id)
    for (const where of [{ parent_id: null, category_id: idOf(categories, 'Feature Blueprints') }, { parent_id: id }])
      expect((await move(ids.e!, where)).status).toBe(409)
    expect(await outline('Custom')).toBe('a(b(c) d) e')
    expect(await outline('Feature Blueprints')).toBe('f')
  })

  it('to a category that is not there, or is something else, is refused', async () => {
    const { ids, move, outline } = await planted()
    for (const [category_id, expected] of [
      [NEVER, 404],
      [ids.a, 422],
      ['abc', 422],
    ]) {
      const { status, body } = await move(ids.e!, { parent_id: null, category_id })
      expect([status, body.errors[0].pointer]).toEqual([expected, '/category_id'])
    }
    expect(await outline('Custom')).toBe('a(b(c) d) e')
  })

  it('that names an older state is told of a missing category first, and of a closed one last', async () => {
    const { api, categories, ids } = await planted()
    const move = async (category_id: string) =>
      (await api.put(`/blueprints/${ids.e}/move`, { parent_id: null, category_id }, { 'if-match': '"old"' })).status
    expect(await move(NEVER)).toBe(404)
    expect(await move(idOf(categories, 'Feature Blueprints'))).toBe(412)
  })
})

it('deleting counts down the category and promotes within it', async () => {
  const { api, categories, create, outline } = await setUp()
  const parent = await create({ title: 'p', category_id: idOf(categories, 'Components') })
  await create({ title: 'q', parent_id: parent.id })
  await api.delete(`/blueprints/${parent.id}`)
  expect(await outline('Components')).toBe('q')
  expect(await countsOf(api)).toEqual([0, 1, 0, 0])
})
