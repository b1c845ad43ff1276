import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createReporter } from '../sdk/src/index.ts'
import { openMailServer, readMail } from '../server/src/kernel/mail.factory.ts'
import { DEFAULT_SETTINGS, sliceSettingsFrom } from '../server/src/kernel/settings.ts'
import { link, makeTheme, report } from '../server/src/product/feedback/feedback.factory.ts'
import { suggestThemes } from '../server/src/product/feedback/inbox/suggestions.ts'
import { sendMails } from '../server/src/product/feedback/mailings/sending.ts'
import { addKey } from '../server/src/product/projects/index.ts'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { PDF } from './pdf.factory.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/p1nWAAAAAABJRU5ErkJggg==',
  'base64',
)
/** Where the page with the widget is. */
const SHOP = 'shop.example'
const HOSTILE = '<img src=x onerror=alert(1)> [click](javascript:alert(1)) **bold**'

describe.runIf(hasBrowser)('the inbox', () => {
  let app: OpenApp
  let mail: Awaited<ReturnType<typeof openMailServer>>
  beforeAll(async () => {
    mail = await openMailServer()
    const settings = { ...DEFAULT_SETTINGS, of: sliceSettingsFrom(mail.env) }
    app = await openApp({ rateLimitReporting: 0, otherHost: SHOP, settings })
  })
  afterAll(async () => {
    await app.close()
    await mail.close()
  })

  async function setUp(...texts: string[]) {
    const team = await app.team()
    const { project, email } = team
    const { api } = project.admin
    const reporter = await project.join('editor', 'reporting')
    for (const text of texts) await report(reporter, text)
    const items = async (): Promise<{ id: string; title: string; status: string }[]> =>
      (await api.get('/feedback/items?page_size=100')).body.items
    const isStored = (title: string, status: string) =>
      eventually(async () => (await items()).find((one) => one.title === title)?.status === status)
    const open = async (page: Page, path = '') => {
      await page.goto(`${app.origin}/p/${project.id}/feedback${path}`)
      await page.getByRole('navigation', { name: 'Feedback' }).waitFor()
    }
    return { ...team, api, reporter, email, items, isStored, open }
  }
  const row = (page: Page, title: string) => page.locator('[data-row]').filter({ hasText: title })
  const reportOf = (page: Page, code: string) => page.getByRole('region', { name: `Report ${code}` })

  test('a report with a screenshot from the widget reaches two people, becomes work, and its sender is told', async () => {
    const { project, email, join, open, api, reporter } = await setUp()
    const theme = await makeTheme(api, { title: 'Declined cards give no reason' })
    const page = await app.page({ as: email, width: 1440, height: 900 })
    const other = await app.page({ as: await join('Grace Hopper') })
    await open(page)
    await page.getByText('No feedback yet').waitFor()
    await open(other, '?status=all')
    const server = http.createServer((_req, res) => {
      res.setHeader('content-type', 'text/html')
      res.end(`<title>Shop</title><h1>Shop</h1><script src="${app.origin}/widget.js" data-key="${secret}"></script>`)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const shop = `http://${SHOP}:${(server.address() as AddressInfo).port}`
    const key = { kind: 'reporting' as const, userId: reporter.userId, name: 'Web shop', allowedOrigins: [shop] }
    const { key: secret } = await addKey(project.operator, key)
    const customer = await app.page()
    await customer.goto(shop)
    await customer.getByRole('button', { name: 'Feedback' }).click()
    await customer.getByLabel('Your e-mail address').fill('j.okafor@posteo.example')
    await customer.getByLabel('What would you like to tell us?').fill('My card is declined\n\nNobody tells me why.')
    await customer
      .locator('input[type=file]')
      .setInputFiles({ name: 'error.png', mimeType: 'image/png', buffer: PIXEL })
    await customer.getByRole('button', { name: 'Send' }).click()
    await row(page, 'My card is declined').waitFor()
    const shown = reportOf(page, 'FB-1')
    const picture = shown.getByRole('img', { name: 'error.png' })
    await eventually(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth === 1))
    await shown.getByText('Web shop').waitFor()
    await shown.getByText('j.okafor@posteo.example').waitFor()
    await row(other, 'My card is declined').waitFor()
    await page.getByRole('link', { name: /^Web shop/ }).waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.keyboard.press('1')
    await page.getByRole('combobox', { name: 'Search themes, or name a new one' }).fill('declined')
    await page.keyboard.press('Enter')
    await page.getByText('Everything is processed').waitFor()
    await row(other, 'My card is declined').getByText('TH-1').waitFor()
    await reportOf(other, 'FB-1').getByText('Processed', { exact: true }).waitFor()
    expect((await api.get(`/feedback/themes/${theme.id}`)).body.data.quote_count).toBe(1)

    for (const one of [page, other]) {
      await one.goto(`${app.origin}/p/${project.id}/feedback/themes/1`)
      await one.getByRole('heading', { name: theme.title }).waitFor()
    }
    await page.keyboard.press('w')
    await page.getByText('WO-1 created from TH-1').waitFor()
    await other.getByRole('region', { name: 'Linked' }).getByText('WO-1').waitFor()
    await other.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    await other.getByRole('button', { name: 'Change status' }).click()
    await other.getByRole('option', { name: 'Completed' }).click()
    const card = page.getByRole('region', { name: 'Tell the people' })
    await card.getByRole('heading', { name: 'Tell the person' }).waitFor()
    await card.getByText('“My card is declined Nobody tells me why.”').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await card.getByRole('button', { name: 'Edit' }).click()
    await card.getByLabel('Subject').fill('Your bank’s reason is shown now')
    await card.getByRole('button', { name: 'Send to 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await card.getByText('0 of 1 mail sent').waitFor()
    const [{ id: mailingId }] = (await app.workspace.sql<{ id: string }[]>`select id from theme_mailings`) as [
      { id: string },
    ]
    await sendMails({ projectId: project.id, mailingId }, app.workspace.deps)
    await card.getByText('1 person told').waitFor()
    await page.getByText('told 1 person').waitFor()
    const [sent] = mail.mails
    expect(sent?.to).toBe('j.okafor@posteo.example')
    const unsubscribe = /https?:\S+\/unsubscribe\/\S+/.exec(readMail(sent!.source).body)![0]
    await customer.goto(unsubscribe.replace('http://slipway.test', app.origin))
    expect(await findingsOn(customer)).toEqual([])
    await customer.getByRole('button', { name: 'Do not write to me again' }).click()
    await customer.getByText('We will not write to you about your feedback again.').waitFor()
  })

  test('new reports do not move what somebody reads, are counted, and only changed rows are read', async () => {
    const texts = Array.from({ length: 60 }, (_, index) => `Report number ${index + 1}`)
    const { email, open, reporter, api, items } = await setUp(...texts)
    const page = await app.page({ as: email })
    await open(page)
    await row(page, 'Report number 60').waitFor()
    const grid = page.getByRole('grid', { name: 'Reports' })
    await grid.evaluate((one) => one.scrollTo(0, 76 * 20))
    const middle = row(page, 'Report number 35')
    await middle.waitFor()
    const before = await middle.boundingBox()
    const read: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/feedback/inbox?')) read.push(request.url())
    })
    for (const text of ['Just in', 'And another one']) await report(reporter, text)
    const [oldest] = (await items()).filter((one) => one.title === 'Report number 33')
    await api.patch(`/feedback/items/${oldest!.id}`, { status: 'processed' })
    await row(page, 'Report number 33').waitFor({ state: 'detached' })
    const arrived = page.getByRole('button', { name: '2 new reports' })
    await arrived.waitFor()
    expect((await middle.boundingBox())!.y).toBe(before!.y)
    await arrived.click()
    await row(page, 'And another one').waitFor()
    await arrived.waitFor({ state: 'detached' })
    expect(read.filter((url) => !url.includes('id='))).toEqual([])
  })

  test('undoing a dismissal leaves alone what somebody has put into a theme since, and names it', async () => {
    const { email, join, open, api, items, isStored } = await setUp('Thank you', 'Where is my parcel')
    const theme = await makeTheme(api, { title: 'Parcels are late' })
    const page = await app.page({ as: email })
    const grace = await app.page({ as: await join('Grace Hopper') })
    await open(page)
    await row(page, 'Thank you').hover()
    await page.getByRole('button', { name: 'Select FB-1' }).click()
    await page.getByRole('button', { name: 'Select FB-2' }).click()
    await page.getByRole('toolbar', { name: 'Selected reports' }).getByRole('button', { name: 'Dismiss' }).click()
    await isStored('Where is my parcel', 'processed')
    await open(grace, '/2?status=all')
    await reportOf(grace, 'FB-2').waitFor()
    await grace.keyboard.press('1')
    await grace.getByRole('combobox', { name: 'Search themes, or name a new one' }).fill('parcels')
    await grace.keyboard.press('Enter')
    await eventually(async () => (await api.get(`/feedback/themes/${theme.id}`)).body.data.quote_count === 1)
    // The message may be gone by now. The key works all the same.
    await page.keyboard.press('u')
    await page.getByText('1 report not undone: Grace Hopper put FB-2 into a theme since').waitFor()
    await isStored('Thank you', 'to_process')
    expect((await items()).find((one) => one.title === 'Where is my parcel')?.status).toBe('processed')
  })

  test('a batch names the reports that somebody else has processed since', async () => {
    const { email, open, api, items } = await setUp('Thank you', 'Where is my parcel')
    const page = await app.page({ as: email })
    await open(page)
    await row(page, 'Thank you').hover()
    await page.getByRole('button', { name: 'Select FB-1' }).click()
    await page.getByRole('button', { name: 'Select FB-2' }).click()
    const [second] = (await items()).filter((one) => one.title === 'Where is my parcel')
    // Somebody else is faster, while the batch is on its way.
    await page.route('**/feedback/inbox/sort', async (route) => {
      await api.patch(`/feedback/items/${second!.id}`, { status: 'processed' })
      await route.continue()
    })
    await page.getByRole('toolbar', { name: 'Selected reports' }).getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('FB-1 dismissed; FB-2 is processed already').waitFor()
    expect((await items()).every((one) => one.status === 'processed')).toBe(true)
  })

  test('more reports than one request may name are dismissed at once, and that is undone', async () => {
    const { email, open, isStored, api } = await setUp(
      ...Array.from({ length: 205 }, (_, at) => `Report number ${at + 1}`),
    )
    const page = await app.page({ as: email })
    await open(page)
    const grid = page.getByRole('grid', { name: 'Reports' })
    const oldest = row(page, 'Report number 1').filter({ hasText: /Report number 1(?!\d)/ })
    await eventually(async () => {
      await grid.evaluate((one) => one.scrollTo(0, one.scrollHeight))
      return oldest.count()
    })
    await page.keyboard.press('Control+a')
    const bar = page.getByRole('toolbar', { name: 'Selected reports' })
    await bar.getByText('205').waitFor()
    await bar.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('205 reports dismissed').waitFor()
    await isStored('Report number 205', 'processed')
    const left = async () => (await api.get('/feedback/items?status=to_process&page_size=1')).body.total
    expect(await left()).toBe(0)
    await page.keyboard.press('u')
    await eventually(async () => (await left()) === 205)
  })

  test('the files of a report are shown in place, and nothing in them is run', async () => {
    const { email, open, reporter } = await setUp()
    const slipway = createReporter({ baseUrl: app.origin, reportingKey: reporter.key })
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="top.ran=1"><script>top.ran=1</script></svg>'
    const files = [
      ['<b>log</b>.html', '<script>top.ran=1</script><i>it failed</i>', 'text/html'],
      ['cart.csv', 'item,price\n"lamp, blue",41.99\n', 'text/csv'],
      ['sign.svg', svg, 'image/svg+xml'],
      ['order.pdf', PDF, 'application/pdf'],
    ] as const
    const attachments = []
    for (const [name, text, type] of files) {
      const { meta: _, ...attachment } = await slipway.upload(new Blob([text], { type }), name)
      attachments.push(attachment)
    }
    const never = { file_name: 'never.txt', file_key: 'never', file_size: 3, mime_type: 'text/plain' }
    const report = { end_user_email: 'a@example.org', content: 'See the files', attachments: [...attachments, never] }
    await slipway.report(report)
    const page = await app.page({ as: email, width: 1440, height: 900 })
    await open(page)
    const shown = reportOf(page, 'FB-1')
    await shown.getByText('<i>it failed</i>').waitFor()
    await shown.getByRole('cell', { name: 'lamp, blue' }).waitFor()
    const picture = shown.getByRole('img', { name: 'sign.svg' })
    await eventually(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth === 9))
    await shown.locator('canvas[data-drawn="1"]').waitFor()
    await shown.getByText('was never uploaded').waitFor()
    expect(await page.evaluate('window.ran')).toBeUndefined()
    expect(await findingsOn(page)).toEqual([])
    await shown.getByRole('button', { name: 'Show cart.csv large' }).click()
    await page.getByRole('dialog', { name: 'cart.csv' }).getByRole('cell', { name: '41.99' }).waitFor()
  })

  test('reports are sorted by the keyboard alone: suggested theme, new theme, dismissed, undone', async () => {
    const { project, email, open, api, reporter, items, isStored } = await setUp('My card has not arrived yet')
    const theme = await makeTheme(api, { title: 'Cards that do not arrive' })
    await link(api, theme.id, (await items())[0]!.id)
    for (const text of ['I need invoices', 'Thank you', 'My new card has not arrived']) await report(reporter, text)
    const itemIds = (await items()).slice(0, 3).map((one) => one.id)
    await suggestThemes({ projectId: project.id, itemIds }, app.workspace.deps)
    const page = await app.page({ as: email, width: 1440, height: 900 })
    await open(page)
    await page.getByRole('button', { name: 'Link to TH-1' }).waitFor()
    await page.keyboard.press('1')
    await isStored('My new card has not arrived', 'processed')
    // The next one is open.
    await reportOf(page, 'FB-3').waitFor()
    await page.keyboard.press('j')
    await reportOf(page, 'FB-2').waitFor()
    await page.keyboard.press('2')
    const dialog = page.getByRole('dialog', { name: 'New theme' })
    expect(await dialog.getByLabel('Title').inputValue()).toBe('I need invoices')
    await page.keyboard.press('Enter')
    await isStored('I need invoices', 'processed')
    await reportOf(page, 'FB-3').waitFor()
    await page.keyboard.press('3')
    await isStored('Thank you', 'processed')
    await page.getByText('Everything is processed').waitFor()
    await page.keyboard.press('u')
    await isStored('Thank you', 'to_process')
    await row(page, 'Thank you').waitFor()
    expect((await api.get('/feedback/themes')).body.items.length).toBe(2)
  })

  test('selected words are quoted to a theme, and a customer’s words are only ever text', async () => {
    const { email, open, api } = await setUp(`${HOSTILE}\n\nI paid twice. The parcel is late.`)
    const theme = await makeTheme(api, { title: 'Parcels are late' })
    const page = await app.page({ as: email, width: 1440, height: 900 })
    await open(page)
    const words = page.locator('[data-customer-words]')
    await words.getByText('The parcel is late.').waitFor()
    expect(await words.locator('a, img, strong, b, script').count()).toBe(0)
    expect(await words.textContent()).toContain('<img src=x')
    await page.evaluate(`(() => {
      const text = document.querySelector('[data-customer-words] p').firstChild
      const from = text.data.indexOf('The parcel')
      const range = document.createRange()
      range.setStart(text, from)
      range.setEnd(text, from + 'The parcel is late.'.length)
      getSelection().removeAllRanges()
      getSelection().addRange(range)
    })()`)
    await page.getByRole('button', { name: /Quote to theme/ }).waitFor()
    await page.keyboard.press('q')
    await page.getByRole('combobox', { name: 'Search themes, or name a new one' }).fill('parcels')
    await page.keyboard.press('Enter')
    await eventually(async () => {
      const { items } = (await api.get(`/feedback/themes/${theme.id}/quotes`)).body
      return items[0]?.text_excerpt === 'The parcel is late.'
    })
    // It stays open, for what else it says.
    await words.locator('mark').getByText('The parcel is late.').waitFor()
    await page.getByRole('complementary').getByRole('button', { name: 'Take out of TH-1' }).click()
    await eventually(async () => (await api.get(`/feedback/themes/${theme.id}`)).body.data.quote_count === 0)
  })

  test('a call is added by hand, words find it, and several reports are dismissed at once', async () => {
    const { email, open, isStored } = await setUp('Buy cheap watches', 'Cheap watches for you')
    const page = await app.page({ as: email })
    await open(page)
    await row(page, 'Buy cheap watches').waitFor()
    await page.getByRole('button', { name: 'Add by hand' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add feedback by hand' })
    await dialog.getByLabel('What they said').fill('The invoice has no VAT number')
    await page.keyboard.press('Control+Enter')
    await dialog.getByText('Enter the e-mail address of who said it.').waitFor()
    await dialog.getByLabel('E-mail address of who said it').fill('office@kiesel-bau.example')
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'invoice.png', mimeType: 'image/png', buffer: PIXEL })
    await dialog.getByRole('listitem').filter({ hasText: 'invoice.png' }).getByText('70 B').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.keyboard.press('Enter')
    await reportOf(page, 'FB-3').getByText('Call, by Ada Lovelace').waitFor()
    await reportOf(page, 'FB-3').getByRole('img', { name: 'invoice.png' }).waitFor()
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('textbox', { name: 'Words' }).fill('cheap WATCHES')
    await page.keyboard.press('Enter')
    await page.getByText('2 match').waitFor()
    await row(page, 'The invoice has no VAT number').waitFor({ state: 'detached' })
    await row(page, 'Buy cheap watches').hover()
    await page.getByRole('button', { name: 'Select FB-1' }).click()
    await page.getByRole('button', { name: 'Select FB-2' }).click()
    await page.getByRole('toolbar', { name: 'Selected reports' }).getByRole('button', { name: 'Not feedback' }).click()
    await isStored('Buy cheap watches', 'processed')
    await isStored('Cheap watches for you', 'processed')
    await page.getByText('No report matches').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'Cheap watches for you').waitFor()
  })

  test('on a phone, a swipe to the left dismisses, and one to the right links', async () => {
    const { project, email, open, api, items, reporter, isStored } = await setUp('My card has not arrived yet')
    const theme = await makeTheme(api, { title: 'Cards that do not arrive' })
    await link(api, theme.id, (await items())[0]!.id)
    for (const text of ['Thank you', 'My new card has not arrived']) await report(reporter, text)
    const itemIds = (await items()).slice(0, 2).map((one) => one.id)
    await suggestThemes({ projectId: project.id, itemIds }, app.workspace.deps)
    const page = await app.page({ as: email, width: 360, height: 740, touch: true })
    await open(page)
    await row(page, 'My new card has not arrived').tap()
    await page.getByRole('button', { name: 'TH-1', exact: true }).waitFor()
    expect(await findingsOn(page)).toEqual([])
    const client = await page.context().newCDPSession(page)
    const swipe = async (from: number, to: number) => {
      const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x: number) =>
        client.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y: 300 }] })
      await touch('touchStart', from)
      for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', from + (to - from) * part)
      await touch('touchEnd', to)
    }
    // Less than a third of the way, it returns.
    await swipe(60, 140)
    await reportOf(page, 'FB-3').waitFor()
    await swipe(60, 330)
    await isStored('My new card has not arrived', 'processed')
    await reportOf(page, 'FB-2').waitFor()
    await swipe(330, 40)
    await isStored('Thank you', 'processed')
    // The browser takes a tap so soon after a swipe as a way to stop it.
    await page.getByRole('button', { name: 'Back to the inbox' }).click()
    await page.getByText('Everything is processed').waitFor()
  })
})
