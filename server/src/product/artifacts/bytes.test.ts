import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { slices } from '../../app.ts'
import { startWorker } from '../../kernel/jobs/jobs.ts'
import { wire } from '../../kernel/slice.ts'
import { createFolderStore, newKey, type Store } from '../../kernel/storage/index.ts'
import { openS3, type S3Server } from '../../kernel/storage/s3.factory.ts'
import { createDocument, createFile, createFolder, upload } from './artifact.factory.ts'
import { artifacts } from './index.ts'

let s3: S3Server
let folder: string
beforeAll(async () => {
  s3 = await openS3()
  folder = await mkdtemp(path.join(tmpdir(), 'slipway-bytes-'))
})
afterAll(async () => {
  await s3.close()
  await rm(folder, { recursive: true, force: true })
})

const installationId = randomUUID()
const STORES: [string, () => Store][] = [
  ['a folder', () => createFolderStore({ folder, bucket: 'bucket', installationId })],
  ['S3', () => s3.store],
]

async function open(store: Store): Promise<Workspace> {
  const ws = await openWorkspace({ store })
  onTestFinished(() => ws.close())
  return ws
}

/** Runs the queue of a workspace until the check holds. */
async function work(ws: Workspace, check: () => Promise<boolean>) {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const worker = startWorker({ sql: ws.sql, wiring: wire(slices), store: ws.store, log })
  await eventually(check)
  await worker.stop(10_000)
}

