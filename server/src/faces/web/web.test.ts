import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createWeb, RESERVED } from './index.ts'

const SCRIPT = 'document.title = "Slipway"'
const PAGE = `<!doctype html><title>Slipway</title><script>${SCRIPT}</script><script src="/assets/main-abc.js"></script>`

function builtFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'slipway-web-'))
  mkdirSync(path.join(folder, 'assets'))
  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    writeFileSync(path.join(folder, `${name}.br`), brotliCompressSync(text))
    writeFileSync(path.join(folder, `${name}.gz`), gzipSync(text))
  }
  write('index.html', PAGE)
  write('diagram.html', PAGE)
  write('sw.js', SCRIPT)
  write('assets/main-abc.js', SCRIPT)
  writeFileSync(path.join(folder, '.built'), '')
  return folder
}

const app = Fastify()
const answer = createWeb(builtFolder())
app.setNotFoundHandler((req, reply) => answer(req, reply) ?? reply.code(404).send({}))
const get = (url: string, headers = {}) => app.inject({ url, headers })
afterAll(() => app.close())

describe('the web app', () => {
  test('is at every path that is not the API’s, and is never cached without asking', async () => {
    for (const url of ['/', '/sign-in', '/p/1/work-orders?view=board', '/deep/er.path']) {
      const { statusCode, headers, body } = await get(url)
      expect([url, statusCode, headers['cache-control'], body]).toEqual([url, 200, 'no-cache', PAGE])
    }
    const first = await get('/')
    const again = await get('/', { 'if-none-match': first.headers.etag })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })

  test('has hashed files that browsers keep, compressed for those who can read it', async () => {
    const plain = await get('/assets/main-abc.js')
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    })
    expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, SCRIPT])
    const encodingFor = async (accepted: string) =>
      (await get('/assets/main-abc.js', { 'accept-encoding': accepted })).headers['content-encoding']
    expect(await encodingFor('gzip, deflate, br')).toBe('br')
    expect(await encodingFor('gzip')).toBe('gzip')
    expect(await encodingFor('br;q=0, gzip')).toBe('gzip')
    expect(await encodingFor('identity')).toBeUndefined()
  })

  test('gives away only what the build made', async () => {
    for (const url of ['/assets/none.js', '/assets/../index.html.br', '/assets/%2e%2e/.built'])
      expect((await get(url)).body, url).not.toBe(SCRIPT)
    expect((await get('/.built')).body).toBe(PAGE)
    expect((await get('/assets/none.js')).statusCode).toBe(404)
  })

  test('allows its own scripts and the one in its page, and nothing else', async () => {
    const policy = String((await get('/')).headers['content-security-policy'])
    expect(policy).toMatch(/default-src 'none'; script-src 'self' 'sha256-[\w+/=]+'; style-src 'self';/)
    expect(policy).not.toMatch(/unsafe|\*/)
  })

  test('draws diagrams in a page without an origin, which only the app can frame and which connects to nothing', async () => {
    const { headers, body } = await get('/diagram.html')
    const [, nonce] = /^default-src 'none'; script-src 'nonce-([\w-]{22})' 'strict-dynamic';/.exec(
      String(headers['content-security-policy']),
    )!
    expect(String(headers['content-security-policy']).split('; ').slice(2)).toEqual([
      "style-src 'unsafe-inline'",
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      'sandbox allow-scripts',
    ])
    expect(body).toContain(`<script nonce="${nonce}" src="/assets/main-abc.js">`)
    expect([headers['x-frame-options'], headers['cache-control']]).toEqual(['SAMEORIGIN', 'no-store'])
    expect((await get('/diagram.html')).body).not.toContain(nonce)
    expect((await get('/assets/main-abc.js')).headers['access-control-allow-origin']).toBe('*')
    const page = await get('/')
    expect(page.headers['access-control-allow-origin']).toBeUndefined()
    expect(String(page.headers['content-security-policy'])).toContain("frame-ancestors 'none'")
  })

  test('the worker that opens the app without the server leaves the same paths to the server', () => {
    const worker = readFileSync(new URL('../../../../web/public/sw.js', import.meta.url), 'utf8')
    expect(worker).toContain(`const RESERVED = ${RESERVED}\n`)
  })

  test('asks for its worker each time, which may connect to the server only', async () => {
    const { headers } = await get('/sw.js')
    expect(headers['content-security-policy']).toBe("default-src 'none'; connect-src 'self'")
    expect(headers['cache-control']).toBe('no-cache')
  })
})

describe('beside it', () => {
  let workspace: Workspace
  beforeAll(async () => {
    workspace = await openWorkspace()
  })
  afterAll(() => workspace.close())

  test('unknown paths of the API stay problems in JSON', async () => {
    for (const url of ['/v2', '/v2/nothing', '/v2/external-api/nothing', '/v2/app-api/nothing', '/mcp', '/collab/x']) {
      const { statusCode, headers } = await workspace.app.inject({ url })
      expect([url, headers['content-type']]).toEqual([url, 'application/problem+json; charset=utf-8'])
      expect(statusCode, url).toBeGreaterThanOrEqual(400)
    }
    const posted = await workspace.app.inject({ method: 'POST', url: '/sign-in', payload: {} })
    expect(posted.statusCode).toBe(404)
  })

  test('probes and the widget answer as before', async () => {
    expect((await workspace.app.inject({ url: '/livez' })).statusCode).toBe(200)
    const widget = await workspace.app.inject({ url: '/widget.js' })
    expect(widget.headers['content-type']).toContain('javascript')
  })
})
