import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('the frame', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  const setStatus = async (page: Page, title: string, status: string) => {
    const row = page.locator('[data-row]', { hasText: title })
    await row.locator('[data-cell="status"]').click()
    await page.getByRole('option', { name: status }).click()
    await row.getByRole('button', { name: `Status: ${status}` }).waitFor()
  }

  test('a change of somebody else appears with who made it, and both see that the other is here', async () => {
    const { email, create, join } = await app.team()
    await create(['Refund fails when the card was replaced', 'Offer Apple Pay'])
    const ada = await app.page({ as: email })
    await app.home(ada)
    await ada.getByRole('status', { name: 'Live' }).waitFor()
    const grace = await app.page({ as: await join('Grace Hopper') })
    await app.home(grace)
    await ada.getByRole('list', { name: 'Also here: Grace Hopper' }).waitFor()
    await grace.getByRole('list', { name: 'Also here: Ada Lovelace' }).waitFor()
    let lists = 0
    for (const page of [ada, grace])
      page.on('request', (request) => {
        if (/work_orders\?/.test(request.url())) lists++
      })
    await setStatus(grace, 'Refund fails', 'In review')
    await ada.getByText('Grace Hopper moved WO-1 to In review').waitFor()
    await ada.locator('[data-row]', { hasText: 'Refund' }).getByRole('button', { name: 'Status: In review' }).waitFor()
    // Neither tab reads the whole list again for one row.
    expect(lists).toBe(0)
    expect(await grace.getByText(/moved WO-1/).count()).toBe(0)
  })

  test('what is edited offline waits, survives a reload, and is saved in the order of each work order', async () => {
    const { email, create, project } = await app.team()
    await create(['First', 'Second'])
    const page = await app.page({ as: email })
    await app.home(page)
    await page.getByRole('status', { name: 'Live' }).waitFor()
    // Menus are loaded when the first one is opened, or some seconds after the page.
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    await page.context().setOffline(true)
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('status', { name: /Offline since/ }).waitFor()
    await setStatus(page, 'First', 'Blocked')
    await setStatus(page, 'Second', 'Completed')
    await setStatus(page, 'First', 'In review')
    await page.getByText('3 changes wait on this device').waitFor()
    await page.getByText('status waits').nth(1).waitFor()
    expect(await page.getByText('status waits').count()).toBe(2)
    // The page comes back, but its writes do not get through yet.
    await page.route('**/work_orders/batch_update', (route) => route.abort())
    await page.context().setOffline(false)
    await page.reload()
    await page.getByText('3 changes wait on this device').waitFor()
    await page.locator('[data-row]', { hasText: 'First' }).getByRole('button', { name: 'Status: In review' }).waitFor()
    expect((await project.admin.api.get('/work_orders/by_number/1')).body.data.status).toBe('ready')
    await page.unroute('**/work_orders/batch_update')
    await page.getByRole('button', { name: 'Try now' }).click()
    await page.getByText('on this device').waitFor({ state: 'detached' })
    await eventually(
      async () => !((await page.evaluate('Object.keys(localStorage).join()')) as string).includes('-write-'),
    )
    const status = async (number: number) =>
      (await project.admin.api.get(`/work_orders/by_number/${number}`)).body.data.status
    expect([await status(1), await status(2)]).toEqual(['in_review', 'completed'])
  })

  test('a text that somebody else changed is compared, and either can be kept', async () => {
    const { email, create, project } = await app.team()
    await create(['Round the total'], { markdown_content: 'Old text' })
    const page = await app.page({ as: email })
    await app.home(page)
    await page.getByRole('link', { name: 'Round the total' }).click()
    await page.getByRole('button', { name: 'Edit description' }).click()
    const { id } = (await project.admin.api.get('/work_orders/by_number/1')).body.data
    const path = `/work_orders/${id}`
    await project.admin.api.patch(`${path}/description`, { markdown_content: 'Their text' })
    await page.getByRole('textbox', { name: 'Description' }).fill('My text')
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Description of WO-1 was changed meanwhile' })
    await dialog.getByRole('region', { name: 'Theirs' }).getByText('Their text').waitFor()
    await dialog.getByRole('region', { name: 'Mine' }).getByText('My text').waitFor()
    expect((await project.admin.api.get(path)).body.data.markdown_content).toBe('Their text')
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Text to save').fill('Both texts')
    await dialog.getByRole('button', { name: 'Save this' }).click()
    await eventually(async () => (await project.admin.api.get(path)).body.data.markdown_content === 'Both texts')
    // Another field that changed meanwhile is no conflict.
    await page.getByRole('button', { name: 'Edit description' }).click()
    await page.route('**/v2/app-api/stream*', (route) => route.abort())
    const operations = [
      {
        operation_id: '1',
        operation_type: 'UpdateStatus',
        target: { work_order_id: id },
        patch: { status: 'blocked' },
      },
    ]
    await project.admin.api.post('/work_orders/batch_update', { request_id: 'status', operations })
    await page.getByRole('textbox', { name: 'Description' }).fill('Last text')
    await page.keyboard.press('Control+Enter')
    await eventually(async () => (await project.admin.api.get(path)).body.data.markdown_content === 'Last text')
    expect((await project.admin.api.get(path)).body.data.status).toBe('blocked')
  })

  test('a text that could not be saved stays in place, is kept as a draft, and is offered again', async () => {
    const { email, create, project } = await app.team()
    await create(['Coupon field'], { markdown_content: 'Old text' })
    const page = await app.page({ as: email })
    await app.home(page)
    await page.getByRole('link', { name: 'Coupon field' }).click()
    const problem = {
      status: 500,
      code: 'internal_error',
      detail: 'The database did not answer.',
      request_id: '5d20b7',
    }
    await page.route(/\/v2\/app-api\/work_orders\/[^/]+$/, (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 500, json: problem }) : route.continue(),
    )
    await page.getByRole('button', { name: 'Edit description' }).click()
    await page.getByRole('textbox', { name: 'Description' }).fill('My text')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Not saved: The database did not answer.').waitFor()
    await page.getByText(/500 · request 5d20b7/).waitFor()
    await page.getByRole('button', { name: 'Keep my text' }).click()
    await page.getByText('Old text').waitFor()
    await page.unrouteAll()
    await page.reload()
    await page.getByText(/Unsaved text from/).waitFor()
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await page.getByRole('textbox', { name: 'Description' }).inputValue()).toBe('My text')
    await page.keyboard.press('Control+Enter')
    const isSaved = async () =>
      (await project.admin.api.get('/work_orders/by_number/1')).body.data.markdown_content === 'My text'
    await eventually(isSaved)
  })

  test('the palette finds by number, by words of a text, and people; without a match it creates', async () => {
    const { email, create } = await app.team()
    await create(['Trace a payment', 'Remember the last used card'], { markdown_content: 'From click to ledger.' })
    const page = await app.page({ as: email })
    await app.home(page)
    const ask = async (words: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(words)
    }
    await ask('wo-2')
    await page.getByRole('option', { name: /WO-2 Remember the last used card/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/work-orders\/2$/)
    await ask('ledger')
    await page.getByRole('option', { name: /WO-1 Trace a payment.*click to ledger/ }).waitFor()
    await page.keyboard.press('Escape')
    await ask('lovelace')
    await page.getByRole('option', { name: /Ada Lovelace/ }).click()
    await page.waitForURL(/work-orders\?assignee=/)
    await ask('nothing like this')
    // All that is left is about the words themselves.
    const others = page.getByRole('option').filter({ hasNotText: 'nothing like this' })
    await eventually(async () => (await others.count()) === 0)
    await page.getByRole('option', { name: 'Create work order “nothing like this”' }).click()
    expect(await page.getByLabel('Title').inputValue()).toBe('nothing like this')
  })

  test('Enter in the palette opens what was typed, however fast, and never what was found before it', async () => {
    const { email, create, project } = await app.team()
    await create(['Trace a payment to the ledger', 'Remember the last used card'])
    const { api } = project.admin
    const requirement = async (title: string) =>
      (await api.post('/requirements', { title, document_type: 'FEATURE', markdown_content: `All about ${title}.\n` }))
        .body.data.id as string
    await requirement('Refunds')
    const wanted = await requirement('Zebra crossings')
    const page = await app.page({ as: email })
    await app.home(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: /Remember the last/ }).waitFor()
    // Both keys come before the page draws again.
    await page.getByRole('combobox').evaluate(async (field: HTMLInputElement) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!.set!.call(field, 'ledger')
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      await Promise.resolve()
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    })
    await page.waitForURL(/work-orders\/1$/)

    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(/search.*q=zebra/, async (route) => {
      await held
      await route.continue()
    })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('refunds')
    await page
      .getByRole('option', { name: /Refunds/ })
      .first()
      .waitFor()
    const asked = page.waitForRequest(/search.*q=zebra/)
    await page.getByRole('combobox').fill('zebra')
    await page.keyboard.press('Enter')
    await asked
    answer()
    await page.waitForURL(/requirements\//)
    expect(page.url()).toContain(wanted)
  })
})