const keyOf = (uri: string) => uri.replace(/^s3:\/\/bucket\//, '')
const keysOf = async (store: Store, projectId: string) => {
  const keys: string[] = []
  for await (const { key } of store.list(`${store.installationId}/artifacts/${projectId}/`)) keys.push(key)
  return keys.sort()
}
const sweep = (ws: Workspace) =>
  artifacts.jobs!.sweep_artifact_bytes!.run({}, { db: ws.sql, store: ws.store, wiring: wire(slices), log: console })

describe.each(STORES)('with the bytes in %s', (_title, openStore) => {
  it('a file is uploaded, read in parts, renamed and moved', async () => {
    const ws = await open(openStore())
    const { id: projectId, admin } = await ws.project()
    const content = Buffer.alloc(6 * 1024 * 1024, 'slipway ')
    const file = await createFile(admin.api, { content, fileName: 'große Datei.bin' })
    expect(file.s3_uri).toMatch(
      new RegExp(`^s3://bucket/${ws.store.installationId}/artifacts/${projectId}/[0-9a-f-]{36}$`),
    )
    const folder = await createFolder(admin.api)
    await admin.api.patch(`/artifacts/${file.id}`, { name: 'small.bin', parent_id: folder.id })
    const all = await admin.api.get(`/artifacts/${file.id}/content`)
    expect(all.bytes.equals(content)).toBe(true)
    const part = await admin.api.get(`/artifacts/${file.id}/content`, { range: 'bytes=5242878-5242899' })
    expect([part.status, part.bytes.equals(content.subarray(5_242_878, 5_242_900))]).toEqual([206, true])
    expect(await keysOf(ws.store, projectId)).toEqual([keyOf(file.s3_uri)])
  })

  it('what is refused or repeated leaves none', async () => {
    const ws = await open(openStore())
    const { id: projectId, admin } = await ws.project()
    const file = await createFile(admin.api, { fileName: 'taken' })
    await upload(admin.api, { fileName: 'taken' })
    await upload(admin.api, { fileName: 'a/..' })
    await upload(admin.api, { fields: { parent_id: file.id } })
    await admin.api.post('/artifacts', { name: 'TAKEN', markdown_content: 'x' })
    const headers = { 'idempotency-key': 'k' }
    const kept = await createFile(admin.api, { fileName: 'kept', headers })
    await upload(admin.api, { fileName: 'kept', headers })
    await admin.api.patch(`/artifacts/${kept.id}`, { name: 'taken' })
    const document = await createDocument(admin.api)
    await admin.api.patch(`/artifacts/${document.id}`, { name: 'taken', markdown_content: 'new' })
    await admin.api.patch(`/artifacts/${document.id}`, { markdown_content: 'new' }, { 'if-match': '"old"' })
    await admin.api.patch(`/artifacts/${document.id}`, { markdown_content: document.markdown_content })
    const expected = [file, kept, document].map((one) => keyOf(one.s3_uri)).sort()
    await eventually(async () => (await keysOf(ws.store, projectId)).length === expected.length)
    expect(await keysOf(ws.store, projectId)).toEqual(expected)
  })

  it('what is replaced or deleted is removed after the commit', async () => {
    const ws = await open(openStore())
    const { id: projectId, admin } = await ws.project()
    const document = await createDocument(admin.api, { markdown_content: 'old' })
    const { body } = await admin.api.patch(`/artifacts/${document.id}`, { markdown_content: 'new' })
    const inside = await createFile(admin.api, { fields: { folder_path: 'a/b' } })
    await admin.api.delete('/artifacts/folders', {}, { folder_path: 'a' })
    expect(await keysOf(ws.store, projectId)).toEqual(
      [document.s3_uri, body.data.s3_uri, inside.s3_uri].map(keyOf).sort(),
    )
    await work(ws, async () => (await keysOf(ws.store, projectId)).length === 1)
    expect(await keysOf(ws.store, projectId)).toEqual([keyOf(body.data.s3_uri)])
    expect((await admin.api.get(`/artifacts/${document.id}/content`)).text).toBe('new')
  })
})

describe('the sweeper', () => {
  const days = (count: number) => new Date(Date.now() - count * 24 * 3_600_000)

  it('removes bytes without a row after a day, and never those that have one', async () => {
    const ws = await open(createFolderStore({ folder, bucket: 'bucket', installationId }))
    const { id: projectId, admin } = await ws.project()
    const file = await createFile(admin.api)
    // As a crash leaves them: the bytes are there, the row is not.
    const [old, recent] = [newKey(ws.store, 'artifacts', projectId), newKey(ws.store, 'artifacts', projectId)]
    for (const key of [old, recent]) await ws.store.write(key, Readable.from([Buffer.from('x')]))
    for (const key of [old, keyOf(file.s3_uri)]) await utimes(path.join(folder, key), days(2), days(2))
    await sweep(ws)
    expect(await keysOf(ws.store, projectId)).toEqual([keyOf(file.s3_uri), recent].sort())
    expect((await admin.api.get(`/artifacts/${file.id}/content`)).status).toBe(200)
  })

  it('removes what a project that is gone has left', async () => {
    const ws = await open(createFolderStore({ folder, bucket: 'bucket', installationId }))
    const { id: projectId, admin } = await ws.project()
    const file = await createFile(admin.api)
    await ws.sql`delete from artifacts where project_id = ${projectId}`
    await utimes(path.join(folder, keyOf(file.s3_uri)), days(2), days(2))
    await sweep(ws)
    expect(await keysOf(ws.store, projectId)).toEqual([])
  })
})

describe('while the store is away', () => {
  const away: Store = createFolderStore({ folder: '/dev/null/none', bucket: 'bucket', installationId })

  it('nothing is made or changed, and everything else works', async () => {
    const ws = await open(createFolderStore({ folder, bucket: 'bucket', installationId }))
    const { admin } = await ws.project()
    const document = await createDocument(admin.api, { markdown_content: 'kept' })
    const cut = ws.client(admin.key, await ws.node({ store: away }))
    for (const answer of [
      await upload(cut),
      await cut.post('/artifacts', { name: 'x' }),
      await cut.patch(`/artifacts/${document.id}`, { markdown_content: 'lost' }),
    ])
      expect(answer).toMatchObject({ status: 503, body: { code: 'storage_unavailable' } })
    expect((await cut.get(`/artifacts/${document.id}`)).body.data.markdown_content).toBe('kept')
    expect((await cut.patch(`/artifacts/${document.id}`, { name: 'renamed.md' })).status).toBe(200)
    expect((await cut.get('/artifacts')).body.total).toBe(1)
  })
})
