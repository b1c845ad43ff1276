import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('writes that fail', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  const problem = { status: 500, code: 'internal_error', detail: 'The database did not answer.', request_id: '5d20b7' }
  /** Lets everything but reading fail. */
  const breakWrites = (page: Page) =>
    page.route(/\/v2\/app-api\/work_orders/, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 500, json: problem }),
    )
  /** What the browser keeps to open the app without the server. */
  const keptPaths = (page: Page) =>
    page.evaluate<string[]>(`caches.keys()
      .then((names) => Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys()))))
      .then((all) => all.flat().map(({ url }) => new URL(url).pathname))`)
  const chooseInMenu = async (page: Page, menu: string, option: string) => {
    await page.getByRole('button', { name: menu, exact: true }).click()
    await page.getByRole('menuitem', { name: option }).click()
  }

  test('an edited comment keeps its text through a reload, and is saved by Retry', async () => {
    const { email, create, project } = await app.team()
    await create(['Coupon field'])
    const page = await app.page({ as: email })
    await app.home(page)
    await page.getByRole('link', { name: 'Coupon field' }).click()
    await page.getByLabel('Comment', { exact: true }).fill('First words')
    await page.keyboard.press('Control+Enter')
    await page.getByText('First words').waitFor()
    const { id } = (await project.admin.api.get('/work_orders/by_number/1')).body.data
    const stored = async () =>
      (await project.admin.api.get(`/work_orders/${id}/comments`)).body.items
        .map((one: { markdown_content: string }) => one.markdown_content)
        .join()
    await eventually(async () => (await stored()) === 'First words')

    await breakWrites(page)
    await chooseInMenu(page, 'More about the comment', 'Edit')
    await page.getByLabel('Comment', { exact: true }).first().fill('Better words')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const unsaved = page.getByRole('region', { name: 'Comment, not saved' })
    await unsaved.getByText('Better words').waitFor()
    expect(await stored()).toBe('First words')
    await page.reload()
    await unsaved.getByText('Better words').waitFor()
    await page.unrouteAll()
    await unsaved.getByRole('button', { name: 'Retry' }).click()
    await eventually(async () => (await stored()) === 'Better words')
    await unsaved.waitFor({ state: 'detached' })

    await breakWrites(page)
    await chooseInMenu(page, 'More about the comment', 'Delete')
    await page.getByText('Better words').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Better words').waitFor()
    expect(await stored()).toBe('Better words')
    await chooseInMenu(page, 'More about the comment', 'Delete')
    await page.getByText('Comment deleted').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).last().click()
    await page.getByText(/Delete a comment on WO-1 was not saved/).waitFor()
    await page.getByText('Better words').waitFor()
    await page.unrouteAll()
    await page.getByRole('alert').getByRole('button', { name: 'Retry' }).click()
    await eventually(async () => (await stored()) === '')
  })

  test('a phase and a label that could not be made or changed stay, and are saved by Retry', async () => {
    const { email, create, project } = await app.team()
    await create(['Round once'])
    const page = await app.page({ as: email, width: 1440 })
    await app.home(page)
    await page.getByRole('link', { name: 'Phases' }).click()
    await breakWrites(page)
    await page.getByRole('button', { name: 'New phase' }).click()
    await page.getByLabel('Title of the phase').fill('Launch')
    await page.keyboard.press('Enter')
    await page.getByText(/New phase “Launch” was not saved/).waitFor()
    await page.reload()
    await page.getByText(/New phase “Launch” was not saved/).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Retry' }).click()
    const titles = async (of: string) =>
      (await project.admin.api.get(`/work_orders/${of}`)).body.items.map((one: { title: string }) => one.title).join()
    await eventually(async () => (await titles('phases')) === 'Launch')

    await breakWrites(page)
    await chooseInMenu(page, 'More about Launch', 'Rename')
    await page.getByLabel('Title of the phase').fill('Landing')
    await page.keyboard.press('Enter')
    await page.getByText(/Phase “Launch” to “Landing” was not saved/).waitFor()
    await page.getByRole('region', { name: 'Launch' }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Retry' }).click()
    await eventually(async () => (await titles('phases')) === 'Landing')
  })

  test('a label made for a row while the server is away reaches both, after a reload, once it is back', async () => {
    const { email, create, project } = await app.team()
    await create(['Round once'])
    const page = await app.page({ as: email, width: 1440 })
    await app.home(page)
    const writes = /\/v2\/app-api\/work_orders\/(labels|batch_update)/
    await page.route(writes, (route) =>
      route.request().method() === 'GET' ? route.continue() : route.abort('connectionrefused'),
    )
    const row = page.locator('[data-row]', { hasText: 'Round once' })
    await row.click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Labels' }).click()
    await page.getByPlaceholder('Change labels…').fill('checkout')
    await page.getByRole('button', { name: /Create label/ }).click()
    await row.getByText('checkout').waitFor()
    await page.getByText('1 change waits on this device').waitFor()
    await page.reload()
    await row.getByText('checkout').waitFor()
    await page.unroute(writes)
    // It is tried again by itself.
    await eventually(async () => {
      const { labels } = (await project.admin.api.get('/work_orders/by_number/1')).body.data
      return labels.map(({ title }: { title: string }) => title).join() === 'checkout'
    }, 30_000)
  })

  test('without the server, a reload still opens the app with what waits, and it is sent once the server is back', async () => {
    const { email, create, project } = await app.team()
    await create(['Round once'])
    const page = await app.page({ as: email, keepsShell: true })
    await app.home(page)
    await eventually(async () => (await keptPaths(page)).includes('/'))
    await page.getByRole('status', { name: 'Live' }).waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.locator('[data-cell="status"]').first().click()
    await page.getByRole('option', { name: 'Blocked' }).click()
    await page.getByText('1 change waits on this device').waitFor()
    await page.reload()
    await page.getByText('1 change waits on this device').waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByText('WO-1: status Blocked').waitFor()
    const status = async () => (await project.admin.api.get('/work_orders/by_number/1')).body.data.status
    expect(await status()).toBe('ready')
    // Nothing of the API is kept.
    expect((await keptPaths(page)).filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([])
    await page.context().setOffline(false)
    await eventually(async () => (await status()) === 'blocked')
    await page.getByRole('button', { name: 'Status: Blocked' }).waitFor()
  })

  test('what is typed at once after Ctrl K stands in the palette', async () => {
    const { email, create } = await app.team()
    await create(['Refund fails'])
    const page = await app.page({ as: email })
    await app.home(page)
    await page.getByRole('status', { name: 'Live' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('refund')
    const field = page.getByRole('combobox', { name: 'Search or do' })
    await field.waitFor()
    await eventually(async () => (await field.inputValue()) === 'refund')
  })
})
