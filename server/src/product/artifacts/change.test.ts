import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWorkOrder } from '../work-orders/work-order.factory.ts'
import { createDocument, createFile, createFolder } from './artifact.factory.ts'

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
})
afterAll(() => ws.close())

const pathOf = async (id: string) => (await api.get(`/artifacts/${id}`)).body.data.folder_path

describe('a rename', () => {
  it('changes the name and nothing else but the time', async () => {
    for (const made of [await createDocument(api), await createFile(api), await createFolder(api)]) {
      const { status, body } = await api.patch(`/artifacts/${made.id}`, { name: `renamed ${made.name}` })
      expect(status).toBe(200)
      expect(body.data).toEqual({ ...made, name: `renamed ${made.name}`, updated_at: body.data.updated_at })
      expect(body.data.updated_at > made.updated_at).toBe(true)
      expect((await api.get(`/artifacts/${made.id}`)).body).toEqual(body)
    }
  })

  it('to the same name changes nothing; to another case it does', async () => {
    const made = await createDocument(api, { name: 'Case.md' })
    expect((await api.patch(`/artifacts/${made.id}`, { name: 'Case.md' })).body.data).toEqual(made)
    expect((await api.patch(`/artifacts/${made.id}`, { name: 'CASE.md' })).body.data.name).toBe('CASE.md')
  })

  it('to a name that is taken is a 409', async () => {
    await createDocument(api, { name: 'There.md', folder_path: 'taken' })
    const { id } = await createDocument(api, { name: 'other.md', folder_path: 'taken' })
    expect(await api.patch(`/artifacts/${id}`, { name: 'THERE.MD' })).toMatchObject({
      status: 409,
      body: { code: 'name_taken' },
    })
  })

  it('of what has another name than expected is refused, and its second attempt is not', async () => {
    const { id } = await createDocument(api, { name: 'Seen.md' })
    const rename = (name: string, expected_name: string) => api.patch(`/artifacts/${id}`, { name, expected_name })
    expect((await rename('Theirs.md', 'Seen.md')).status).toBe(200)
    expect((await rename('Theirs.md', 'Seen.md')).status).toBe(200)
    const refused = await rename('Mine.md', 'Seen.md')
    expect(refused).toMatchObject({ status: 412, body: { detail: expect.stringContaining('"Theirs.md" now') } })
    expect((await rename('Mine.md', 'Theirs.md')).body.data.name).toBe('Mine.md')
  })

  it('of a folder renames the paths of all that lies in it', async () => {
    const inside = await createDocument(api, { folder_path: 'top/middle/low' })
    const aside = await createDocument(api, { folder_path: 'topping' })
    const [top] = (await api.get('/artifacts?type=folder&name=top&folder_path=&recursive=false')).body.items
    const before = await api.get(`/artifacts/${inside.id}`)
    await api.patch(`/artifacts/${top.id}`, { name: '100%_top\\' })
    const after = await api.get(`/artifacts/${inside.id}`)
    expect(after.body.data.folder_path).toBe('100%_top\\/middle/low')
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect(await pathOf(aside.id)).toBe('topping')
    const listed = await api.get(`/artifacts?folder_path=${encodeURIComponent('100%_TOP\\/middle')}`)
    expect(listed.body.total).toBe(2)
  })
})

