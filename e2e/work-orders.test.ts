import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('in a browser', { retry: 2 }, () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  test('a person signs in, creates the first work order with the keyboard, and signs out', async () => {
    const { email } = await app.team()
    const page = await app.page()
    await page.getByRole('button', { name: 'Sign in' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('Enter your e-mail address.')
    await app.signIn(page, email)
    await page.getByText('Plan the work, for people and agents').waitFor()
    await page.keyboard.press('c')
    const dialog = page.getByRole('dialog', { name: 'New work order' })
    await dialog.getByLabel('Title').fill('Round the total once')
    await dialog.getByLabel('Description').fill('The total is off by a **cent**.')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Round the total once' }).click()
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    expect(await page.locator('article strong').first().textContent()).toBe('cent')
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('option', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Slipway' }).waitFor()
  })

  test('a wrong password is explained under its field, and the address to return to is kept', async () => {
    const { email, project } = await app.team()
    const page = await app.page()
    await page.goto(`${app.origin}/p/${project.id}/work-orders?view=board`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('wrong password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('There is nobody with this e-mail address and password.').waitFor()
    await app.signIn(page, email)
    expect(new URL(page.url()).search).toBe('?view=board')
  })

  test('a status is changed in its row, is stored, and is undone', async () => {
    const { email, create, project } = await app.team()
    await create(['Refund fails when the card was replaced'])
    const page = await app.page()
    await app.signIn(page, email)
    await page.getByRole('button', { name: 'Status: Ready' }).click()
    await page.getByRole('option', { name: 'In review' }).click()
    await page.getByRole('button', { name: 'Status: In review' }).waitFor()
    const isStored = async (status: string) =>
      (await project.admin.api.get('/work_orders/by_number/1')).body.data.status === status
    await eventually(() => isStored('in_review'))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Status: Ready' }).waitFor()
    await eventually(() => isStored('ready'))
  })

  test('several are changed at once by keys, and what was deleted meanwhile is listed with the reason', async () => {
    const { email, create, project } = await app.team()
    await create(['First', 'Second', 'Third'])
    const page = await app.page()
    // Without the live stream, the page does not learn of the deletion before the change is sent.
    await page.route('**/v2/app-api/stream*', (route) => route.abort())
    await app.signIn(page, email)
    await page.getByRole('link', { name: 'Third' }).waitFor()
    for (const key of ['j', 'x', 'j', 'x', 'j', 'x']) await page.keyboard.press(key)
    await page.getByText('3 selected').waitFor()
    const { id } = (await project.admin.api.get('/work_orders/by_number/2')).body.data
    await project.admin.api.delete(`/work_orders/${id}`)
    await page.keyboard.press('s')
    await page.getByRole('option', { name: 'Blocked' }).click()
    const result = page.getByRole('dialog', { name: '2 of 3 changed, 1 failed' })
    await result.getByText(/There is no work order/).waitFor()
    await result.getByText('WO-2').waitFor()
  })

  test('the board moves a card by keyboard, and the address holds view and filters', async () => {
    const { email, create, project } = await app.team()
    await create(['Offer Apple Pay'])
    await create(['Something else'], { priority: 'urgent' })
    const page = await app.page()
    await app.signIn(page, email)
    await page.getByRole('link', { name: 'Board' }).click()
    const card = page.getByRole('button', { name: /WO-1 Offer Apple Pay/ })
    await card.focus()
    await page.keyboard.press('Space')
    await page.getByText(/WO-1 is lifted|WO-1 is over Ready/).waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowRight')
    await page.getByText('WO-1 is over In progress.').waitFor({ state: 'attached' })
    await page.keyboard.press('Space')
    const isStored = async (status: string) =>
      (await project.admin.api.get('/work_orders/by_number/1')).body.data.status === status
    await eventually(() => isStored('in_progress'))
    await page.goto(`${app.origin}/p/${project.id}/work-orders?priority=urgent`)
    await page.getByText('Priority is Urgent').waitFor()
    expect(await page.getByRole('link', { name: 'Offer Apple Pay' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Remove the filter by priority' }).click()
    await page.getByRole('link', { name: 'Offer Apple Pay' }).waitFor()
  })

  test('the palette finds by words and opens', async () => {
    const { email, create } = await app.team()
    await create(['Trace a payment from click to ledger', 'Remember the last used card'])
    const page = await app.page()
    await app.signIn(page, email)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('ledger')
    await page.getByRole('option', { name: /Trace a payment/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/work-orders\/1$/)
  })

  test('dark follows the system, and a phone shows the list without a sidebar', async () => {
    const { email, create } = await app.team()
    await create(['Move tax rates to the new provider'])
    const page = await app.page({ width: 360, height: 740, dark: true })
    await app.signIn(page, email)
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
    await page.getByRole('link', { name: /Move tax rates/ }).waitFor()
    expect(await page.getByRole('complementary').isVisible()).toBe(false)
    const wide = await page.evaluate('document.documentElement.scrollWidth')
    expect(wide).toBe(360)
    await page.getByRole('link', { name: /Move tax rates/ }).click()
    await page.getByRole('button', { name: 'Change status' }).click()
    await page.getByRole('option', { name: 'Completed' }).click()
    await page.getByText('WO-1: status Completed').waitFor()
  })
})
