import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('in a browser', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  type Team = Awaited<ReturnType<OpenApp['team']>>
  const statusOf = async ({ project }: Team, number = 1) =>
    (await project.admin.api.get(`/work_orders/by_number/${number}`)).body.data.status
  const isStored = (team: Team, status: string) => eventually(async () => (await statusOf(team)) === status)
  const chooseInMenu = async (page: Page, menu: string, option: string) => {
    await page.getByRole('button', { name: menu, exact: true }).click()
    await page.getByRole('option', { name: option }).click()
  }

  const tabTo = async (page: Page, field: Locator) => {
    for (let count = 0; count < 60; count++) {
      if ((await field.and(page.locator(':focus')).count()) === 1) return
      await page.keyboard.press('Tab')
    }
    throw new Error('The Tab key does not reach the field.')
  }

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
    const team = await app.team()
    await team.create(['Refund fails when the card was replaced'])
    const page = await app.page({ as: team.email })
    await app.home(page)
    await page.getByRole('button', { name: 'Status: Ready' }).click()
    await page.getByRole('option', { name: 'In review' }).click()
    await page.getByRole('button', { name: 'Status: In review' }).waitFor()
    await isStored(team, 'in_review')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Status: Ready' }).waitFor()
    await isStored(team, 'ready')
  })

  test('several are changed at once by keys, and what was deleted meanwhile is listed with the reason', async () => {
    const { email, create, project } = await app.team()
    await create(['First', 'Second', 'Third'])
    const page = await app.page({ as: email })
    // Without the live stream, the page does not learn of the deletion before the change is sent.
    await page.route('**/v2/app-api/stream*', (route) => route.abort())
    await app.home(page)
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

  test('the board moves cards by keyboard and mouse, shows what is asked for, and the address holds it', async () => {
    const team = await app.team()
    await team.create(['Offer Apple Pay'])
    await team.create(['Something else'], { priority: 'urgent', type: 'fix' })
    const page = await app.page({ as: team.email })
    await app.home(page)
    await page.getByRole('link', { name: 'Board' }).click()
    await page.getByRole('button', { name: /WO-1 Offer Apple Pay/ }).focus()
    expect(await page.locator('[aria-current=page]', { hasText: /^(Table|Board)$/ }).allTextContents()).toEqual([
      'Board',
    ])
    for (const key of ['Space', 'ArrowRight', 'ArrowRight', 'ArrowLeft', 'Escape']) await page.keyboard.press(key)
    await page.getByText('WO-1 is back.').waitFor({ state: 'attached' })
    for (const key of ['Space', 'ArrowRight', 'Space']) await page.keyboard.press(key)
    await isStored(team, 'in_progress')
    const column = page.getByRole('region', { name: 'In progress' })
    const card = column.getByRole('button', { name: /WO-1 Offer Apple Pay/ })
    await card.and(page.locator(':focus')).waitFor()

    const target = await page.getByRole('region', { name: 'Blocked' }).boundingBox()
    await card.hover()
    await page.mouse.down()
    await page.mouse.move(target!.x + 80, target!.y + 150, { steps: 8 })
    await page.mouse.up()
    await isStored(team, 'blocked')

    const other = page.getByRole('button', { name: /WO-2 Something else/ })
    expect(await other.getByText('Fix').count()).toBe(0)
    await chooseInMenu(page, 'Show: Labels, phase', 'Type')
    await other.getByText('Fix').waitFor()
    await page.keyboard.press('Escape')
    await page.reload()
    await other.getByText('Fix').waitFor()
    await chooseInMenu(page, 'More for Ready', 'Select all 1')
    await page.getByRole('toolbar', { name: 'Selected work orders' }).getByText('1 selected').waitFor()
    await chooseInMenu(page, 'More for Ready', 'Collapse')
    await page.getByRole('button', { name: 'Expand Ready, 1' }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await other.waitFor()

    await page.goto(`${app.origin}/p/${team.project.id}/work-orders?priority=urgent`)
    await page.getByText('Priority is Urgent').waitFor()
    expect(await page.getByRole('link', { name: 'Offer Apple Pay' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Remove the filter by priority' }).click()
    await page.getByRole('link', { name: 'Offer Apple Pay' }).waitFor()
  })

  test('the palette finds by words and opens', async () => {
    const { email, create } = await app.team()
    await create(['Trace a payment from click to ledger', 'Remember the last used card'])
    const page = await app.page({ as: email })
    await app.home(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('ledger')
    await page.getByRole('option', { name: /Trace a payment/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/work-orders\/1$/)
  })

  test('with the keyboard only: from the list to a comment beside it, on to the next one, and back', async () => {
    const { email, create, project } = await app.team()
    await create(['First', 'Second'])
    const page = await app.page({ width: 1440 })
    await page.getByLabel('E-mail').focus()
    await page.keyboard.type(email)
    await tabTo(page, page.getByLabel('Password', { exact: true }))
    await page.keyboard.type('correct horse battery')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Second' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(/beside=2/)
    const panel = page.getByRole('complementary', { name: 'WO-2' })
    const field = panel.getByLabel('Comment', { exact: true })
    await field.waitFor()
    await tabTo(page, field)
    await page.keyboard.type('Done in the **rounding** step.')
    await page.keyboard.press('Control+Enter')
    await panel.getByText('rounding').waitFor()
    const { id } = (await project.admin.api.get('/work_orders/by_number/2')).body.data
    await eventually(async () => (await project.admin.api.get(`/work_orders/${id}/comments`)).body.items.length === 1)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.getByRole('complementary', { name: 'WO-1' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => !url.search.includes('beside'))
  })

  test('a comment carries a file that is attached, is edited, and the activity says who did what', async () => {
    const { email, create, project } = await app.team()
    await create(['Refund fails'])
    const page = await app.page({ as: email, width: 1440 })
    await page.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    const picking = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).click()
    await (await picking).setFiles({ name: 'refund.har', mimeType: 'application/json', buffer: Buffer.from('{"a":1}') })
    await page.getByText('7 B').waitFor()
    await page.getByLabel('Comment', { exact: true }).fill('Recorded it.')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    const file = page.getByRole('link', { name: /refund\.har/ })
    await file.waitFor()
    const downloading = page.waitForEvent('download')
    await file.click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe('refund.har')
    expect(await readFile(await download.path(), 'utf8')).toBe('{"a":1}')
    await chooseInMenu(page, 'More about the comment', 'Edit')
    await page.getByLabel('Comment', { exact: true }).first().fill('Recorded it twice.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Recorded it twice.').waitFor()
    await page.getByText('· edited').waitFor()
    await page.getByRole('button', { name: 'Change priority' }).click()
    await page.getByRole('option', { name: 'Urgent' }).click()
    await page.getByText('set the priority to Urgent').waitFor()
  })

  test('what is connected shows the lines about the work, and the bundle for an agent has them', async () => {
    const { email, create, project } = await app.team()
    await create(['Refund to the replaced card'])
    const text =
      '# Refunds\n\n## Limits\n\nAt most two.\n\n## Cards\n\nA replaced card gets the refund on its account.\n'
    const made = await project.admin.api.post('/requirements', {
      title: 'Refunds',
      document_type: 'FEATURE',
      markdown_content: text,
    })
    expect(made.status).toBe(201)
    const page = await app.page({ as: email, width: 1440 })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByRole('option', { name: 'Refunds' }).first().click()
    await page.getByRole('button', { name: /Refunds Requirement/ }).click()
    await page.getByText('Cards, line 9').waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.keyboard.press('Control+Shift+C')
    await page.getByRole('menu', { name: 'Copy for agent' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const bundle = await page.evaluate('navigator.clipboard.readText()')
    expect(bundle).toContain('# WO-1 Refund to the replaced card')
    expect(bundle).toContain('> A replaced card gets the refund on its account.')
    for (const [key, command] of [
      ['2', `slipway ${app.origin}/mcp`],
      ['3', 'slipway wo context 1 --budget 8000'],
    ] as const) {
      await page.keyboard.press(key)
      await page.keyboard.press('Enter')
      await eventually(async () => String(await page.evaluate('navigator.clipboard.readText()')).endsWith(command))
    }
  })

  test('a claim is shown and listed while it lasts, and can be taken back', async () => {
    const team = await app.team()
    await team.create(['Refund to the replaced card', 'Round once'])
    const { api } = team.project.admin
    const { id } = (await api.get('/work_orders/by_number/1')).body.data
    const page = await app.page({ as: team.email, width: 1440 })
    await page.goto(`${app.origin}/p/${team.project.id}/work-orders/1`)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await api.post(`/work_orders/${id}/claim`, { holder: 'build-agent', lease_seconds: 900 })
    const claim = page.getByRole('region', { name: 'Claim' })
    await claim.getByText('Claimed by build-agent').waitFor()
    await claim.getByText('15 min left').waitFor()
    await isStored(team, 'in_progress')
    await page.getByRole('link', { name: 'Claimed by agents 1' }).click()
    await page.getByText('1 of 2').waitFor()
    expect(await page.locator('[data-row]').count()).toBe(1)
    await page.getByRole('link', { name: 'Board' }).click()
    await page.getByRole('button', { name: /WO-1/ }).getByText('15 min').waitFor()
    await page.goBack()
    await page.goBack()
    await claim.getByRole('button', { name: 'Release' }).click()
    await page.getByText('Take WO-1 from build-agent?').waitFor()
    await page.getByRole('button', { name: 'Release' }).last().click()
    await claim.waitFor({ state: 'detached' })
    await isStored(team, 'ready')
  })

  test('a view is saved, shared, opened from the sidebar and deleted; its rows are exported', async () => {
    const { email, create } = await app.team()
    await create(['=HYPERLINK("x")'], { priority: 'urgent' })
    await create(['Something else'])
    const page = await app.page({ as: email })
    await app.home(page)
    await page.getByRole('link', { name: 'Something else' }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Priority', exact: true }).click()
    await page.getByRole('option', { name: 'Urgent' }).click()
    await page.getByRole('button', { name: 'Save as view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save as view' })
    await dialog.getByLabel('Name').fill('Burning')
    await dialog.getByLabel('Everyone in the project').check()
    await page.keyboard.press('Enter')
    await page.waitForURL(/saved=/)
    const downloading = page.waitForEvent('download')
    await chooseInMenu(page, 'More', 'Export CSV')
    const csv = await readFile(await (await downloading).path(), 'utf8')
    expect(csv.split('\r\n')[1]).toMatch(/^WO-1,"'=HYPERLINK\(""x""\)",Ready,Urgent,/)
    expect(csv.split('\r\n')).toHaveLength(3)
    await page.getByRole('link', { name: 'All work orders' }).click()
    await page.getByRole('link', { name: 'Something else' }).waitFor()
    await page.getByRole('link', { name: 'Burning' }).click()
    await page.getByText('Priority is Urgent').waitFor()
    await page.getByRole('button', { name: 'More about the view Burning' }).click()
    await page.getByRole('option', { name: 'Delete' }).click()
    await page.getByRole('link', { name: 'Burning' }).waitFor({ state: 'detached' })
  })

  test('phases are renamed, reordered with the keyboard and deleted; labels are managed in place', async () => {
    const { email, create, project } = await app.team()
    await create(['Round once'])
    const page = await app.page({ as: email, width: 1440 })
    await app.home(page)
    await page.getByRole('link', { name: 'Phases' }).click()
    for (const title of ['First', 'Second']) {
      await page.getByRole('button', { name: 'New phase' }).click()
      await page.getByLabel('Title of the phase').fill(title)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: `More about ${title}` }).waitFor()
    }
    await chooseInMenu(page, 'More about Second', 'Rename')
    await page.getByLabel('Title of the phase').fill('Launch')
    await page.keyboard.press('Enter')
    const titles = async () =>
      (await project.admin.api.get('/work_orders/phases')).body.items.map((one: { title: string }) => one.title).join()
    await eventually(async () => (await titles()) === 'First,Launch')
    await page.getByRole('button', { name: 'Move WO-1' }).focus()
    for (const key of ['Space', 'ArrowUp', 'Space']) await page.keyboard.press(key)
    await page.getByRole('region', { name: 'Launch' }).getByText('Round once').waitFor()
    await page.getByRole('button', { name: 'Move the phase Launch' }).focus()
    for (const key of ['Space', 'ArrowUp', 'Space']) await page.keyboard.press(key)
    await eventually(async () => (await titles()) === 'Launch,First')
    await chooseInMenu(page, 'More about Launch', 'Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete Launch' })
    await dialog.getByLabel('Move its work order to').selectOption({ label: '2 First' })
    await dialog.getByRole('button', { name: 'Delete phase' }).click()
    await eventually(async () => (await titles()) === 'First')
    await page.getByRole('region', { name: 'First' }).getByText('Round once').waitFor()

    await chooseInMenu(page, 'More', 'Manage labels')
    const labels = page.getByRole('dialog', { name: 'Labels' })
    await labels.getByLabel('New label').fill('checkout')
    await page.keyboard.press('Enter')
    await labels.getByLabel('Title of checkout').fill('basket')
    await page.keyboard.press('Enter')
    await labels.getByRole('button', { name: /Colour of basket/ }).click()
    await page.getByRole('option', { name: 'Red' }).click()
    const stored = async () => (await project.admin.api.get('/work_orders/labels')).body.items
    await eventually(async () => {
      const [label] = await stored()
      return label?.title === 'basket' && label.color === 'red'
    })
    page.once('dialog', (asked) => void asked.accept())
    await labels.getByRole('button', { name: 'Delete basket' }).click()
    await eventually(async () => (await stored()).length === 0)
  })

  test('dark follows the system, and a phone shows the list without a sidebar', async () => {
    const { email, create } = await app.team()
    await create(['Move tax rates to the new provider'])
    const page = await app.page({ as: email, width: 360, height: 740, dark: true })
    await app.home(page)
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
    await page.getByRole('link', { name: /Move tax rates/ }).waitFor()
    expect(await page.getByRole('complementary').isVisible()).toBe(false)
    const isWideEnough = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await isWideEnough()
    await page.getByRole('link', { name: /Move tax rates/ }).click()
    await page.getByRole('button', { name: 'Change status' }).click()
    await page.getByRole('option', { name: 'Completed' }).click()
    await page.getByText('WO-1: status Completed').waitFor()
    await page.getByText(/moved it from/).waitFor()
    await isWideEnough()
  })
})
