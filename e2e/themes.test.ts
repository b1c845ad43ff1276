import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { link, makeTheme, REPORT, report } from '../server/src/product/feedback/feedback.factory.ts'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('themes and Connect in a browser', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  /** Two themes: three people speak of declined cards, one of coupons. */
  async function setUp() {
    const team = await app.team()
    const { project } = team
    const { api } = project.admin
    const reporter = await project.join('editor', 'reporting')
    const cards = await makeTheme(api, { title: 'Declined cards give no reason' })
    const coupons = await makeTheme(api, { title: 'The coupon field hides', description: '' })
    const say = async (themeId: string, email: string, content: string, excerpt: string) => {
      const { body } = await report(reporter, content, { end_user_email: email })
      const { items } = (await api.get('/feedback/items?page_size=100')).body
      const item = items.find((one: { display_id: string }) => one.display_id === `FB-${body.feedback_number}`)
      await link(api, themeId, item.id, { text_excerpt: excerpt })
    }
    await say(cards.id, 'novak@example.org', 'The bank knew. Your page said nothing.', 'Your page said nothing.')
    await say(cards.id, 'meyer@example.org', 'Refused three times <b>without a word</b>.', 'Refused three times')
    await say(cards.id, 'silva@example.org', 'Apple Pay closes.', 'Apple Pay closes.')
    await say(coupons.id, 'okafor@example.org', 'The coupon box is gone.', 'The coupon box is gone.')
    const themes = `${app.origin}/p/${project.id}/feedback/themes`
    const open = async (as: string, path = '', more: Parameters<OpenApp['page']>[0] = {}): Promise<Page> => {
      const page = await app.page({ as, ...more })
      await page.goto(`${themes}${path}`)
      return page
    }
    return { ...team, themes, open }
  }

  test('themes are ranked by people, opened beside the list by keys, and become a work order in one step', async () => {
    const { email, open } = await setUp()
    const page = await open(email, '', { width: 1440 })
    const rows = page.getByRole('row')
    await rows.nth(1).waitFor()
    expect(await rows.allInnerTexts()).toEqual([
      expect.stringContaining('Declined cards give no reason'),
      expect.stringContaining('The coupon field hides'),
    ])
    await page.keyboard.press('j')
    await page.keyboard.press('Control+Enter')
    const panel = page.getByRole('complementary', { name: 'TH-1' })
    await panel.getByText('meyer@example.org').waitFor()
    // What a customer wrote is text.
    expect(await panel.getByText('<b>without a word</b>').count()).toBe(1)
    expect(await findingsOn(page)).toEqual([])
    await page.keyboard.press('w')
    await page.getByText('WO-1 created from TH-1').waitFor()
    await panel.getByRole('link', { name: 'Declined cards give no reason' }).waitFor()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByRole('heading', { name: 'What customers said' }).waitFor()
    expect(await page.locator('article blockquote').first().innerText()).toContain('Apple Pay closes.')
    await page.getByRole('region', { name: 'Connected' }).getByText('Declined cards give no reason').first().waitFor()
  })

  test('the pages of themes follow the order of the list, which is as it was on the way back', async () => {
    const { email, open } = await setUp()
    const page = await open(email, '?rank=newest', { width: 1440 })
    await page.getByRole('row', { name: /The coupon field hides/ }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The coupon field hides' }).waitFor()
    await page.getByText('1 of 2').waitFor()
    await page.keyboard.press('j')
    await page.getByRole('heading', { name: 'Declined cards give no reason' }).waitFor()
    await page.getByText('2 of 2').waitFor()
    const quotes = page.getByRole('region', { name: 'Quotes' })
    // The name of the key that the report came through.
    await quotes
      .getByRole('listitem')
      .filter({ hasText: 'Apple Pay closes.' })
      .getByText('test', { exact: true })
      .waitFor()
    await page.keyboard.press('w')
    await page.getByText('WO-1 created from TH-1').waitFor()
    await page.getByRole('region', { name: 'History' }).getByText('WO-1').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.waitForURL(/themes\?rank=newest/)
  })

  test('one person splits, merges and deletes, the other sees it live, and all of it is undone', async () => {
    const { email, join, open } = await setUp()
    const grace = await open(await join('Grace Hopper'))
    await grace.getByRole('row').nth(1).waitFor()
    const page = await open(email, '/1')
    await page.getByRole('checkbox', { name: 'Choose the quote of FB-3' }).check({ force: true })
    await page.getByRole('button', { name: 'Split' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Title of the new theme').fill('Apple Pay closes without a word')
    await dialog.getByLabel('Reason (optional)').fill('Only Apple Pay.')
    await dialog.getByRole('button', { name: 'Split' }).click()
    await grace.getByRole('row', { name: /Apple Pay closes without a word/ }).waitFor()
    await page.getByText('split off TH-3 “Apple Pay closes without a word”').waitFor()
    await page.getByText('Only Apple Pay.').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Undo' }).click()
    await grace.getByRole('row', { name: /Apple Pay closes without a word/ }).waitFor({ state: 'detached' })
    await page.getByText('Apple Pay closes.').waitFor()

    await page.getByRole('button', { name: 'More for TH-1' }).click()
    await page.getByRole('menuitem', { name: 'Merge into…' }).click()
    await dialog.getByRole('radio', { name: /The coupon field hides/ }).check({ force: true })
    await dialog.getByRole('button', { name: 'Merge' }).click()
    await grace.getByRole('row', { name: /Declined cards/ }).waitFor({ state: 'detached' })
    await grace.getByRole('row', { name: /4 people/ }).waitFor()
    await page.getByText('There is no theme TH-1').waitFor()
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await page.getByRole('heading', { name: 'Declined cards give no reason' }).waitFor()
    await grace.getByRole('row', { name: /3 people/ }).waitFor()

    await page.getByRole('button', { name: 'More for TH-1' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await dialog.getByText('Its 3 quotes go with it.').waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await grace.getByRole('row', { name: /Declined cards/ }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await grace.getByRole('row', { name: /Declined cards/ }).waitFor()
    await page.goBack()
    await page.getByText('meyer@example.org').waitFor()
  })

  test('a new title and description do not replace the newer ones of somebody else unseen', async () => {
    const { email, join, open, project } = await setUp()
    const grace = await open(await join('Grace Hopper'), '/1')
    const page = await open(email, '/1')
    await page.getByRole('button', { name: 'More for TH-1' }).click()
    await page.getByRole('menuitem', { name: 'Rename and edit…' }).click()
    const form = page.getByRole('dialog', { name: 'Edit TH-1' })
    await form.getByLabel('Title').fill('Cards are declined without a reason')
    const theme = (await project.admin.api.get('/feedback/themes')).body.items.at(-1)
    const at = `${app.origin}/v2/app-api/feedback/themes/${theme.id}`
    const data = { title: 'The bank’s reason is not shown' }
    await grace.request.patch(at, { headers: { 'x-project-id': project.id }, data })
    await grace.getByRole('heading', { name: data.title }).waitFor()
    await form.getByLabel('Description').fill('The payment step says the same for every cause.')
    await form.getByRole('button', { name: 'Save' }).click()
    const dialog = page.getByRole('dialog', { name: 'Title of TH-1 was changed meanwhile' })
    await dialog.getByText('Grace Hopper, saved').waitFor()
    await dialog.getByText(data.title).waitFor()
    // Nobody else changed the description, so it is saved.
    await grace.getByText('The payment step says the same for every cause.').waitFor()
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await grace.getByRole('heading', { name: 'Cards are declined without a reason' }).waitFor()
  })

  test('notes of a theme are written by two people, and neither replaces what the other wrote', async () => {
    const { email, join, open, project } = await setUp()
    const page = await open(email, '/1')
    const grace = await open(await join('Grace Hopper'), '/1')
    await page.getByRole('button', { name: 'Add notes…' }).click()
    await page.getByRole('textbox', { name: 'Notes' }).fill('Banks **do** tell us why.')
    // A new quote changes the theme, but not its notes.
    const { items } = (await project.admin.api.get('/feedback/themes')).body
    const { items: reports } = (await project.admin.api.get('/feedback/items')).body
    await link(project.admin.api, items.at(-1).id, reports[0].id)
    await page.keyboard.press('Control+Enter')
    await grace.getByRole('region', { name: 'Notes' }).locator('strong', { hasText: 'do' }).waitFor()
    await grace.getByText('changed the notes').waitFor()
    for (const one of [page, grace]) await one.getByRole('button', { name: 'Edit notes' }).click()
    await page.getByRole('textbox', { name: 'Notes' }).fill('Banks tell us.')
    await page.keyboard.press('Control+Enter')
    await eventually(
      async () =>
        (await project.admin.api.get(`/feedback/themes/${items.at(-1).id}`)).body.data.markdown_content ===
        'Banks tell us.',
    )
    await grace.getByRole('textbox', { name: 'Notes' }).fill('Ask the banks.')
    await grace.keyboard.press('Control+Enter')
    const dialog = grace.getByRole('dialog', { name: 'Notes of TH-1 was changed meanwhile' })
    await dialog.getByText('Ada Lovelace').first().waitFor()
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('region', { name: 'Notes' }).getByText('Ask the banks.').waitFor()
    expect(await findingsOn(page)).toEqual([])
  })

  test('a viewer reads a theme on a phone and is offered no change', async () => {
    const { join, open } = await setUp()
    const page = await open(await join('Edsger Dijkstra', 'viewer'), '/1', { width: 360, height: 740, touch: true })
    await page.getByText('meyer@example.org').waitFor()
    for (const name of [/Create work order/, /More for/, /^Link/, /^Change/, /^Unlink/])
      expect(await page.getByRole('button', { name }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(await findingsOn(page)).toEqual([])
  })

  test('the snippet of a new key reports, and its line turns green', async () => {
    const { email, themes, open } = await setUp()
    const page = await open(email, '', { width: 1440 })
    await page.goto(themes.replace('/themes', '/connect'))
    await page.getByRole('button', { name: 'New reporting key' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Help centre')
    await dialog.getByLabel('Allowed origins (optional)').fill('https://help.example.org/cart')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('"https://help.example.org/cart" is not an origin.').waitFor()
    await dialog.getByLabel('Allowed origins (optional)').fill('')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('heading', { name: 'Waiting for the first report…' }).waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'curl', exact: true }).click()
    const key = /X-API-Key: (sf-rpt-[\w-]+)/.exec(await page.locator('pre').innerText())?.[1]
    await app.workspace.client(key).post(REPORT, { end_user_email: 'noor@example.org', content: 'Does this arrive?' })
    await page.getByRole('heading', { name: 'First report received' }).waitFor()
    await page.getByText('“Does this arrive?”').waitFor()
    await page
      .getByRole('row', { name: /Help centre/ })
      .getByRole('cell', { name: '1', exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Revoke' }).first().click()
    await dialog.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
  })

  test('what is chosen for the widget is shown by the preview and by pages', async () => {
    const { email, project, themes, open } = await setUp()
    const page = await open(email, '', { width: 1440 })
    await page.goto(themes.replace('/themes', '/connect'))
    await page.getByLabel('Label').fill('Tell us')
    await page.getByLabel('Label').press('Enter')
    await page.getByText('Saved. Pages show it within an hour.').waitFor()
    const preview = page.frameLocator('iframe')
    await preview.getByRole('button', { name: 'Tell us' }).click()
    await preview.getByLabel('Your e-mail address').fill('a@example.org')
    await preview.getByLabel('What would you like to tell us?').fill('Hello')
    await preview.getByRole('button', { name: 'Send' }).click()
    await preview.getByText('This is a preview. Nothing was sent.').waitFor()
    const script = await (await fetch(`${app.origin}/widget.js?project=${project.id}`)).text()
    expect(script).toContain('"label":"Tell us"')
  })
})
