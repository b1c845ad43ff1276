import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createDocument, createFile, createFolder } from './artifact.factory.ts'

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
const content = randomBytes(200_000)
const sha256 = createHash('sha256').update(content).digest('hex')

let ws: Workspace
let api: Client
let path: string
let id: string
beforeAll(async () => {
  ws = await openWorkspace()
  api = (await ws.project()).admin.api
  id = (await createFile(api, { content, fileName: 'data.bin', contentType: 'image/png' })).id
  path = `/artifacts/${id}/content`
})
afterAll(() => ws.close())

describe('the content of a file', () => {
  it('comes as it was sent, with safe headers', async () => {
    const { status, bytes, headers } = await api.get(path)
    expect(status).toBe(200)
    expect(bytes.equals(content)).toBe(true)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': '200000',
      'content-disposition': `attachment; filename="data.bin"; filename*=UTF-8''data.bin`,
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      etag: `"${sha256}"`,
    })
    expect(headers['content-security-policy']).toContain("default-src 'none'")
  })

  it('is found by a key at the address that texts of earlier versions have', async () => {
    const { key } = (await ws.project()).admin
    const get = (url: string, headers = {}) => ws.app.inject({ url, headers })
    const { statusCode, headers } = await get(`/v2/app-api${path}`, { 'x-api-key': key })
    expect([statusCode, headers.location]).toEqual([307, `/v2/external-api${path}`])
    // The external API decides: this key is of another project.
    expect((await get(String(headers.location), { 'x-api-key': key })).statusCode).toBe(404)
    expect((await get(`/v2/app-api${path}`)).statusCode).toBe(401)
    expect((await get('/v2/app-api/artifacts', { 'x-api-key': key })).statusCode).toBe(401)
  })

  it('comes as HEAD without the bytes', async () => {
    const { status, bytes, headers } = await api.head(path)
    expect([status, bytes.length, headers['content-length'], headers.etag]).toEqual([200, 0, '200000', `"${sha256}"`])
    expect((await api.head(path, { range: 'bytes=0-1' })).status).toBe(200)
  })

  it('comes not again to who has it', async () => {
    for (const tag of [`"${sha256}"`, `W/"${sha256}"`, `"x", "${sha256}"`, '*']) {
      const { status, bytes, headers } = await api.get(path, { 'if-none-match': tag })
      expect([status, bytes.length, headers.etag]).toEqual([304, 0, `"${sha256}"`])
      expect((await api.head(path, { 'if-none-match': tag })).status).toBe(304)
    }
    expect((await api.get(path, { 'if-none-match': '"other"' })).status).toBe(200)
    // RFC 9110: 304 is decided before the range.
    expect((await api.get(path, { 'if-none-match': `"${sha256}"`, range: 'bytes=0-1' })).status).toBe(304)
  })

  it('leaves no file open', async () => {
    await Promise.all(Array.from({ length: 5 }, () => api.get(path)))
    const open = () =>
      readdirSync('/proc/self/fd').filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).includes('slipway-files')
        } catch {
          return false
        }
      })
    if (process.platform === 'linux') await eventually(() => open().length === 0)
  })

  it('of a type that a browser would run is still only a download', async () => {
    const file = await createFile(api, { fileName: 'x.html', contentType: 'text/html; charset=utf-8', content: '<p>' })
    const { headers } = await api.get(`/artifacts/${file.id}/content`)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-disposition']).toMatch(/^attachment;/)
  })

  it.for([
    'text/javascript',
    'Application/JavaScript; charset=utf-8',
    'application/x-javascript',
    'text/ecmascript',
    'text/javascript1.5',
    'text/jscript',
    'text/livescript',
    'text/css ; x=y',
  ])('of the type %s can be neither a script nor a style of any page', async (contentType) => {
    const file = await createFile(api, { contentType, content: 'alert(1)' })
    const { headers, text } = await api.get(`/artifacts/${file.id}/content`)
    expect(text).toBe('alert(1)')
    expect([headers['content-type'], headers['x-content-type-options']]).toEqual([
      'text/plain; charset=utf-8',
      'nosniff',
    ])
  })
})

