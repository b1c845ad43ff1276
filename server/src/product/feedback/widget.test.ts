import { readFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hasBrowser, openBrowser } from '../../../test/browser.ts'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addKey } from '../projects/index.ts'
import { feedbackProject, itemOf } from './feedback.factory.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p1nWAAAAAABJRU5ErkJggg==',
  'base64',
)

let ws: Workspace
let browser: Browser
let origin: string
beforeAll(async () => {
  ws = await openWorkspace()
  await ws.app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(ws.app.server.address() as AddressInfo).port}`
})
afterAll(() => ws.close())

describe('/widget.js', () => {
  it('is a script of at most 6 KB gzipped', async () => {
    const { statusCode, headers, rawPayload } = await ws.app.inject({ url: '/widget.js' })
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(gzipSync(rawPayload).length).toBeLessThanOrEqual(6 * 1024)
    expect(rawPayload.toString()).not.toMatch(/\b(import|require)\s*\(/)
  })

  it('is kept by browsers and compressed for those who can read it', async () => {
    const plain = await ws.app.inject({ url: '/widget.js' })
    const zipped = await ws.app.inject({ url: '/widget.js', headers: { 'accept-encoding': 'br, gzip' } })
    expect(plain.headers['cache-control']).toMatch(/^public, max-age=\d+/)
    expect([plain.headers['content-encoding'], zipped.headers['content-encoding']]).toEqual([undefined, 'br'])
    expect(zipped.headers.vary).toContain('Accept-Encoding')
    expect(zipped.headers.etag).not.toBe(plain.headers.etag)
    const again = await ws.app.inject({ url: '/widget.js', headers: { 'if-none-match': String(plain.headers.etag) } })
    expect([again.statusCode, again.payload]).toEqual([304, ''])
  })
})

/** The tokens that a style sheet sets, first those of its light scheme, then those of its dark one. */
async function tokensOf(file: string) {
  const css = await readFile(new URL(file, import.meta.url), 'utf8')
  const blocks = css.match(/\{[^{}]*--ink:[^{}]*\}/g) ?? []
  return blocks.map((block) =>
    Object.fromEntries([...block.matchAll(/--([\w-]+): ([^;]+);/g)].map(([, ...one]) => one)),
  )
}

it('shows the widget in the colours of the web workspace', async () => {
  const own = await tokensOf('widget/widget.css')
  const shared = await tokensOf('../../../../web/src/app/tokens.css')
  expect(own).toHaveLength(2)
  for (const [index, tokens] of own.entries()) expect(shared[index]).toMatchObject(tokens)
})

/** A page of another origin with the script on it, under as strict a policy as it can work with. */
async function openPage({
  origins,
  ...attributes
}: { origins?: (page: string) => string[] } & Record<string, unknown> = {}) {
  const { project, api, reporter } = await feedbackProject(ws)
  const server = http.createServer((_req, res) => {
    res.setHeader('content-type', 'text/html; charset=utf-8')
    res.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${origin}; connect-src ${origin}; img-src blob:; require-trusted-types-for 'script'`,
    )
    const extra = Object.entries(attributes).map(([name, value]) => `data-${name}="${value}"`)
    res.end(`<!doctype html><html lang="en"><title>Shop</title><h1>Shop</h1><input id="search" aria-label="Search">
      <script src="${origin}/widget.js" data-key="${key}" ${extra.join(' ')}></script></html>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { key } = await addKey(project.operator, {
    kind: 'reporting',
    userId: reporter.userId,
    name: 'shop',
    allowedOrigins: origins?.(shop) ?? [shop],
  })
  const page = await browser.newPage()
  const faults: string[] = []
  page.on('pageerror', (err) => faults.push(err.message))
  onTestFinished(async () => {
    await page.close()
    server.closeAllConnections()
    server.close()
  })
  await page.goto(shop)
  const opener = page.getByRole('button', { name: 'Feedback' })
  const dialog = page.getByRole('dialog', { name: 'Send feedback' })
  return { page, api, opener, dialog, faults }
}

const focused = (page: Page) =>
  page.evaluate(
    '(() => { let one = document.activeElement; while (one?.shadowRoot?.activeElement) one = one.shadowRoot.activeElement; return one?.id || one?.textContent })()',
  )

describe.skipIf(!hasBrowser)('the widget on a page of another origin', () => {
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it('sends what was written, with a chosen and a pasted screenshot', async () => {
    const { page, api, opener, dialog, faults } = await openPage()
    await opener.click()
    await page.getByLabel('Your e-mail address').fill('customer@example.org')
    await page.getByLabel('What would you like to tell us?').fill('The total is off.\n\nBy a cent.')
    await page
      .getByLabel('Screenshots (optional)')
      .setInputFiles({ name: 'cart.png', mimeType: 'image/png', buffer: PIXEL })
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      const bytes = Uint8Array.from(atob('${PIXEL.toString('base64')}'), (one) => one.charCodeAt(0))
      clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }))
      const field = document.querySelector('body > div').shadowRoot.querySelector('textarea')
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
    })()`)
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual([
      expect.stringContaining('cart.png'),
      expect.stringContaining('pasted.png'),
    ])
    await page.getByRole('button', { name: 'Send' }).click()
    await dialog.getByText('Thank you. Your feedback has the number 1.').waitFor()

    const [summary] = (await api.get('/feedback/items')).body.items
    const item = await itemOf(api, summary.id)
    expect(item).toMatchObject({
      end_user_email: 'customer@example.org',
      title: 'The total is off.',
      markdown_content: 'The total is off.\n\nBy a cent.',
    })
    expect(item.attachments.map((one: { file_name: string }) => one.file_name)).toEqual(['cart.png', 'pasted.png'])
    for (const { file_url } of item.attachments) {
      const file = await api.get(new URL(file_url).pathname)
      expect([file.status, file.bytes]).toEqual([200, PIXEL])
    }
    expect(faults).toEqual([])
  })

  it('can be used by keyboard alone: focus stays within, Escape closes and returns it', async () => {
    const { page, opener, dialog } = await openPage()
    await opener.focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor()
    const stops = []
    for (let i = 0; i < 6; i++) {
      stops.push(await focused(page))
      await page.keyboard.press('Tab')
    }
    expect(stops).toEqual(['e', 'c', 'f', 'Cancel', 'Send', 'e'])
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    expect(await focused(page)).toBe('Send')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    expect(await focused(page)).toBe('Feedback')
  })

  it('says what is missing, and where', async () => {
    const { page, api, opener, dialog } = await openPage({ email: 'customer@example.org' })
    await opener.click()
    await page.getByLabel('What would you like to tell us?').fill('  ')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Send' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'Write what you want to tell us.' }).waitFor()
    expect(await focused(page)).toBe('c')
    expect((await api.get('/feedback/items')).body.total).toBe(0)
  })

  it('loses nothing when its page is not allowed to use the key', async () => {
    const { page, api, opener, dialog } = await openPage({ origins: () => ['https://other.example.org'] })
    await opener.click()
    await page.getByLabel('Your e-mail address').fill('customer@example.org')
    await page.getByLabel('What would you like to tell us?').fill('Kept')
    await page.getByRole('button', { name: 'Send' }).click()
    await dialog.getByRole('alert').filter({ hasText: 'could not be sent' }).waitFor()
    await page.keyboard.press('Escape')
    await opener.click()
    expect(await page.getByLabel('What would you like to tell us?').inputValue()).toBe('Kept')
    expect((await api.get('/feedback/items')).body.total).toBe(0)
  })

  it('is dark where the reader wants it dark, and moves only for those who do not mind', async () => {
    const { page, opener, dialog } = await openPage()
    const look = (script: string) =>
      page.evaluate(
        `getComputedStyle(document.querySelector('body > div').shadowRoot.querySelector('dialog')).${script}`,
      )
    await opener.click()
    await dialog.waitFor()
    const light = await look('backgroundColor')
    expect(await look('animationName')).toBe('rise')
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    await eventually(async () => (await look('backgroundColor')) !== light)
    expect(await look('animationName')).toBe('none')
  })
})
