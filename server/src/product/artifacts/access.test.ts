import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, createFile, upload } from './artifact.factory.ts'

const READS: [string, (api: Client, id: string) => ReturnType<Client['get']>][] = [
  ['list', (api) => api.get('/artifacts')],
  ['read', (api, id) => api.get(`/artifacts/${id}`)],
  ['download', (api, id) => api.get(`/artifacts/${id}/content`)],
]
const WRITES: [string, (api: Client, id: string, body?: unknown) => ReturnType<Client['get']>][] = [
  ['create', (api, _, body = { name: 'x' }) => api.post('/artifacts', body)],
  ['upload', (api) => upload(api)],
  ['change', (api, id, body = { name: 'x' }) => api.patch(`/artifacts/${id}`, body)],
  ['delete', (api, id) => api.delete(`/artifacts/${id}`)],
  ['delete a folder', (api, _, body = { folder_path: 'x' }) => api.delete('/artifacts/folders', {}, body)],
]

let ws: Workspace
let admin: Client
let viewer: Client
let id: string
beforeAll(async () => {
  ws = await openWorkspace()
  const project = await ws.project()
  admin = project.admin.api
  viewer = (await project.join('viewer')).api
  id = (await createDocument(admin)).id
})
afterAll(() => ws.close())

describe('without a valid key', () => {
  it.each([...READS, ...WRITES])('nobody may %s', async (_, call) => {
    for (const key of [undefined, `sofa-ext-${'x'.repeat(43)}`]) {
      const { status, body } = await call(ws.client(key), id)
      expect([status, body.code]).toEqual([401, 'unauthorized'])
    }
  })
})

describe('a viewer', () => {
  it.each(READS)('may %s', async (_, call) => {
    expect((await call(viewer, id)).status).toBe(200)
  })

  it.each(WRITES)('may not %s, whatever the body', async (_, call) => {
    for (const body of [undefined, '{"broken', { nonsense: true }])
      expect(await call(viewer, id, body)).toMatchObject({ status: 403, body: { code: 'viewer' } })
    expect((await admin.get('/artifacts')).body.total).toBe(1)
  })

  it('is refused an upload before any of it is stored', async () => {
    const write = vi.spyOn(ws.store, 'write')
    onTestFinished(() => write.mockRestore())
    expect((await upload(viewer, { content: Buffer.alloc(100_000) })).status).toBe(403)
    expect(write).not.toHaveBeenCalled()
    await createFile(admin)
    expect(write).toHaveBeenCalledOnce()
  })
})

it('an editor may write', async () => {
  const { api } = await (await ws.project()).join('editor')
  const file = await createFile(api)
  expect((await api.patch(`/artifacts/${file.id}`, { name: 'mine' })).status).toBe(200)
  expect((await api.delete(`/artifacts/${file.id}`)).status).toBe(204)
})

it('another project sees nothing of it', async () => {
  const stranger = (await ws.project()).admin.api
  for (const [, call] of READS.slice(1)) expect((await call(stranger, id)).status).toBe(404)
  expect((await stranger.get('/artifacts')).body.total).toBe(0)
  expect((await stranger.delete(`/artifacts/${id}`)).status).toBe(404)
})
