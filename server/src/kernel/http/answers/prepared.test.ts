import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const get = (url: string, headers: Record<string, string> = {}) => workspace.app.inject({ url, headers })
const decoders = { br: brotliDecompressSync, gzip: gunzipSync }

test.each([
  '/v2/app-api/openapi.json',
  '/docs',
  '/docs/operating',
  '/docs/operating.md',
  '/docs/external.openapi.json',
  '/docs/reference.css',
  '/llms.txt',
  '/widget.js',
])('%s comes in the form that the client asks for, and not again when it is known', async (url) => {
  const plain = await get(url)
  expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
  const tags = [plain.headers.etag]
  for (const encoding of ['br', 'gzip'] as const) {
    const { headers, rawPayload } = await get(url, { 'accept-encoding': encoding })
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding' })
    expect(rawPayload.length).toBeLessThan(plain.rawPayload.length * 0.7)
    expect(decoders[encoding](rawPayload).equals(plain.rawPayload)).toBe(true)
    const known = await get(url, { 'accept-encoding': encoding, 'if-none-match': String(headers.etag) })
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', headers.etag])
    tags.push(headers.etag)
  }
  expect(tags.every((tag) => /^"[^"]+"$/.test(String(tag)))).toBe(true)
  expect(new Set(tags).size).toBe(3)
})

test('the document of an API is the same for those with a key', async () => {
  const { key } = (await workspace.project()).admin
  const { body, headers } = await get('/v2/external-api/openapi.json', { 'x-api-key': key })
  expect(body).toBe((await get('/docs/external.openapi.json')).body)
  const known = await get('/v2/external-api/openapi.json', { 'x-api-key': key, 'if-none-match': String(headers.etag) })
  expect(known.statusCode).toBe(304)
})

test('pictures are sent as they are', async () => {
  const { statusCode, headers } = await get('/docs/images/board-dark.png', { 'accept-encoding': 'gzip, br' })
  expect([statusCode, headers['content-type'], headers['content-encoding']]).toEqual([200, 'image/png', undefined])
  expect((await get('/docs/images/..%2fweb.md')).statusCode).toBe(404)
})
