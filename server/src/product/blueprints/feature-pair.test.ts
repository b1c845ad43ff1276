import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { blueprintOf, categoriesOf, createFeature, outlineOf, plant, times } from '../documents/document.factory.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

/** Features from an outline, and a look at both trees that refuses any difference between them. */
async function setUp(forest = 'a(b(c d) e) f') {
  const project = await ws.project()
  const { api } = project.admin
  const ids = await plant(forest, (title, parentId) => createFeature(api, title, parentId))
  const mirrored = async () => {
    const features = await outlineOf(ws.sql, project.id, 'FEATURE')
    expect(await outlineOf(ws.sql, project.id, 'Feature Blueprints')).toBe(features)
    const [stray] = await ws.sql`
      select b.title from documents b
      left join documents f on f.project_id = b.project_id and f.id = b.paired_with
      left join documents above on above.project_id = b.project_id and above.id = b.parent_id
      where b.project_id = ${project.id} and b.kind = 'blueprint' and b.paired_with is not null
        and (f.id is null or f.title <> b.title or f.position <> b.position
          or f.parent_id is distinct from above.paired_with)`
    expect(stray).toBeUndefined()
    return features
  }
  const blueprint = (name: string) => blueprintOf(api, ids[name]!)
  const feature = async (name: string) => (await api.get(`/requirements/${ids[name]}`)).body.data
  const move = (name: string, body: unknown) => api.put(`/requirements/${ids[name]}/move`, body)
  return { project, api, ids, mirrored, blueprint, feature, move }
}

describe('creating a feature', () => {
  it('creates its blueprint in the locked category, with the same title and empty', async () => {
    const { api, ids, blueprint } = await setUp('a')
    const made = await blueprint('a')
    expect(made).toMatchObject({
      object: 'blueprint',
      document_id: made.id,
      title: 'a',
      category_name: 'Feature Blueprints',
      feature_id: ids.a,
      blueprint_node_id: null,
      parent_id: null,
      children: [],
      markdown_content: '',
      version_number: 1,
    })
    expect((await categoriesOf(api))['Feature Blueprints']!.count).toBe(1)
    expect((await api.get('/blueprints')).body.total).toBe(1)
  })

  it('mirrors the tree', async () => {
    const { mirrored, blueprint } = await setUp()
    expect(await mirrored()).toBe('a(b(c d) e) f')
    const [a, b] = [await blueprint('a'), await blueprint('b')]
    expect(b.parent_id).toBe(a.id)
    expect(a.children.map((child: { title: string }) => child.title)).toEqual(['b', 'e'])
  })

  it('keeps both halves in step when many are created at once', async () => {
    const { api, ids, mirrored } = await setUp('a')
    await Promise.all(times(20, (index) => createFeature(api, `n${index}`, index % 2 === 0 ? ids.a : undefined)))
    expect((await mirrored()).match(/n\d+/g)).toHaveLength(20)
    expect((await categoriesOf(api))['Feature Blueprints']!.count).toBe(21)
  })
})

describe('renaming', () => {
  it.each(['feature', 'blueprint'])('the %s renames both', async (end) => {
    const { api, ids, mirrored, blueprint, feature } = await setUp()
    const made = await blueprint('b')
    const before = (await api.get(`/requirements/${ids.b}`)).headers.etag
    const where = end === 'feature' ? `/requirements/${ids.b}` : `/blueprints/${made.id}`
    expect((await api.patch(`${where}/rename`, { title: 'new' })).status).toBe(200)
    expect([(await blueprint('b')).title, (await feature('b')).title]).toEqual(['new', 'new'])
    expect([(await blueprint('b')).version_number, (await feature('b')).version_number]).toEqual([1, 1])
    expect((await api.get(`/requirements/${ids.b}`)).headers.etag).not.toBe(before)
    expect((await blueprint('b')).updated_at > made.updated_at).toBe(true)
    expect(await mirrored()).toBe('a(new(c d) e) f')
  })

  it('from both ends at once, while the feature moves, leaves one title and one place', async () => {
    const { api, ids, blueprint, mirrored, move } = await setUp('a b c')
    const { id } = await blueprint('a')
    for (const round of times(4, (index) => index)) {
      const answers = await Promise.all([
        ...times(3, (index) => api.patch(`/requirements/${ids.a}/rename`, { title: `f${round}${index}` })),
        ...times(3, (index) => api.patch(`/blueprints/${id}/rename`, { title: `b${round}${index}` })),
        move('a', { position: round % 3 }),
        move('b', { position: 0 }),
      ])
      for (const { status } of answers) expect(status).toBe(200)
      await mirrored()
    }
  })
})

