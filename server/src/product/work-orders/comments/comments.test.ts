import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { registerResources } from '../../links/index.ts'
import { createWorkOrder } from '../work-order.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'

async function setUp() {
  const project = await ws.project()
  const [author, other] = [await project.join('editor'), await project.join('editor')]
  const { id } = await createWorkOrder(project.admin.api)
  const path = `/work_orders/${id}/comments`
  const comment = async (body: Record<string, unknown> = {}) => {
    const answer = await author.api.post(path, { markdown_content: 'First', ...body })
    expect(answer.status).toBe(201)
    return answer.body.data as { id: string; created_at: string; updated_at: string; artifact_ids: string[] }
  }
  /** Artifacts have no slice of their own yet; their place in the register is what a comment refers to. */
  const artifact = async () => {
    const artifactId = uuidv7()
    await registerResources(ws.sql, project.id, 'artifact', [artifactId])
    return artifactId
  }
  return { project, admin: project.admin, author, other, api: author.api, id, path, comment, artifact }
}

describe('commenting', () => {
  it('answers 201 with every documented field', async () => {
    const { api, path, author } = await setUp()
    const { status, body } = await api.post(path, { markdown_content: '**Done**\n' })
    expect(status).toBe(201)
    expect(Object.keys(body.data).sort()).toEqual([
      'artifact_ids',
      'author',
      'created_at',
      'id',
      'markdown_content',
      'object',
      'updated_at',
    ])
    expect(body.data).toMatchObject({
      object: 'work_order_comment',
      author: { id: author.userId, name: author.name, email: author.email },
      markdown_content: '**Done**\n',
      artifact_ids: [],
    })
    expect(body.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(body.data.updated_at).toBe(body.data.created_at)
    expect((await api.get(path)).body).toEqual({ items: [body.data] })
  })

  it('carries artifacts in their order', async () => {
    const { api, path, artifact } = await setUp()
    const [a, b] = [await artifact(), await artifact()]
    const { status, body } = await api.post(path, { markdown_content: 'See', artifact_ids: [b, a] })
    expect(status).toBe(201)
    expect(body.data.artifact_ids).toEqual([b, a])
  })

  it.each([
    ['a missing text', {}],
    ['an empty text', { markdown_content: '' }],
    ['null', { markdown_content: null }],
    ['a number', { markdown_content: 1 }],
    ['a list', { markdown_content: ['x'] }],
    ['a control character', { markdown_content: 'nul\u0000' }],
    ['2,000,001 characters', { markdown_content: 'x'.repeat(2_000_001) }],
  ])('refuses %s', async (_, body) => {
    const { api, path } = await setUp()
    const answer = await api.post(path, body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors[0].pointer).toBe('/markdown_content')
    expect((await api.get(path)).body).toEqual({ items: [] })
  })

  it.each(['x', [1], ['abc'], [null], {}, null])('refuses %j as artifact_ids', async (artifactIds) => {
    const { api, path } = await setUp()
    const { status, body } = await api.post(path, { markdown_content: 'See', artifact_ids: artifactIds })
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toMatch(/^\/artifact_ids/)
  })

  it('refuses an artifact that is not in this project, pointing at it', async () => {
    const { api, path, id, artifact } = await setUp()
    const foreign = await (await setUp()).artifact()
    const known = await artifact()
    for (const wrong of [NEVER, foreign, id]) {
      const { status, body } = await api.post(path, { markdown_content: 'See', artifact_ids: [known, wrong] })
      expect(status).toBe(422)
      expect(body.errors).toHaveLength(1)
      expect(body.errors[0].pointer).toBe('/artifact_ids/1')
    }
    expect((await api.get(path)).body).toEqual({ items: [] })
  })

  it('ignores unknown fields and names them', async () => {
    const { api, path } = await setUp()
    const { status, headers } = await api.post(path, { markdown_content: 'x', pinned: true })
    expect(status).toBe(201)
    expect(headers['x-ignored-fields']).toBe('pinned')
  })

  it('is 404 on a work order that is not there', async () => {
    const { api } = await setUp()
    const { status, body } = await api.post(`/work_orders/${NEVER}/comments`, { markdown_content: 'x' })
    expect(status).toBe(404)
    expect(body.detail).toContain(NEVER)
    expect((await api.get(`/work_orders/${NEVER}/comments`)).status).toBe(404)
    expect((await api.get('/work_orders/abc/comments')).status).toBe(422)
  })
})

describe('the list of comments', () => {
  it('is of this work order alone, oldest first', async () => {
    const { admin, author, other, path } = await setUp()
    const elsewhere = await createWorkOrder(admin.api)
    await author.api.post(`/work_orders/${elsewhere.id}/comments`, { markdown_content: 'Elsewhere' })
    await author.api.post(path, { markdown_content: 'one' })
    await other.api.post(path, { markdown_content: 'two' })
    const { body } = await admin.api.post(path, { markdown_content: 'three' })
    await admin.api.patch(`${path}/${body.data.id}`, { markdown_content: 'three, changed' })
    const { items } = (await admin.api.get(path)).body
    expect(items.map((item: { markdown_content: string }) => item.markdown_content)).toEqual([
      'one',
      'two',
      'three, changed',
    ])
    expect(items[1].author.id).toBe(other.userId)
  })
})

describe('changing a comment', () => {
  it('changes the text alone', async () => {
    const { api, path, comment, artifact } = await setUp()
    const made = await comment({ artifact_ids: [await artifact()] })
    const { status, body } = await api.patch(`${path}/${made.id}`, { markdown_content: 'Second' })
    expect(status).toBe(200)
    expect(body.data).toEqual({ ...made, markdown_content: 'Second', updated_at: body.data.updated_at })
    expect(body.data.updated_at >= made.updated_at).toBe(true)
    expect((await api.get(path)).body.items).toEqual([body.data])
  })

  it('changes the artifacts alone, replacing all of them', async () => {
    const { api, path, comment, artifact } = await setUp()
    const [a, b, c] = [await artifact(), await artifact(), await artifact()]
    const made = await comment({ artifact_ids: [a, b] })
    const changed = await api.patch(`${path}/${made.id}`, { artifact_ids: [c, a] })
    expect(changed.body.data).toMatchObject({ markdown_content: 'First', artifact_ids: [c, a] })
    const cleared = await api.patch(`${path}/${made.id}`, { artifact_ids: [] })
    expect(cleared.body.data.artifact_ids).toEqual([])
  })

  it('changes nothing with an empty body', async () => {
    const { api, path, comment } = await setUp()
    const made = await comment()
    const { status, body } = await api.patch(`${path}/${made.id}`, {})
    expect(status).toBe(200)
    expect(body).toEqual({ data: made })
  })

  it('changes nothing, not even its time, when it says what is there already', async () => {
    const { api, path, comment, artifact } = await setUp()
    const artifact_ids = [await artifact(), await artifact()]
    const made = await comment({ artifact_ids })
    await ws.sql`update work_order_comments set updated_at = '2026-01-02T03:04:05Z' where id = ${made.id}`
    for (const same of [
      { markdown_content: 'First' },
      { artifact_ids },
      { markdown_content: 'First', artifact_ids: [...artifact_ids, artifact_ids[0]!.toUpperCase()] },
    ]) {
      const { status, body } = await api.patch(`${path}/${made.id}`, same)
      expect([status, body.data]).toEqual([200, { ...made, updated_at: '2026-01-02T03:04:05.000Z' }])
    }
    const turned = await api.patch(`${path}/${made.id}`, { artifact_ids: artifact_ids.toReversed() })
    expect(turned.body.data.updated_at > made.created_at).toBe(true)
  })

  it('refuses only unknown fields and names the known ones', async () => {
    const { api, path, comment } = await setUp()
    const made = await comment()
    const { status, body } = await api.patch(`${path}/${made.id}`, { message: 'x' })
    expect(status).toBe(422)
    expect(body.detail).toContain('markdown_content')
    expect(body.detail).toContain('artifact_ids')
  })

  it.each([
    [{ markdown_content: '' }, '/markdown_content'],
    [{ markdown_content: null }, '/markdown_content'],
    [{ markdown_content: 5 }, '/markdown_content'],
    [{ artifact_ids: null }, '/artifact_ids'],
    [{ artifact_ids: [NEVER] }, '/artifact_ids/0'],
    [{ markdown_content: 'Good', artifact_ids: [NEVER] }, '/artifact_ids/0'],
  ])('refuses %j and changes nothing', async (change, pointer) => {
    const { api, path, comment } = await setUp()
    const made = await comment()
    const { status, body } = await api.patch(`${path}/${made.id}`, change)
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe(pointer)
    expect((await api.get(path)).body.items).toEqual([made])
  })

  it('is allowed to its author and to a project admin, who does not become its author', async () => {
    const { admin, author, path, comment } = await setUp()
    const made = await comment()
    const { status, body } = await admin.api.patch(`${path}/${made.id}`, { markdown_content: 'By admin' })
    expect(status).toBe(200)
    expect(body.data.author.id).toBe(author.userId)
  })
})

describe('deleting a comment', () => {
  it.each(['author', 'admin'] as const)('is allowed to its %s and empties the list', async (who) => {
    const setting = await setUp()
    const made = await setting.comment()
    const { status, text } = await setting[who].api.delete(`${setting.path}/${made.id}`)
    expect(status).toBe(204)
    expect(text).toBe('')
    expect((await setting.api.get(setting.path)).body).toEqual({ items: [] })
    expect((await setting.api.delete(`${setting.path}/${made.id}`)).status).toBe(404)
  })
})

describe('a comment', () => {
  it('of someone else is refused with 403, after shape and existence', async () => {
    const { other, path, comment } = await setUp()
    const made = await comment()
    const change = await other.api.patch(`${path}/${made.id}`, { markdown_content: 'Mine' })
    expect(change.status).toBe(403)
    expect((await other.api.delete(`${path}/${made.id}`)).status).toBe(403)
    expect((await other.api.patch(`${path}/${made.id}`, {})).status).toBe(403)
    expect((await other.api.patch(`${path}/${made.id}`, { markdown_content: '' })).status).toBe(422)
    expect((await other.api.delete(`${path}/${NEVER}`)).status).toBe(404)
    expect((await other.api.get(path)).body.items).toEqual([made])
  })

  it('of another work order, or of another project, is 404 here', async () => {
    const { admin, api, path, comment } = await setUp()
    const made = await comment()
    const elsewhere = await createWorkOrder(admin.api)
    const stranger = await setUp()
    const calls = [
      () => api.patch(`/work_orders/${elsewhere.id}/comments/${made.id}`, { markdown_content: 'x' }),
      () => api.delete(`/work_orders/${elsewhere.id}/comments/${made.id}`),
      () => stranger.admin.api.patch(`${path}/${made.id}`, { markdown_content: 'x' }),
      () => stranger.admin.api.delete(`${path}/${made.id}`),
      () => stranger.admin.api.delete(`${stranger.path}/${made.id}`),
    ]
    for (const call of calls) expect((await call()).status).toBe(404)
    expect((await api.get(path)).body.items).toEqual([made])
  })

  it('is 422 by an id that is no uuid', async () => {
    const { api, path } = await setUp()
    const { status, body } = await api.patch(`${path}/abc`, {})
    expect(status).toBe(422)
    expect(body.errors[0].pointer).toBe('/comment_id')
    expect((await api.delete(`${path}/abc`)).status).toBe(422)
  })
})
