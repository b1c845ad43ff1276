import { afterAll, beforeAll, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../test/harness.ts'
import { readPages } from './pages.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const get = (url: string, headers: Record<string, string> = {}) => ws.app.inject({ url, headers })

it('lead from /docs to a page with links to all others', async () => {
  const first = await get('/docs')
  expect(first.statusCode).toBe(302)
  const page = await get(String(first.headers.location))
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  for (const { name } of readPages()) expect(page.body).toContain(`href="/docs/${name}"`)
})

it('are also there as markdown, to the byte', async () => {
  for (const { name, markdown } of readPages()) {
    const { statusCode, headers, body } = await get(`/docs/${name}.md`)
    expect(statusCode).toBe(200)
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(body).toBe(markdown)
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