describe('moving a feature', () => {
  it.each<[string, string | null | undefined, number | undefined, string]>([
    ['f', undefined, 0, 'f a(b(c d) e)'],
    ['f', 'a', 1, 'a(b(c d) f e)'],
    ['f', 'b', 0, 'a(b(f c d) e)'],
    ['f', 'c', undefined, 'a(b(c(f) d) e)'],
    ['b', null, 1, 'a(e) b(c d) f'],
    ['b', null, undefined, 'a(e) f b(c d)'],
    ['b', undefined, 99, 'a(e b(c d)) f'],
    ['d', undefined, 0, 'a(b(d c) e) f'],
  ])('%s below %s at %s moves both: %s', async (name, parent, position, expected) => {
    const { ids, mirrored, move } = await setUp()
    const parent_id = parent === undefined ? {} : { parent_id: parent && ids[parent] }
    expect((await move(name, { ...parent_id, ...(position !== undefined && { position }) })).status).toBe(200)
    expect(await mirrored()).toBe(expected)
  })

  it('below itself is refused and moves neither', async () => {
    const { ids, mirrored, move } = await setUp()
    expect((await move('a', { parent_id: ids.c })).status).toBe(409)
    expect(await mirrored()).toBe('a(b(c d) e) f')
  })

  it('keeps the trees mirrored through moves, creates and deletes at once', async () => {
    const { api, ids, mirrored, move } = await setUp('a b c d e f g h')
    const names = [...'abcdefgh']
    const answers = await Promise.all([
      ...times(16, (index) =>
        move(names[index % 8]!, {
          parent_id: index % 3 ? ids[names[(index * 5 + 3) % 8]!] : null,
          position: index % 3,
        }),
      ),
      api.delete(`/requirements/${ids.c}`),
      api.delete(`/requirements/${ids.g}`),
      ...times(4, (index) =>
        api.post('/requirements', { title: `n${index}`, document_type: 'FEATURE', parent_id: ids[names[index]!] }),
      ),
    ])
    for (const { status } of answers) expect([200, 201, 204, 404, 409]).toContain(status)
    const created = answers.filter((answer) => answer.status === 201).length
    expect((await mirrored()).match(/[a-z]\d*/g)).toHaveLength(6 + created)
  })
})

describe('deleting a feature', () => {
  it.each([
    ['a', 'b(c d) e f'],
    ['b', 'a(c d e) f'],
    ['c', 'a(b(d) e) f'],
    ['f', 'a(b(c d) e)'],
  ])('%s deletes its blueprint and promotes the children in both trees: %s', async (name, expected) => {
    const { api, ids, mirrored, blueprint } = await setUp()
    const { id } = await blueprint(name)
    const { status, text } = await api.delete(`/requirements/${ids[name]}`)
    expect([status, text]).toEqual([204, ''])
    expect(await mirrored()).toBe(expected)
    expect((await api.get(`/blueprints/${id}`)).status).toBe(404)
    expect((await api.get(`/blueprints?feature_id=${ids[name]}`)).body.items).toEqual([])
    expect((await categoriesOf(api))['Feature Blueprints']!.count).toBe(5)
    expect((await api.get('/blueprints')).body.total).toBe(5)
  })

  it('takes the connections of both halves along', async () => {
    const { api, ids, blueprint } = await setUp('a')
    const { id } = await blueprint('a')
    const order = await createWorkOrder(api, {
      connectedContext: [
        { resourceType: 'requirements_document', resourceId: ids.a },
        { resourceType: 'blueprint', resourceId: id },
      ],
    })
    await api.delete(`/requirements/${ids.a}`)
    expect((await api.get(`/work_orders/${order.id}`)).body.data.connectedContext).toEqual([])
  })
})

describe('a feature blueprint', () => {
  it('is not deleted alone: 409 names the feature document', async () => {
    const { api, ids, mirrored, blueprint } = await setUp()
    const { status, body } = await api.delete(`/blueprints/${(await blueprint('b')).id}`)
    expect(status).toBe(409)
    expect(body.detail).toContain(ids.b)
    expect(await mirrored()).toBe('a(b(c d) e) f')
  })

  it('is not moved alone: 409 names the feature document', async () => {
    const { api, ids, mirrored, blueprint } = await setUp()
    const { id } = await blueprint('b')
    const custom = (await api.post('/blueprints', { title: 'custom' })).body.data
    const categories = await categoriesOf(api)
    for (const body of [
      { position: 0 },
      { parent_id: null },
      { parent_id: (await blueprint('f')).id },
      { parent_id: custom.id },
      { parent_id: null, category_id: categories.Custom!.id },
    ]) {
      const answer = await api.put(`/blueprints/${id}/move`, body)
      expect(answer.status).toBe(409)
      expect(answer.body.detail).toContain(ids.b)
    }
    expect(await mirrored()).toBe('a(b(c d) e) f')
  })

  it('has content, versions, suggestions and comments of its own', async () => {
    const { api, feature, blueprint } = await setUp('a')
    const { id } = await blueprint('a')
    const one = `/blueprints/${id}`
    expect((await api.patch(one, { markdown_content: 'How\n' })).body.data.version_number).toBe(2)
    expect((await api.post(`${one}/apply_suggestion`, { old_text: 'How', new_text: 'So' })).status).toBe(200)
    expect((await api.post(`${one}/suggestions/accept_all`)).body.data.markdown_content).toBe('So\n')
    expect((await api.post(`${one}/comments`, { message: 'x' })).status).toBe(201)
    expect(await feature('a')).toMatchObject({ markdown_content: '', version_number: 1 })
    expect((await api.get(`/requirements/${(await feature('a')).id}/comments`)).body.items).toEqual([])
  })
})

it('both halves leave events, in the transaction of one request', async () => {
  const { project, api, ids, blueprint } = await setUp('a b')
  const { id } = await blueprint('a')
  const headers = { 'x-request-id': 'pair.1' }
  await api.put(`/requirements/${ids.a}/move`, { position: 1 }, headers)
  await api.delete(`/requirements/${ids.a}`, headers)
  const events = await ws.sql<{ kind: string; subject_id: string }[]>`
    select kind, subject_id from events where project_id = ${project.id} and request_id = 'pair.1' order by id`
  expect(events.map((event) => [event.kind, event.subject_id])).toEqual([
    ['requirements_document.moved', ids.a],
    ['blueprint.moved', id],
    ['requirements_document.deleted', ids.a],
    ['blueprint.deleted', id],
  ])
})
