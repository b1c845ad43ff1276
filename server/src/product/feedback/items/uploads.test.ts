import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Member, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { newKey } from '../../../kernel/storage/index.ts'
import { feedbackProject, itemOf, NEVER, submitItem } from '../feedback.factory.ts'
import { forgetUnusedUploads, removeLostUploads, UPLOADS } from './uploads.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace({ uploadLimitBytes: 1_000_000 })
})
afterAll(() => ws.close())

const UPLOAD = '/v2/reporting-api/uploads'

function form(...parts: [headers: string, content: string | Buffer][]) {
  const pieces = parts.flatMap(([headers, content]) => [
    Buffer.from(`--bound\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...pieces, Buffer.from('--bound--\r\n')])
}
const multipart = { 'content-type': 'multipart/form-data; boundary=bound' }
const png = (name: string) => `name="file"; filename="${name}"\r\nContent-Type: image/png`
const upload = (
  { api }: Member,
  content: string | Buffer,
  headers = png('shot.png'),
  more: Record<string, string> = {},
) => api.post(UPLOAD, form([headers, content]), { ...multipart, ...more })

const storedKeys = async (projectId: string) => {
  const keys: string[] = []
  for await (const { key } of ws.store.list(`${ws.store.installationId}/${UPLOADS}/${projectId}/`)) keys.push(key)
  return keys
}

describe('an upload', () => {
  it('is answered with what a report needs, and can be read from the item', async () => {
    const { project, api, reporter } = await feedbackProject(ws)
    const bytes = Buffer.from([0, 1, 2, 255, 13, 10])
    const { status, body } = await upload(reporter, bytes)
    expect(status).toBe(201)
    expect(body).toEqual({
      file_key: expect.stringMatching(/^[A-Za-z0-9._/-]{1,512}$/),
      file_name: 'shot.png',
      file_size: 6,
      mime_type: 'image/png',
    })
    const { id } = await submitItem(api, reporter, 'See', { attachments: [{ ...body, file_name: 'Kørb "1".png' }] })
    const [attachment] = (await itemOf(api, id)).attachments
    const url = new URL(attachment.file_url).pathname
    const file = await api.get(url)
    expect([file.status, file.bytes]).toEqual([200, bytes])
    expect(file.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': `attachment; filename="K_rb _1_.png"; filename*=UTF-8''K%C3%B8rb%20%221%22.png`,
      'x-content-type-options': 'nosniff',
      'content-length': '6',
    })
    expect((await api.get(url, { 'if-none-match': file.headers.etag! })).status).toBe(304)
    const part = await api.get(url, { range: 'bytes=1-2' })
    expect([part.status, part.bytes, part.headers['content-range']]).toEqual([206, Buffer.from([1, 2]), 'bytes 1-2/6'])
    expect((await api.get(url, { range: 'bytes=9-' })).status).toBe(416)
    expect((await api.head(url)).headers['content-length']).toBe('6')
    const viewer = await project.join('viewer')
    expect((await viewer.api.get(url)).status).toBe(200)
  })

  it('is read with the project key alone, and in its own project alone', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const { body } = await upload(reporter, 'x')
    const { id } = await submitItem(api, reporter, 'See', { attachments: [body] })
    const url = new URL((await itemOf(api, id)).attachments[0].file_url).pathname
    expect((await ws.client(undefined).get(url)).status).toBe(401)
    expect((await reporter.api.get(url)).status).toBe(401)
    const stranger = await feedbackProject(ws)
    expect((await stranger.api.get(url)).status).toBe(404)
    const theirs = await submitItem(stranger.api, stranger.reporter, 'Mine?', { attachments: [body] })
    const stolen = new URL((await itemOf(stranger.api, theirs.id)).attachments[0].file_url).pathname
    expect((await stranger.api.get(stolen)).status).toBe(404)
  })

  it('that never came is 404 in every way', async () => {
    const { api, reporter } = await feedbackProject(ws)
    const attachment = { file_name: 'a.png', file_key: 'not/there.png', file_size: 1, mime_type: 'image/png' }
    const { id } = await submitItem(api, reporter, 'See', { attachments: [attachment] })
    const [{ id: attachmentId }] = (await itemOf(api, id)).attachments
    const path = (item: string, one: string) => `/feedback/items/${item}/attachments/${one}/content`
    for (const [item, one] of [
      [id, attachmentId],
      [id, NEVER],
      [NEVER, attachmentId],
    ])
      expect((await api.get(path(item, one))).status).toBe(404)
    expect((await api.get(path(id, 'x'))).status).toBe(422)
  })

  it('from before keys began with the id of the installation is read and removed like any other', async () => {
    const { project, api, reporter } = await feedbackProject(ws)
    const uploaded = (await upload(reporter, 'old')).body
    const oldKey = `feedback/${project.id}/${uploaded.file_key}`
    await ws.store.write(oldKey, Readable.from([Buffer.from('old')]))
    await ws.sql`update feedback_uploads set store_key = ${oldKey}, created_at = now() - interval '25 hours'
      where project_id = ${project.id}`
    const { id } = await submitItem(api, reporter, 'See', { attachments: [uploaded] })
    const url = new URL((await itemOf(api, id)).attachments[0].file_url).pathname
    expect((await api.get(url)).text).toBe('old')
    await ws.sql`delete from feedback_attachments where project_id = ${project.id}`
    await forgetUnusedUploads({ db: ws.sql })
    const jobs = await ws.sql`select 1 from graphile_worker._private_jobs where payload::text like ${`%"${oldKey}"%`}`
    expect(jobs).toHaveLength(1)
  })

  it('needs one file, of a size that is allowed', async () => {
    const { project, reporter } = await feedbackProject(ws)
    const send = (...parts: Parameters<typeof form>) => reporter.api.post(UPLOAD, form(...parts), multipart)
    expect((await send(['name="note"', 'x'])).status).toBe(422)
    expect((await send([png('a.png'), 'x'], [png('b.png'), 'y'])).status).toBe(422)
    expect((await upload(reporter, Buffer.alloc(1_000_001))).status).toBe(413)
    expect((await reporter.api.post(UPLOAD, { file: 'x' })).status).toBe(415)
    expect((await upload(reporter, '')).body.file_size).toBe(0)
    expect(await storedKeys(project.id)).toHaveLength(1)
  })

  it('keeps of a name only what can be shown', async () => {
    const { reporter } = await feedbackProject(ws)
    for (const [sent, kept] of [
      ['../../etc/passwd', 'passwd'],
      ['C:\\temp\\shot.png', 'shot.png'],
      ['a\u0007b.png', 'a_b.png'],
      ['x'.repeat(600), 'x'.repeat(500)],
      ['..', 'file'],
    ])
      expect((await upload(reporter, 'x', png(sent!))).body.file_name).toBe(kept)
  })

  it('needs a reporting key that may write', async () => {
    const { project, admin, reporter } = await feedbackProject(ws)
    const viewer = await project.join('viewer', 'reporting')
    expect((await upload(admin, 'x')).status).toBe(401)
    expect((await upload(viewer, 'x')).status).toBe(403)
    expect((await ws.client(undefined).post(UPLOAD, form([png('a'), 'x']), multipart)).status).toBe(401)
    expect(await storedKeys(project.id)).toEqual([])
    const page = await upload(reporter, 'x', png('a.png'), { origin: 'https://shop.example.org' })
    expect([page.status, page.headers['access-control-allow-origin']]).toEqual([201, 'https://shop.example.org'])
  })

  it('with an Idempotency-Key is kept once', async () => {
    const { project, reporter } = await feedbackProject(ws)
    const send = (content: string) => upload(reporter, content, png('a.png'), { 'idempotency-key': 'k' })
    const [first, again, other] = [await send('x'), await send('x'), await send('y')]
    expect([first.status, again.status, other.status]).toEqual([201, 201, 422])
    expect(again.body).toEqual(first.body)
    expect((await ws.sql`select 1 from feedback_uploads where project_id = ${project.id}`).length).toBe(1)
  })
})

describe('what nobody needs', () => {
  it('is forgotten a day after it came: uploads that no report names', async () => {
    const { project, api, reporter } = await feedbackProject(ws)
    const [used, unused, fresh] = [
      await upload(reporter, '1'),
      await upload(reporter, '2'),
      await upload(reporter, '3'),
    ]
    await submitItem(api, reporter, 'See', { attachments: [used.body] })
    await ws.sql`update feedback_uploads set created_at = now() - interval '25 hours'
      where file_key in (${used.body.file_key}, ${unused.body.file_key})`
    await forgetUnusedUploads({ db: ws.sql })
    const rows = await ws.sql`select file_key from feedback_uploads where project_id = ${project.id}`
    expect(rows.map((row) => row.file_key).sort()).toEqual([used.body.file_key, fresh.body.file_key].sort())
    const jobs =
      await ws.sql`select payload from graphile_worker._private_jobs where payload::text like ${`%${unused.body.file_key}%`}`
    expect(jobs).toHaveLength(1)
  })

  it('is removed: bytes that a crash left without a row', async () => {
    const { project, reporter } = await feedbackProject(ws)
    const kept = await upload(reporter, 'kept')
    const lost = newKey(ws.store, UPLOADS, project.id)
    await ws.store.write(lost, Readable.from([Buffer.from('lost')]))
    const old = { ...ws.store, list: listAsOld }
    await removeLostUploads({ db: ws.sql, store: old })
    expect(await storedKeys(project.id)).toEqual([expect.stringMatching(`/${kept.body.file_key}$`)])
  })

  /** As the store will list it in two days. */
  async function* listAsOld(prefix: string) {
    for await (const one of ws.store.list(prefix))
      yield { ...one, modifiedAt: new Date(one.modifiedAt.getTime() - 2 * 86_400_000) }
  }
})
