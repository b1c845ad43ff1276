import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { type OpenApp, openApp } from './open-app.ts'

const web = path.resolve(import.meta.dirname, '../web')
const shipped = path.join(web, 'src/app/modules.ts')
const fixture = path.join(web, 'test/sixth-module')
const extended = path.join(fixture, 'modules.ts')

/** The app whose list of modules has one more. Nothing else of it is changed. */
const buildWith = (outDir: string) =>
  build({
    root: web,
    configFile: path.join(web, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    plugins: [
      {
        name: 'sixth-module',
        enforce: 'pre',
        resolveId: (source, importer) =>
          importer && importer !== extended && path.resolve(path.dirname(importer), source) === shipped
            ? extended
            : undefined,
      },
    ],
  })

describe.runIf(hasBrowser)('a module that is added to the list', () => {
  let app: OpenApp
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'slipway-sixth-module-'))
    vi.stubEnv('NODE_ENV', 'production')
    await buildWith(folder)
    vi.unstubAllEnvs()
    app = await openApp({ webFolder: folder })
  }, 300_000)
  afterAll(async () => {
    await app?.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** The scripts that a page has asked for. */
  const scriptsOf = (page: Page) => {
    const urls = new Set<string>()
    page.on('request', (request) => request.resourceType() === 'script' && urls.add(request.url()))
    return async () => Promise.all([...urls].map(async (url) => ({ url, text: await (await fetch(url)).text() })))
  }

  test('is made in under 60 lines', async () => {
    const files = await readdir(fixture)
    const texts = await Promise.all(files.map((file) => readFile(path.join(fixture, file), 'utf8')))
    expect(texts.join('').split('\n').length).toBeLessThan(60)
  })

  test('has its page, and its place in sidebar, palette, keys and shortcut sheet', async () => {
    const { email } = await app.team()
    const page = await app.page({ as: email })
    await app.home(page)
    const heading = page.getByRole('heading', { name: 'No berths yet' })
    const piers = page.getByRole('navigation', { name: 'Piers' })
    await page.getByRole('navigation', { name: 'Modules' }).getByRole('link', { name: 'Berths 0' }).click()
    await heading.waitFor()
    await piers.waitFor()
    await page.keyboard.press('c')
    await page.getByText('A new berth').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await piers.waitFor({ state: 'detached' })
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await heading.waitFor()
    await app.home(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or do' }).fill('berths')
    await page.getByRole('option', { name: /Go to Berths/ }).waitFor()
    await page.getByRole('option', { name: 'Free berths' }).click()
    await heading.waitFor()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.getByText('Berths').waitFor()
  })

  test('is reached on a phone under More', async () => {
    const { email } = await app.team()
    const page = await app.page({ as: email, width: 360, height: 720 })
    await app.home(page)
    await page.getByRole('navigation', { name: 'Modules' }).getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Blueprints' }).waitFor()
    await page.getByRole('menuitem', { name: 'Berths' }).click()
    await page.getByRole('heading', { name: 'No berths yet' }).waitFor()
  })

  test('adds nothing to the first screen but its addresses', async () => {
    const { email, create } = await app.team()
    await create(['Round the total once'])
    const page = await app.page({ as: email })
    // What is loaded ahead while the browser idles is not part of the first screen.
    await page.addInitScript('window.requestIdleCallback = () => 0')
    const read = scriptsOf(page)
    await page.goto(app.origin)
    await page.getByRole('link', { name: /Round the total once/ }).waitFor()
    const scripts = await read()
    expect(scripts.some(({ text }) => text.includes('berths'))).toBe(true)
    expect(scripts.filter(({ text }) => /North pier|No berths yet/.test(text)).map(({ url }) => url)).toEqual([])
    const kilobytes = scripts.reduce((sum, { text }) => sum + gzipSync(text, { level: 9 }).length, 0) / 1024
    expect(kilobytes).toBeGreaterThan(50)
    expect(kilobytes).toBeLessThan(220)
  })
})
