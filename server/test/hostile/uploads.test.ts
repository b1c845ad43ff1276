import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, type Client, openWorkspace, type Workspace } from '../harness.ts'
import { expectNoBlocking } from '../loop-delay.ts'

let ws: Workspace
let api: Client
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
})
afterAll(() => ws.close())

const send = (...parts: string[]) => {
  const body = `${parts.map((part) => `--b\r\n${part}\r\n`).join('')}--b--\r\n`
  return api.post('/artifacts', Buffer.from(body), { 'content-type': 'multipart/form-data; boundary=b' })
}
let files = 0
const uploadAs = (contentType: string) =>
  send(
    `Content-Disposition: form-data; name="file"; filename="${++files}.txt"\r\nContent-Type: ${contentType}\r\n\r\nbytes`,
  )

/** Whatever was accepted can be read back. Everything else is refused with a clear message. */
async function expectReadable({ status, body }: Answer) {
  if (status !== 201) return expect([400, 413, 415, 422]).toContain(status)
  const file = await api.get(`/artifacts/${body.data.id}/content`)
  expect([file.status, file.text]).toEqual([200, 'bytes'])
  expect(file.headers['content-type']).toMatch(/^[\x21-\x7e]+\/[\t\x20-\x7e]+$/)
  return expect(file.headers['content-disposition']).toMatch(/^[\x20-\x7e]+$/)
}

describe('the content type of an uploaded part', () => {
  it.each([
    'text/html\n;x',
    'text/html\v;x',
    'text/html;a\rb',
    'text/\u0000',
    'ü/ü',
    '/',
    '',
    'a/b;\u2028c',
    'x'.repeat(9_000),
  ])('that is invalid in a header becomes application/octet-stream: %j', async (contentType) => {
    const answer = await uploadAs(contentType)
    expect(answer).toMatchObject({ status: 201, body: { data: { content_type: 'application/octet-stream' } } })
    await expectReadable(answer)
  })

  it.each(['text/plain; charset=utf-8', 'image/svg+xml', 'text/html;\tcharset="a b"'])(
    'is kept: %j',
    async (contentType) => {
      const answer = await uploadAs(contentType)
      expect(answer).toMatchObject({ status: 201, body: { data: { content_type: contentType } } })
      await expectReadable(answer)
    },
  )

  it('that an older version stored does not prevent reading the file', async () => {
    const { id } = (await uploadAs('text/plain')).body.data
    await ws.sql`update artifacts set content_type = ${'text/html\n;x'} where id = ${id}`
    const file = await api.get(`/artifacts/${id}/content`)
    expect([file.status, file.headers['content-type'], file.text]).toEqual([200, 'application/octet-stream', 'bytes'])
  })
})

it.each([
  'filename="a\nb.txt"',
  'filename="a\rb.txt"',
  'filename="a\u0000b.txt"',
  'filename="a\\"b.txt"',
  'filename="\'"',
  'filename=""',
  'filename="."',
  'filename="‮gpj.exe"',
  `filename="${'x'.repeat(15_000)}"`,
  `filename="${'😀'.repeat(400)}"`,
  "filename*=UTF-8''%ED%A0%80.txt",
  "filename*=UTF-8''%0D%0ASet-Cookie:a=b.txt",
  "filename*=UTF-8''%E2%82",
  "filename*=ISO-8859-1''%FC.txt",
])('a file of any name is refused or can be read: %j', async (name) => {
  await expectReadable(
    await send(`Content-Disposition: form-data; name="file"; ${name}\r\nContent-Type: text/plain\r\n\r\nbytes`),
  )
})

it.each([
  ['no name', 'Content-Disposition: form-data\r\n\r\nbytes'],
  ['no headers', '\r\nbytes'],
  ['a header without a name', ': x\r\n\r\nbytes'],
  ['too many headers', `${'X: y\r\n'.repeat(5_000)}\r\nbytes`],
  ['a header that never ends', `Content-Disposition: form-data; name="file"; a="${'x'.repeat(1_000_000)}`],
])('a part with %s is refused', async (_, part) => {
  expect(await send(part)).toMatchObject({ status: 400, body: { code: 'malformed_multipart' } })
})

it('other requests do not wait for thousands of parts or parameters', async () => {
  const parts = Array.from({ length: 5_000 }, (_, index) => `Content-Disposition: form-data; name="${index}"\r\n\r\nx`)
  await expectNoBlocking(async () => expect((await send(...parts)).status).toBe(400))
  for (const parameter of [';a="', ';a=" ', ';', '; ', ';a', ';a="\\"', '\\', '"'])
    await expectNoBlocking(async () => {
      const header = `Content-Disposition: form-data; name="file"${parameter.repeat(15_000 / parameter.length)}`
      expect((await send(`${header}\r\n\r\nbytes`)).status).toBeLessThan(500)
    })
})