describe('a range', () => {
  const ranges: [string, number, number][] = [
    ['bytes=0-0', 0, 0],
    ['bytes=0-99', 0, 99],
    ['bytes=199999-', 199_999, 199_999],
    ['bytes=100-', 100, 199_999],
    ['bytes=-1', 199_999, 199_999],
    ['bytes=-500', 199_500, 199_999],
    ['bytes=-900000', 0, 199_999],
    ['bytes=199990-999999', 199_990, 199_999],
    ['BYTES=1-2', 1, 2],
    ['bytes= 1-2', 1, 2],
  ]
  it.each(ranges)('%s is a 206 of just those bytes', async (range, start, end) => {
    const { status, bytes, headers } = await api.get(path, { range })
    expect(status).toBe(206)
    expect(headers['content-range']).toBe(`bytes ${start}-${end}/200000`)
    expect(headers['content-length']).toBe(String(end - start + 1))
    expect(headers.etag).toBe(`"${sha256}"`)
    expect(bytes.equals(content.subarray(start, end + 1))).toBe(true)
  })

  it.each(['bytes=200000-', 'bytes=200000-200001', 'bytes=-0', 'bytes=99999999999999999999-'])(
    '%s is a 416 that says how long it is',
    async (range) => {
      const { status, headers, body } = await api.get(path, { range })
      expect([status, headers['content-range']]).toEqual([416, 'bytes */200000'])
      expect(body.code).toBe('range_not_satisfiable')
      expect(headers['content-disposition']).toBeUndefined()
    },
  )

  it.each(['bytes=0-1,5-6', 'bytes=5-1', 'bytes=', 'bytes=-', 'lines=0-1', 'bytes=a-b', 'rubbish'])(
    '%s is ignored, as it may be',
    async (range) => {
      const { status, bytes } = await api.get(path, { range })
      expect([status, bytes.length]).toEqual([200, 200_000])
    },
  )

  it('counts only while the content is the same', async () => {
    const headers = { range: 'bytes=0-1' }
    expect((await api.get(path, { ...headers, 'if-range': `"${sha256}"` })).status).toBe(206)
    for (const other of ['"other"', `W/"${sha256}"`, 'Sun, 15 Nov 2026 00:00:00 GMT'])
      expect((await api.get(path, { ...headers, 'if-range': other })).status).toBe(200)
  })

  it('of nothing is a 416', async () => {
    const empty = await createFile(api, { content: '' })
    const answer = await api.get(`/artifacts/${empty.id}/content`, { range: 'bytes=0-' })
    expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */0'])
  })
})

describe('the name of a download', () => {
  const names: [string, string][] = [
    ['größe.txt', `attachment; filename="gr__e.txt"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt`],
    ['a "b" \\c.txt', `attachment; filename="a _b_ _c.txt"; filename*=UTF-8''a%20%22b%22%20%5Cc.txt`],
    ["it's (1)*.txt", `attachment; filename="it's (1)*.txt"; filename*=UTF-8''it%27s%20%281%29%2A.txt`],
    ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
    ['😀', `attachment; filename="__"; filename*=UTF-8''%F0%9F%98%80`],
    ['a\r\nX-Evil: 1', `attachment; filename="a__X-Evil: 1"; filename*=UTF-8''a%0D%0AX-Evil%3A%201`],
  ]
  it.each(names)('%j is written as RFC 8187 says', async (name, disposition) => {
    const document = await createDocument(api, { name, folder_path: 'names' })
    const { headers } = await api.get(`/artifacts/${document.id}/content`)
    expect(headers['content-disposition']).toBe(disposition)
    expect(headers['x-evil']).toBeUndefined()
  })
})

describe('the content of', () => {
  it('a document is its markdown', async () => {
    const document = await createDocument(api, { markdown_content: '# Größe\n' })
    const { text, headers } = await api.get(`/artifacts/${document.id}/content`)
    expect([text, headers['content-type']]).toEqual(['# Größe\n', 'text/markdown'])
  })

  it('a document that is being rewritten is always one whole version', async () => {
    const versions = ['a'.repeat(50_000), 'b'.repeat(60_000)]
    const { id } = await createDocument(api, { markdown_content: versions[0] })
    const rewrite = async () => {
      for (let i = 0; i < 10; i++) await api.patch(`/artifacts/${id}`, { markdown_content: versions[i % 2] })
    }
    const read = async () => {
      for (let i = 0; i < 30; i++) {
        const { status, text, headers } = await api.get(`/artifacts/${id}/content`)
        expect(status).toBe(200)
        expect(versions).toContain(text)
        expect(headers.etag).toBe(`"${createHash('sha256').update(text).digest('hex')}"`)
      }
    }
    await Promise.all([rewrite(), read(), read()])
  })

  it('a folder is not there: 409', async () => {
    const folder = await createFolder(api)
    expect(await api.get(`/artifacts/${folder.id}/content`)).toMatchObject({
      status: 409,
      body: { code: 'no_content' },
    })
  })

  it('nothing, and of another project, is a 404; of no id a 422', async () => {
    const elsewhere = await createFile((await ws.project()).admin.api)
    for (const one of [NEVER, elsewhere.id]) expect((await api.get(`/artifacts/${one}/content`)).status).toBe(404)
    expect((await api.get('/artifacts/abc/content')).status).toBe(422)
  })

  it('something whose bytes are lost is a 500 and no half answer', async () => {
    const file = await createFile(api)
    await ws.store.remove([file.s3_uri.slice('s3://slipway/'.length)])
    const { status, body } = await api.get(`/artifacts/${file.id}/content`)
    expect([status, body.code]).toEqual([500, 'internal_error'])
  })
})
