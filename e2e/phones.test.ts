import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { type OpenApp, openApp } from './open-app.ts'

let app: OpenApp
beforeAll(async () => {
  if (hasBrowser) app = await openApp()
})
afterAll(() => app?.close())

const PHONE = { width: 360, height: 740, touch: true }

const boxOf = async (element: Locator) => (await element.boundingBox())!

async function isInView(page: Page, element: Locator): Promise<boolean> {
  const { x, y, width, height } = await boxOf(element)
  const screen = page.viewportSize()!
  return x >= 0 && y >= 0 && x + width <= screen.width && y + height <= screen.height
}

/** Whether the whole text has room. */
const isWhole = (element: Locator) => element.evaluate((one) => one.scrollWidth <= one.clientWidth)

async function setUp() {
  const { email, create, project } = await app.team()
  await create(['Round the total once', 'Move tax rates to the new provider', 'Offer Apple Pay'])
  await project.admin.api.post('/requirements', { title: 'Pay by card', document_type: 'FEATURE' })
  await project.admin.api.post('/blueprints', { title: 'Payment service' })
  const page = await app.page({ as: email, ...PHONE })
  const headers = { 'x-project-id': project.id }
  const add = (path: string, data: object) =>
    page.request.post(`${app.origin}/v2/app-api/work_orders/${path}`, { headers, data })
  expect((await add('phases', { title: 'Totals' })).status()).toBe(201)
  expect((await add('views', { name: 'Only taxes', query: 'title=tax', shared: false })).status()).toBe(201)
  await app.home(page)
  return page
}

describe.runIf(hasBrowser)('on a phone', () => {
  test('every place of the sidebar is reached from the title of the page', async () => {
    const page = await setUp()
    const sheet = page.getByRole('dialog', { name: 'Places' })
    const go = async (from: string, to: string | RegExp) => {
      await page.locator('header').first().getByRole('button', { name: from }).tap()
      const place = sheet.getByRole('link', { name: to })
      await place.waitFor()
      expect((await boxOf(place)).height).toBeGreaterThanOrEqual(44)
      await place.tap()
      await sheet.waitFor({ state: 'detached' })
    }
    const other = page.getByRole('link', { name: /Round the total once/ })
    await go('Work Orders', 'Only taxes')
    await other.waitFor({ state: 'detached' })
    await go('Work Orders', 'All work orders')
    await other.waitFor()
    await go('Work Orders', /Totals/)
    await page.getByText('No work order matches').waitFor()
    await go('Work Orders', /^Blueprints/)
    const row = page.getByRole('treeitem', { name: 'Payment service' })
    await row.waitFor()
    expect((await boxOf(row)).height).toBeGreaterThanOrEqual(44)
    await row.getByRole('button', { name: 'More about Payment service' }).tap()
    await page.getByRole('menuitem', { name: 'Delete…' }).waitFor()
    await page.keyboard.press('Escape')
    await go('Blueprints', 'Payment service')
    const title = page.locator('header').first().locator('strong', { hasText: 'Payment service' })
    await title.waitFor()
    expect(await isInView(page, title)).toBe(true)
    expect(await isWhole(title.locator('..'))).toBe(true)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
  })

  test('every action on rows and on a work order is reached: a value, a selection, all of it at once, deletion', async () => {
    const page = await setUp()
    const menu = (code: string) => page.getByRole('button', { name: `More about ${code}` }).tap()
    const choose = (name: string) => page.getByRole('menuitem', { name }).tap()
    const confirm = (name: string) =>
      page.getByRole('dialog', { name }).getByRole('button', { name: 'Delete', exact: true }).tap()
    await menu('WO-1')
    await choose('Priority')
    await page.getByRole('option', { name: 'Urgent' }).tap()
    await page.getByText('WO-1: priority Urgent').waitFor()
    await menu('WO-1')
    await choose('Select')
    await page.getByRole('checkbox', { name: /Move tax rates/ }).tap()
    const bar = page.getByRole('toolbar', { name: 'Selected work orders' })
    await bar.getByText('2 selected').waitFor()
    await bar.getByRole('button', { name: 'More for the selected' }).tap()
    await choose('Delete…')
    await confirm('Delete 2 work orders?')
    await page.getByRole('link', { name: /Move tax rates/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: /Offer Apple Pay/ }).tap()
    const code = page.locator('header').first().getByText('WO-3')
    await code.waitFor()
    expect(await isInView(page, code)).toBe(true)
    await menu('WO-3')
    await choose('Delete…')
    await confirm('Delete WO-3?')
    await page.getByText('Plan the work, for people and agents').waitFor()
  })

  test('cards of the board and rows of phases have the menu of the table, for a finger', async () => {
    const page = await setUp()
    const table = page.url().split('?')[0]
    for (const view of ['board', 'phases']) {
      await page.goto(`${table}?view=${view}`)
      const dots = page.getByRole('button', { name: 'More about WO-1' })
      await dots.waitFor()
      const { width, height } = await boxOf(dots)
      expect(
        [width, height].every((size) => size >= 44),
        view,
      ).toBe(true)
      await dots.tap()
      await page.getByRole('menu', { name: 'WO-1' }).getByRole('menuitem', { name: 'Priority' }).tap()
      await page.getByRole('option', { name: view === 'board' ? 'High' : 'Low' }).tap()
      await page.getByText(`WO-1: priority ${view === 'board' ? 'High' : 'Low'}`).waitFor()
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    const lane = await boxOf(page.getByRole('button', { name: 'More about Totals' }))
    expect([lane.width, lane.height].every((size) => size >= 44)).toBe(true)
  })

  test('the buttons of a dialog stay in view while the keyboard is open', async () => {
    const page = await setUp()
    await page.getByRole('button', { name: 'New work order' }).first().tap()
    const dialog = page.getByRole('dialog', { name: 'New work order' })
    await dialog.getByRole('textbox', { name: 'Title' }).fill('Show delivery dates before the address is known')
    await dialog.getByRole('textbox', { name: 'Description' }).fill('One more line\n'.repeat(40))
    // The page declares that the keyboard makes it smaller.
    expect(await page.locator('meta[name=viewport]').getAttribute('content')).toContain('resizes-content')
    await page.setViewportSize({ width: 360, height: 380 })
    const create = dialog.getByRole('button', { name: /^Create/ })
    for (const button of [create, dialog.getByRole('button', { name: 'Cancel' })])
      expect(await isInView(page, button)).toBe(true)
    await create.tap()
    await page.getByRole('link', { name: /Show delivery dates/ }).waitFor()
  })
})
