import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build, type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { hasBrowser, openBrowser } from '../server/test/browser.ts'
import { findingsOn } from './accessibility-findings.ts'

interface Options {
  width?: number
  dark?: boolean
}

const web = path.resolve(import.meta.dirname, '../web')

describe.runIf(hasBrowser)('the page of parts', () => {
  let folder: string
  let server: PreviewServer
  let browser: Browser
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'slipway-parts-'))
    const shared = { root: web, configFile: path.join(web, 'vite.config.ts'), logLevel: 'error' as const }
    const rolldownOptions = { input: path.join(web, 'parts.html') }
    vi.stubEnv('NODE_ENV', 'production')
    await build({ ...shared, build: { outDir: folder, emptyOutDir: true, rolldownOptions } })
    vi.unstubAllEnvs()
    server = await preview({ ...shared, build: { outDir: folder }, preview: { host: '127.0.0.1', port: 0, proxy: {} } })
    browser = await openBrowser()
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await server?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const open = async (options: Options = {}): Promise<Page> => {
    const { width = 1280, dark = false } = options
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme: dark ? 'dark' : 'light',
    })
    const page = await context.newPage()
    const faults: string[] = []
    page.on('pageerror', (err) => faults.push(err.message))
    onTestFinished(async () => {
      await context.close()
      expect(faults).toEqual([])
    })
    await page.goto(`${server.resolvedUrls!.local[0]}parts.html`)
    await page.getByRole('heading', { name: 'Parts', exact: true }).waitFor()
    return page
  }
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent')

  test.each([
    ['light', { dark: false }],
    ['dark', { dark: true }],
    ['at 360 px', { width: 360 }],
  ])('%s: has no findings of axe, and no part is wider than the page', async (_, options: Options) => {
    const page = await open(options)
    expect(await findingsOn(page)).toEqual([])
    expect(
      await page.evaluate('document.querySelector("main").scrollWidth - document.querySelector("main").clientWidth'),
    ).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(options.width ?? 1280)
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menu', { name: 'Block' }).waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Priority' }).click()
    await page.getByRole('dialog', { name: 'Priority' }).getByRole('option', { name: 'Urgent' }).waitFor()
    expect(await findingsOn(page)).toEqual([])
  })

  test('a menu is gone through by arrows, Home, End and letters, and Escape gives the focus back', async () => {
    const page = await open()
    const button = page.getByRole('button', { name: 'Actions' })
    expect(await button.getAttribute('aria-haspopup')).toBe('menu')
    await button.focus()
    const steps = async (keys: string[]) => {
      const at: string[] = []
      for (const key of keys) {
        await page.keyboard.press(key)
        at.push(await focused(page))
      }
      return at
    }
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).and(page.locator(':focus')).waitFor()
    const walk = await steps(['ArrowDown', 'End', 'ArrowDown', 'ArrowUp', 'Home', 'd', 't', 'p'])
    expect(walk).toEqual(['Copy text', 'Delete…', 'EditE', 'Delete…', 'EditE', 'Delete…', 'Turn into', 'Priority'])
    // What opens beside a line has the focus; ArrowLeft and Escape go back to the line.
    await page.keyboard.press('t')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('menuitem', { name: 'Heading' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowLeft')
    expect(await focused(page)).toBe('Turn into')
    await page.keyboard.press('ArrowRight')
    await page.getByRole('menuitem', { name: 'Heading' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    expect(await focused(page)).toBe('Turn into')
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Actions')
    // The key that a line shows, and a line of the second menu.
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('e')
    await page.getByText('of actions: edit').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Turn into' }).hover()
    await page.getByRole('menuitem', { name: 'Quote' }).click()
    await page.getByText('of actions: quote').waitFor()
    expect(await focused(page)).toBe('Actions')
  })

  test('a menu says what is on: boxes stay open, one of several closes it', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'States' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Phase', checked: false }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Phase', checked: true }).waitFor()
    await page.getByRole('menuitemradio', { name: 'Light theme', checked: true }).waitFor()
    await page.getByRole('menuitemradio', { name: 'Dark theme', checked: false }).click()
    await page.getByRole('menu').waitFor({ state: 'detached' })
  })

  test('a card opens beside what is pointed at or has the focus, and Escape closes it', async () => {
    const page = await open()
    const link = page.getByRole('region', { name: 'HoverCard' }).getByRole('link', { name: 'WO-1' })
    const card = page.getByRole('dialog', { name: 'WO-1' })
    await link.hover()
    await card.getByText('Round the total once').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.getByRole('heading', { name: 'Parts', exact: true }).hover()
    // The page scrolls, which hides the card at once. It is closed a moment later.
    await link.and(page.locator('[aria-expanded="false"]')).waitFor()
    await page.getByRole('region', { name: 'PopUp' }).getByRole('button').focus()
    await page.keyboard.press('Tab')
    await card.waitFor()
    // The pointer that comes and goes does not close what has the focus.
    await page.clock.install()
    await link.hover()
    await page.mouse.move(0, 0)
    await page.clock.fastForward(5_000)
    await link.and(page.locator('[aria-expanded="true"]')).waitFor()
    await card.waitFor()
    await page.keyboard.press('Escape')
    await card.waitFor({ state: 'detached' })
  })

  test('a question is answered in a dialog, which gives the focus back', async () => {
    const page = await open()
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete WO-1?' })
    await dialog.getByRole('button', { name: 'Delete', exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await focused(page)).toBe('Ask')
  })
})