describe('a move', () => {
  it('puts it into the folder, and with null into the root', async () => {
    const folder = await createFolder(api, { name: 'Target', folder_path: 'moves' })
    const made = await createFile(api)
    const moved = await api.patch(`/artifacts/${made.id}`, { parent_id: folder.id })
    expect(moved.body.data.folder_path).toBe('moves/Target')
    expect((await api.patch(`/artifacts/${made.id}`, { parent_id: null })).body.data.folder_path).toBe('')
  })

  it('takes everything along', async () => {
    const inside = await createDocument(api, { folder_path: 'along/a/b' })
    const [a] = (await api.get('/artifacts?folder_path=along&recursive=false')).body.items
    const target = await createFolder(api, { name: 'elsewhere' })
    await api.patch(`/artifacts/${a.id}`, { parent_id: target.id, name: 'A' })
    expect(await pathOf(inside.id)).toBe('elsewhere/A/b')
    expect((await api.get('/artifacts?folder_path=along')).body.total).toBe(0)
  })

  it('into itself or into what lies in it is a 409', async () => {
    const outer = await createFolder(api)
    const inner = await createFolder(api, { parent_id: outer.id })
    const innermost = await createFolder(api, { parent_id: inner.id })
    for (const parent_id of [outer.id, inner.id, innermost.id])
      expect(await api.patch(`/artifacts/${outer.id}`, { parent_id })).toMatchObject({
        status: 409,
        body: { code: 'cycle' },
      })
  })

  it('to where its name is taken is a 409', async () => {
    const folder = await createFolder(api)
    await createDocument(api, { name: 'clash.md', parent_id: folder.id })
    const { id } = await createDocument(api, { name: 'CLASH.md' })
    expect((await api.patch(`/artifacts/${id}`, { parent_id: folder.id })).status).toBe(409)
    expect((await api.patch(`/artifacts/${id}`, { parent_id: folder.id, name: 'free.md' })).status).toBe(200)
  })

  it('to nowhere is a 404, to what is no folder a 422', async () => {
    const made = await createDocument(api)
    const elsewhere = await createFolder((await ws.project()).admin.api)
    for (const parent_id of [NEVER, elsewhere.id])
      expect(await api.patch(`/artifacts/${made.id}`, { parent_id })).toMatchObject({
        status: 404,
        body: { errors: [{ pointer: '/parent_id' }] },
      })
    const wrong = [made.id, (await createFile(api)).id, (await createWorkOrder(api)).id, 'abc', 7, '']
    for (const parent_id of wrong)
      expect(await api.patch(`/artifacts/${made.id}`, { parent_id })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/parent_id' }] },
      })
  })
})

describe('new markdown', () => {
  it('replaces the content at a new s3_uri', async () => {
    const made = await createDocument(api, { markdown_content: 'old' })
    const { body } = await api.patch(`/artifacts/${made.id}`, { markdown_content: 'newer ✓' })
    expect(body.data).toMatchObject({ markdown_content: 'newer ✓', size_bytes: 9, content_type: 'text/markdown' })
    expect(body.data.s3_uri).not.toBe(made.s3_uri)
    expect((await api.get(`/artifacts/${made.id}/content`)).text).toBe('newer ✓')
    const [event] =
      await ws.sql`select kind, payload from events where subject_id = ${made.id} order by id desc limit 1`
    expect(event).toMatchObject({
      kind: 'artifact.updated',
      payload: { fields: ['markdown_content'], version_number: 2 },
    })
  })

  it('that is the same changes nothing', async () => {
    const made = await createDocument(api, { markdown_content: 'same' })
    expect((await api.patch(`/artifacts/${made.id}`, { markdown_content: 'same' })).body.data).toEqual(made)
    expect((await ws.sql`select 1 from events where subject_id = ${made.id}`).length).toBe(1)
  })

  it('of a file or a folder is a 422', async () => {
    for (const { id } of [await createFile(api), await createFolder(api)])
      expect(await api.patch(`/artifacts/${id}`, { markdown_content: 'x' })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/markdown_content' }] },
      })
  })

  it('goes with a name and a folder in one request, or not at all', async () => {
    const made = await createDocument(api, { markdown_content: 'old' })
    const folder = await createFolder(api)
    await createDocument(api, { name: 'busy.md', parent_id: folder.id })
    const all = { name: 'busy.md', parent_id: folder.id, markdown_content: 'new' }
    expect((await api.patch(`/artifacts/${made.id}`, all)).status).toBe(409)
    expect((await api.get(`/artifacts/${made.id}`)).body.data).toEqual(made)
    const { body } = await api.patch(`/artifacts/${made.id}`, { ...all, name: 'all.md' })
    expect(body.data).toMatchObject({ name: 'all.md', folder_path: folder.name, markdown_content: 'new' })
  })
})

