import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { readPages } from './pages.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const get = (url: string, headers: Record<string, string> = {}) => ws.app.inject({ url, headers })

it('begin at /docs with the reference and links to all of them', async () => {
  const page = await get('/docs')
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  for (const { name } of readPages()) expect(page.body).toContain(`href="/docs/${name}"`)
  expect((await get('/docs/reference')).headers.location).toBe('/docs')
})

it('let the reference load and call nothing but this server', async () => {
  const { headers } = await get('/docs')
  const policy = String(headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'; script-src 'self';")
  expect(policy).not.toContain('unsafe-eval')
  expect(policy.match(/https?:|\*/g)).toBeNull()
})

it('describe the real operations of every API without a key', async () => {
  for (const [name, path] of [
    ['external', '/v2/external-api/work_orders'],
    ['reporting', '/v2/reporting-api/feedback'],
    ['app', '/v2/app-api/connected_apps'],
  ]) {
    const { statusCode, body } = await get(`/docs/${name}.openapi.json`)
    expect(statusCode).toBe(200)
    expect(Object.keys(JSON.parse(body).paths)).toContain(path)
  }
  expect((await get('/docs/external.openapi.json')).json()).toEqual(ws.app.openApiDocument())
})

it('are also there as markdown, with links to the markdown of other pages', async () => {
  const pages = readPages()
  for (const { name, markdown } of pages) {
    const { statusCode, headers, body } = await get(`/docs/${name}.md`)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(body.split('\n')).toHaveLength(markdown.split('\n').length)
    const links = [...body.matchAll(/(?<!!)\]\(([^)\s]+)\)/g)].map(
      ([, href]) => new URL(href!, `http://slipway/docs/${name}.md`),
    )
    for (const { host, pathname, protocol } of links) {
      if (host !== 'slipway' || protocol !== 'http:') continue
      expect([name, pathname, pages.some((page) => `/docs/${page.name}.md` === pathname)]).toEqual([
        name,
        pathname,
        true,
      ])
    }
  }
})

it('have no link that leads nowhere', async () => {
  const pages = readPages()
  for (const { name } of pages) {
    const { body } = await get(`/docs/${name}`)
    expect(body).not.toMatch(/href="\.|\.md"(?!>)/)
    const links = [...body.matchAll(/href="(\/docs\/[^"#]+)(?:#([^"]*))?"/g)]
    for (const [, path, anchor] of links) {
      const target = await get(path!)
      expect([name, path, target.statusCode]).toEqual([name, path, 200])
      if (anchor) expect([name, path, target.body.includes(`id="${anchor}"`)]).toEqual([name, `${path}`, true])
    }
  }
})

it('allow no script, and are not sent again when they are known', async () => {
  const page = await get('/docs/web')
  expect(page.headers['content-security-policy']).toContain("default-src 'none'")
  expect(page.body).not.toContain('<script')
  const again = await get('/docs/web', { 'if-none-match': String(page.headers.etag) })
  expect(again.statusCode).toBe(304)
})

it('have their pictures', async () => {
  const { body } = await get('/docs/web')
  const [, picture] = /<img src="([^"]+)"/.exec(body)!
  const image = await get(`/docs/${picture}`)
  expect(image.headers['content-type']).toBe('image/png')
  expect(image.rawPayload.subarray(1, 4).toString()).toBe('PNG')
})

it('are listed for language models', async () => {
  const { body } = await get('/llms.txt')
  expect(body).toMatch(/^# Slipway\n/)
  for (const { name } of readPages()) expect(body).toContain(`/docs/${name}.md)`)
})

it.each(['/docs/nothing', '/docs/%2e%2e%2fpackage.json', '/docs/images'])('do not reach %s', async (path) => {
  expect((await get(path)).statusCode).toBe(404)
})
