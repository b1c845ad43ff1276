import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, createFile, createFolder, namesIn } from './artifact.factory.ts'

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
})
afterAll(() => ws.close())

const deleteFolder = (body: unknown, headers = {}) => api.delete('/artifacts/folders', headers, body)

describe('a deletion', () => {
  it('is for good, with an empty answer, and frees the name', async () => {
    const made = await createDocument(api, { name: 'gone.md' })
    const { status, text } = await api.delete(`/artifacts/${made.id}`)
    expect([status, text]).toEqual([204, ''])
    for (const path of [`/artifacts/${made.id}`, `/artifacts/${made.id}/content`])
      expect((await api.get(path)).status).toBe(404)
    expect((await api.delete(`/artifacts/${made.id}`)).status).toBe(404)
    expect((await createDocument(api, { name: 'GONE.md' })).id).not.toBe(made.id)
    const [event] =
      await ws.sql`select kind, payload from events where subject_id = ${made.id} order by id desc limit 1`
    expect(event).toEqual({
      kind: 'artifact.deleted',
      payload: { type: 'document', name: 'gone.md', folder_path: '' },
    })
  })

  it('of a folder takes everything in it, and nothing beside it', async () => {
    const project = await ws.project()
    const own = project.admin.api
    await createDocument(own, { name: 'a.md', folder_path: 'tree' })
    await createFile(own, { fileName: 'b.bin', fields: { folder_path: 'tree/one/two' } })
    await createDocument(own, { name: 'beside.md', folder_path: 'trees' })
    const [tree] = (await own.get('/artifacts?name=tree&type=folder')).body.items
    expect((await own.delete(`/artifacts/${tree.id}`)).status).toBe(204)
    expect(await namesIn(own)).toEqual(['beside.md', 'trees'])
    const events = await ws.sql`select 1 from events where kind = 'artifact.deleted' and project_id = ${project.id}`
    expect(events).toHaveLength(5)
  })

  it('of what nobody knows here is a 404, of no id a 422', async () => {
    const elsewhere = await createDocument((await ws.project()).admin.api)
    for (const id of [NEVER, elsewhere.id]) expect((await api.delete(`/artifacts/${id}`)).status).toBe(404)
    expect((await api.delete('/artifacts/abc')).status).toBe(422)
  })
})

describe('the deletion of a folder by path', () => {
  it('takes everything in it, and says that it is deprecated', async () => {
    await createDocument(api, { folder_path: 'Old/2020/q1' })
    const answer = await deleteFolder({ folder_path: '/old/2020/' })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers.deprecation).toMatch(/^@\d+$/)
    expect(answer.headers.link).toContain('rel="deprecation"')
    expect(answer.headers.sunset).toBeUndefined()
    expect(await namesIn(api, '&folder_path=old')).toEqual([])
    expect(await namesIn(api, '&name=old&type=folder')).toEqual(['Old'])
  })

  it.each(['', '/', '//'])('is refused for the root %j: 409', async (folder_path) => {
    await createDocument(api)
    const answer = await deleteFolder({ folder_path })
    expect(answer).toMatchObject({ status: 409, body: { code: 'root_folder' } })
    expect((await api.get('/artifacts')).body.total).toBeGreaterThan(0)
  })

  it('is a 404 for what is not there or is no folder', async () => {
    await createDocument(api, { name: 'leaf.md' })
    const other = (await ws.project()).admin.api
    await createDocument(other, { folder_path: 'theirs' })
    for (const folder_path of ['nowhere', 'leaf.md', 'theirs', 'a//b', '..'])
      expect((await deleteFolder({ folder_path })).status).toBe(404)
  })

  it('needs a body of the right shape', async () => {
    expect((await deleteFolder(undefined)).status).toBe(400)
    expect((await deleteFolder('{')).status).toBe(400)
    for (const body of [{}, { folder_path: null }, { folder_path: 7 }, { folder_path: 'a\u0000' }, []])
      expect((await deleteFolder(body)).status).toBe(422)
    const unknown = await deleteFolder({ folder_path: 'nowhere', force: true })
    expect([unknown.status, unknown.headers['x-ignored-fields']]).toEqual([404, 'force'])
  })

  it('heeds If-Match', async () => {
    const folder = await createFolder(api, { name: 'matched' })
    const { etag } = (await api.get(`/artifacts/${folder.id}`)).headers
    expect((await deleteFolder({ folder_path: 'matched' }, { 'if-match': '"old"' })).status).toBe(412)
    expect((await deleteFolder({ folder_path: 'matched' }, { 'if-match': etag! })).status).toBe(204)
  })

  it('is the only thing at its address', async () => {
    const answer = await api.get('/artifacts/folders')
    expect([answer.status, answer.headers.allow]).toEqual([405, 'DELETE'])
  })
})
