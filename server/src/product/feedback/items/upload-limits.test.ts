import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { readTrustProxy } from '../../../kernel/http/clients/trust-proxy.ts'
import { DEFAULT_SETTINGS, sliceSettingsFrom } from '../../../kernel/settings.ts'
import { feedbackProject, REPORT } from '../feedback.factory.ts'
import { forgetUnusedUploads, UPLOADS } from './uploads.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const formOf = (bytes: number) =>
  Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="shot.png"\r\n\r\n'),
    Buffer.alloc(bytes, 'x'),
    Buffer.from('\r\n--b--\r\n'),
  ])
const multipart = { 'content-type': 'multipart/form-data; boundary=b' }
const upload = (api: Client, bytes: number) => api.post('/v2/reporting-api/uploads', formOf(bytes), multipart)

async function storedFiles(projectId: string): Promise<number> {
  let count = 0
  for await (const _file of ws.store.list(`${ws.store.installationId}/${UPLOADS}/${projectId}`)) count++
  return count
}

const nodeWith = ({ bytesPerHour = 0, storedBytes = 0 }: { bytesPerHour?: number; storedBytes?: number }) =>
  ws.node({
    settings: {
      ...DEFAULT_SETTINGS,
      of: sliceSettingsFrom({
        REPORTING_UPLOAD_BYTES_PER_HOUR: String(bytesPerHour),
        REPORTING_STORAGE_BYTES: String(storedBytes),
      }),
    },
  })

describe('with a reporting key', () => {
  it('a file has a limit of its own', async () => {
    const { admin, reporter } = await feedbackProject(ws)
    const node = await ws.node({ reportingUploadLimitBytes: 1_000 })
    const api = ws.client(reporter.key, node)
    expect((await upload(api, 1_000)).status).toBe(201)
    const refused = await upload(api, 1_001)
    expect(refused).toMatchObject({ status: 413, body: { code: 'body_too_large' } })
    expect(refused.body.detail).toContain('1000 bytes')
    expect((await ws.client(admin.key, node).post('/artifacts', formOf(1_001), multipart)).status).toBe(201)
  })

  it('a report is read up to 1 MiB', async () => {
    const { reporter } = await feedbackProject(ws)
    const longest = { end_user_email: 'a@example.org', content: 'ü'.repeat(100_000) }
    expect((await reporter.api.post(REPORT, longest)).status).toBe(201)
    expect((await reporter.api.post(REPORT, { ...longest, more: 'x'.repeat(1024 * 1024) })).status).toBe(413)
  })

  it('bytes are limited per hour, and the next hour starts from zero', async () => {
    const { project, reporter } = await feedbackProject(ws)
    const node = await nodeWith({ bytesPerHour: 1_000 })
    const api = ws.client(reporter.key, node)
    expect((await upload(api, 600)).status).toBe(201)
    expect(await upload(api, 401)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect((await upload(api, 400)).status).toBe(201)
    const refused = await upload(api, 1)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3_000)
    const other = await project.join('editor', 'reporting')
    expect((await upload(ws.client(other.key, node), 400)).status).toBe(201)
    await ws.sql`update feedback_upload_hours set started_at = started_at - interval '61 minutes'
      where key_id = ${reporter.keyId}`
    expect((await upload(api, 1_000)).status).toBe(201)
    expect(await storedFiles(project.id)).toBe(4)
  })

  it('files take up no more than the quota of the project, also when they come at once', async () => {
    const { project, reporter } = await feedbackProject(ws)
    const api = ws.client(reporter.key, await nodeWith({ storedBytes: 1_000 }))
    const answers = await Promise.all(Array.from({ length: 8 }, () => upload(api, 300)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(answers.find(({ status }) => status !== 201)).toMatchObject({ status: 507, body: { code: 'quota_reached' } })
    expect((await upload(api, 100)).status).toBe(201)
    expect((await upload(api, 0)).status).toBe(507)
    expect(await storedFiles(project.id)).toBe(4)
  })

  it('room that an unused file took up is free when it is forgotten', async () => {
    const { project, reporter } = await feedbackProject(ws)
    const api = ws.client(reporter.key, await nodeWith({ storedBytes: 1_000 }))
    await upload(api, 400)
    await upload(api, 600)
    expect((await upload(api, 1)).status).toBe(507)
    await ws.sql`update feedback_uploads set created_at = now() - interval '25 hours'
      where project_id = ${project.id} and file_size = 600`
    await forgetUnusedUploads({ db: ws.sql })
    expect((await upload(api, 600)).status).toBe(201)
    expect((await upload(api, 1)).status).toBe(507)
  })
})

describe('one address', () => {
  const body = { end_user_email: 'a@example.org', content: 'x' }

  it('cannot use up the whole minute of a key', async () => {
    const { reporter } = await feedbackProject(ws)
    const node = await ws.node({
      rateLimitReporting: 4,
      rateLimitReportingPerAddress: 2,
      trustProxy: readTrustProxy('1'),
    })
    const api = ws.client(reporter.key, node)
    const from = async (address: string) => api.post(REPORT, body, { 'x-forwarded-for': address })
    const answers = []
    for (let count = 0; count < 5; count++) answers.push(await from('203.0.113.1'))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 429, 429, 429])
    expect(answers[2]).toMatchObject({ body: { code: 'rate_limited' } })
    expect(Number(answers[2]!.headers['retry-after'])).toBeGreaterThan(0)
    expect((await from('203.0.113.2')).status).toBe(201)
  })

  it('has half of it unless the operator says otherwise, and this machine has all of it', async () => {
    const options = { rateLimitReporting: 20, trustProxy: readTrustProxy('1') }
    const send = async (more: { rateLimitReportingPerAddress?: number }, headers = {}) => {
      const { reporter } = await feedbackProject(ws)
      const api = ws.client(reporter.key, await ws.node({ ...options, ...more }))
      const answers = await Promise.all(Array.from({ length: 15 }, () => api.post(REPORT, body, headers)))
      return answers.filter(({ status }) => status === 201).length
    }
    const elsewhere = { 'x-forwarded-for': '203.0.113.1' }
    expect(await send({}, elsewhere)).toBe(10)
    expect(await send({ rateLimitReportingPerAddress: 0 }, elsewhere)).toBe(15)
    expect(await send({})).toBe(15)
  })
})