describe('a PATCH', () => {
  it('of nothing changes nothing', async () => {
    const made = await createDocument(api)
    const { status, body } = await api.patch(`/artifacts/${made.id}`, {})
    expect([status, body.data]).toEqual([200, made])
  })

  it.each([
    ['name', null],
    ['name', ''],
    ['name', 'a/b'],
    ['name', '..'],
    ['name', 7],
    ['name', 'x'.repeat(501)],
    ['markdown_content', null],
    ['markdown_content', ['x']],
    ['markdown_content', 'a\u0001'],
  ])('with %s %j is a 422', async (field, value) => {
    const { id } = await createDocument(api)
    expect(await api.patch(`/artifacts/${id}`, { [field]: value })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: `/${field}` }] },
    })
  })

  it('names what it does not know, and refuses when it knows nothing', async () => {
    const { id } = await createDocument(api)
    const some = await api.patch(`/artifacts/${id}`, { name: 'known.md', folder_path: 'x' })
    expect([some.status, some.headers['x-ignored-fields']]).toEqual([200, 'folder_path'])
    const none = await api.patch(`/artifacts/${id}`, { folder_path: 'x', type: 'file' })
    expect(none).toMatchObject({ status: 422, body: { code: 'unknown_fields' } })
    expect(none.body.detail).toContain('name, markdown_content, parent_id')
  })

  it('of nothing known is a 404, of no id a 422', async () => {
    const elsewhere = await createDocument((await ws.project()).admin.api)
    for (const id of [NEVER, elsewhere.id])
      for (const body of [{}, { name: 'x' }, { markdown_content: 'x' }])
        expect((await api.patch(`/artifacts/${id}`, body)).status).toBe(404)
    expect((await api.patch('/artifacts/abc', { name: 'x' })).status).toBe(422)
  })
})

describe('the ETag', () => {
  it('changes with everything shown, and If-Match holds it', async () => {
    const folder = await createFolder(api)
    const { id } = await createDocument(api)
    const tag = async () => (await api.get(`/artifacts/${id}`)).headers.etag!
    const seen = [await tag()]
    for (const change of [{ name: 'e.md' }, { parent_id: folder.id }, { markdown_content: 'e' }]) {
      const answer = await api.patch(`/artifacts/${id}`, change, { 'if-match': seen.at(-1)! })
      expect(answer.status).toBe(200)
      expect(answer.headers.etag).toBe(await tag())
      seen.push(await tag())
    }
    await api.patch(`/artifacts/${folder.id}`, { name: 'folder of e' })
    seen.push(await tag())
    const link = { resourceType: 'artifact', resourceId: id }
    await createWorkOrder(api, { connectedContext: [link] })
    seen.push(await tag())
    expect(new Set(seen).size).toBe(seen.length)
    for (const old of seen.slice(0, -1)) {
      const answer = await api.patch(`/artifacts/${id}`, { markdown_content: 'late' }, { 'if-match': old })
      expect(answer).toMatchObject({ status: 412, body: { current_etag: seen.at(-1) } })
      expect((await api.delete(`/artifacts/${id}`, { 'if-match': old })).status).toBe(412)
    }
    expect((await api.get(`/artifacts/${id}`, { 'if-none-match': seen.at(-1)! })).status).toBe(304)
    expect((await api.patch(`/artifacts/${id}`, { name: 'any.md' }, { 'if-match': '*' })).status).toBe(200)
    expect((await api.delete(`/artifacts/${id}`, { 'if-match': await tag() })).status).toBe(204)
  })

  it('is judged after existence and before the state: 404, 412, 409', async () => {
    const { id } = await createDocument(api)
    const stale = { 'if-match': '"old"' }
    const taken = await createDocument(api)
    expect((await api.patch(`/artifacts/${NEVER}`, { name: 'x' }, stale)).status).toBe(404)
    expect((await api.patch(`/artifacts/${id}`, { parent_id: NEVER }, stale)).status).toBe(404)
    expect((await api.patch(`/artifacts/${id}`, { parent_id: taken.id }, stale)).status).toBe(422)
    expect((await api.patch(`/artifacts/${id}`, { name: taken.name }, stale)).status).toBe(412)
    expect((await api.patch(`/artifacts/${id}`, { name: taken.name })).status).toBe(409)
  })
})
