import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('around a document', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  async function setUp(options: Parameters<OpenApp['page']>[0] = {}) {
    const made = await app.team()
    const { api } = made.project.admin
    const add = async (path: string, body: object) => (await api.post(path, body)).body.data.id as string
    const feature = (title: string, markdown_content = '') =>
      add('/requirements', { title, document_type: 'FEATURE', markdown_content })
    const page = await app.page({ ...options, as: made.email })
    const go = (path: string) => page.goto(`${app.origin}/p/${made.project.id}${path}`)
    return { ...made, api, add, feature, page, go }
  }
  const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })
  const field = (page: Page) => page.getByLabel(/^Regular expression/)

  test('lines are found by an expression and opened in their document; a mistake is shown at its place', async () => {
    const { page, go, feature } = await setUp()
    const filler = Array.from({ length: 40 }, (_, at) => `Paragraph ${at}.\n`).join('\n')
    await feature('Refunds', `${filler}\nEvery refund is idempotent.\n\n- One\n- The second idempotency key\n`)
    await feature('Idempotent payments', 'Nothing else.\n')
    await go('/requirements')
    await text(page).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('idempoten(t|cy)')
    await page.getByRole('option', { name: 'Search text in requirements for idempoten(t|cy)' }).click()
    await page.getByText('2 lines in 2 documents').first().waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('idempoten(t|cy)')
    await page.getByText('Title', { exact: true }).waitFor()
    await page.getByRole('button', { name: /second idempotency key/ }).click()
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('line 84 of 84').waitFor()
    await preview.locator('li [data-found] mark', { hasText: 'idempotency' }).waitFor()

    await field(page).fill('idempoten(t|cy')
    await page.getByRole('alert').getByText('Unclosed group').waitFor()
    await field(page).fill('IDEMPOTENT')
    await page
      .getByText(/^1 line in 2 documents/)
      .first()
      .waitFor()
    await field(page).press('Alt+c')
    await page.getByText('Nothing matches').waitFor()
    await page.getByRole('button', { name: 'Match case', pressed: true }).click()

    await page.getByRole('button', { name: /Search in/ }).click()
    await page.getByRole('option', { name: 'Overview' }).click()
    await page.getByRole('button', { name: /Search in all requirements/ }).click()
    await page.getByRole('button', { name: /Every refund is/ }).click()
    await preview.getByRole('button', { name: 'Open' }).click()
    await page.getByLabel('Line 81').waitFor()
    await text(page).getByText('Every refund is idempotent.').waitFor()
    const box = await page.getByLabel('Line 81').boundingBox()
    expect(box!.y).toBeGreaterThan(0)
    expect(box!.y).toBeLessThan(800)
  })

  test('a connection is made, becomes suspect when its document changes, is confirmed, and removed with Undo', async () => {
    const { page, go, feature, create, api, add } = await setUp()
    const id = await feature('Refunds', 'One.\n')
    await add('/blueprints', { title: 'Ledger' })
    await create(['Build refunds'])
    await go(`/requirements/${id}`)
    const connected = page.getByRole('navigation', { name: 'Connected' })
    await page.setViewportSize({ width: 1440, height: 900 })
    await connected.getByRole('link', { name: 'Refunds' }).waitFor()
    const connect = async (typed: string, name: string) => {
      await connected.getByRole('button', { name: 'Connect', exact: true }).click()
      await page.getByLabel(/^Connect a/).fill(typed)
      await page.getByRole('option', { name }).click()
    }
    await connect('build', 'WO-1 Build refunds')
    await connect('ledg', 'Ledger')
    await connected.getByRole('link', { name: /WO-1/ }).waitFor()
    await connected.getByRole('link', { name: 'Ledger' }).waitFor()
    // It is shown before it is saved. One that is saved after the change knows the new version.
    await page.getByText('“Ledger” connected').waitFor()

    await api.patch(`/requirements/${id}`, { markdown_content: 'Two.\n' })
    await connected.getByRole('button', { name: /^Suspect.*WO-1/ }).waitFor()
    await connected.getByRole('link', { name: /WO-1/ }).click()
    const list = page.getByRole('region', { name: 'Connected' })
    await list.getByRole('button', { name: /^Suspect.*Refunds/ }).click()
    await page.getByText('was confirmed at version 1 and is at version 2 now').waitFor()
    await page.getByRole('button', { name: 'Confirm', exact: true }).click()
    await page.getByText('Confirmed: “Refunds” still fits').waitFor()
    await list.getByRole('button', { name: /^Suspect/ }).waitFor({ state: 'detached' })

    await list.getByRole('link', { name: 'Open' }).click()
    await connected.getByRole('button', { name: /^Suspect.*Ledger/ }).waitFor()
    await connected.getByText('Ledger').hover()
    await connected.getByRole('button', { name: 'Disconnect Ledger' }).click()
    await connected.getByRole('link', { name: 'Ledger' }).waitFor({ state: 'detached' })
    await page.getByText('“Ledger” disconnected').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    // As it was: still to be confirmed.
    await connected.getByRole('button', { name: /^Suspect.*Ledger/ }).waitFor()
  })

  test('a version is named, compared and restored, with Undo, and the next visit says what is new', async () => {
    const { page, go, feature, api, project } = await setUp()
    const id = await feature('Refunds', 'One.\n')
    await api.patch(`/requirements/${id}`, { markdown_content: 'Two.\n' })
    await go(`/requirements/${id}/history`)
    const versions = page.getByRole('complementary', { name: 'Versions' })
    await page.getByRole('button', { name: 'Name this version' }).click()
    await page.getByLabel('Name of version 1').fill('Agreed with Finance')
    await page.keyboard.press('Enter')
    await versions.getByRole('button', { name: /^Agreed with Finance/ }).waitFor()
    await versions.getByText(/^Key /).first().waitFor()
    await page.getByRole('button', { name: 'Restore version 1' }).first().click()
    await versions.getByText(/restored version 1/).waitFor()
    const content = async () => (await api.get(`/requirements/${id}`)).body.data.markdown_content
    expect(await content()).toBe('One.\n')
    await page.getByText('Version 1 restored as a new version').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await versions.getByRole('button', { name: /^Version 4/ }).waitFor()
    expect(await content()).toBe('Two.\n')
    await versions.getByRole('button', { name: 'Named only' }).click()
    await versions.getByRole('button', { name: /^Version 4/ }).waitFor({ state: 'detached' })

    const visits = () => page.waitForResponse((res) => res.url().endsWith('/visit') && res.request().method() === 'PUT')
    await go(`/requirements/${id}`)
    await page.getByText('Saved').waitFor()
    // Two seconds of reading count as a visit.
    await eventually(async () => {
      await page.getByRole('link', { name: 'Blueprints' }).first().hover()
      return page.evaluate('performance.now() > 3500')
    })
    const noted = visits()
    await page.getByRole('link', { name: 'History' }).click()
    await noted
    await api.patch(`/requirements/${id}`, { markdown_content: 'Three.\n' })
    await go(`/requirements/${id}`)
    await page.getByText(/^1 new version by .* since you looked/).waitFor()
    await page.getByRole('link', { name: 'See what changed' }).click()
    await page.waitForURL(/history\?a=4/)
    await page.getByText('Three.').first().waitFor()
    expect(page.url()).toContain(project.id)
  })

  test('a document moves by keys between categories, and what cannot be is said', async () => {
    const { page, go, add, feature, api } = await setUp()
    const { items } = (await api.get('/blueprints/categories')).body
    const category = (name: string) => items.find((one: { name: string }) => one.name === name).id
    await add('/blueprints', { title: 'Shop', category_id: category('Containers') })
    const ledger = await add('/blueprints', { title: 'Ledger', category_id: category('Containers') })
    await feature('Refunds')
    await go(`/blueprints/${ledger}`)
    const tree = page.getByRole('tree')
    await tree.getByRole('treeitem', { name: 'Ledger' }).waitFor()
    await tree.focus()
    await page.keyboard.press('Alt+ArrowDown')
    const place = async () => (await api.get(`/blueprints/${ledger}`)).body.data
    await eventually(async () => (await place()).category_name === 'Components')
    await page.getByText('“Ledger” moved').first().waitFor()
    // Next come the feature blueprints, which follow their features.
    await page.keyboard.press('Alt+ArrowDown')
    await page
      .getByText(/follow the features/)
      .first()
      .waitFor()
    await page.keyboard.press('Alt+ArrowRight')
    await page.getByText(/Nothing stands above/).waitFor()
    await page.keyboard.press('Alt+ArrowUp')
    await eventually(async () => (await place()).category_name === 'Containers')
    await page.keyboard.press('Alt+ArrowRight')
    await eventually(async () => (await place()).parent_id !== null)
    await page.keyboard.press('Delete')
    await page
      .getByRole('dialog')
      .getByText(/deleted for everyone/)
      .waitFor()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await tree.getByRole('treeitem', { name: 'Ledger' }).waitFor({ state: 'detached' })
    await page.getByText('“Ledger” deleted').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await tree.getByRole('treeitem', { name: 'Ledger' }).waitFor()
    expect((await api.get(`/blueprints/${ledger}`)).status).toBe(200)
  })

  test('on a phone: search, open at the line, see what is connected, and the history', async () => {
    const { page, go, feature } = await setUp({ width: 360, height: 740 })
    await feature('Refunds', 'A refund is idempotent.\n')
    await go('/requirements')
    await page.getByRole('link', { name: /^Search the text/ }).click()
    await field(page).fill('idempotent')
    await page.getByRole('button', { name: /A refund is/ }).click()
    await page.getByLabel('Line 1').waitFor()
    await page.getByRole('button', { name: /^Connected: 1/ }).click()
    await page.getByRole('link', { name: 'Refunds' }).first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^v\d/ }).click()
    await page.getByRole('menuitem', { name: 'All versions' }).click()
    await page.getByRole('heading', { name: /^Versions/ }).waitFor()
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(360)
  })
})
