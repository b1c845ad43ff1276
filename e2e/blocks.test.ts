import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { goTo, openRequirement, settle, textOf as text } from './open-document.ts'

describe.runIf(hasBrowser)('links and blocks in the editor', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  const card = (page: Page) => page.getByRole('dialog', { name: 'Link', exact: true })

  test('a click on a link shows where it leads, and it is edited, copied, opened and removed there', async () => {
    const { email, open, becomes } = await openRequirement(
      app,
      'See [the *long* guide](/p/x) and [it](http://a.test/).\n',
    )
    const page = await open(email)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await text(page).getByText('guide').click()
    await card(page).getByRole('button', { name: 'Copy the address' }).click()
    await page.getByText('Address copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${app.origin}/p/x`)
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      card(page).getByRole('link', { name: 'Open' }).click(),
    ])
    expect(tab.url()).toBe(`${app.origin}/p/x`)
    await tab.close()
    await card(page).getByRole('button', { name: 'Edit the address' }).click()
    await page.keyboard.type('b.test/new')
    await page.keyboard.press('Enter')
    await becomes('See [the *long* guide](https://b.test/new) and [it](http://a.test/).\n')
    await text(page).getByText('it', { exact: true }).click()
    await card(page).getByRole('button', { name: 'Remove the link' }).click()
    await becomes('See [the *long* guide](https://b.test/new) and it.\n')
    await card(page).waitFor({ state: 'detached' })
  })

  test('keys open the card of a link, and leaving the link closes it', async () => {
    const { email, open, becomes } = await openRequirement(app, 'One [two](/p/x)\n\nThree\n')
    const page = await open(email)
    await goTo(page, 'One')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Address of the link' }).waitFor()
    await page.keyboard.press('Escape')
    await card(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await page.keyboard.type('/p/y')
    await page.keyboard.press('Enter')
    await becomes('One [two](/p/y)\n\nThree\n')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Address of the link' }).fill('')
    await page.keyboard.press('Enter')
    await becomes('One two\n\nThree\n')
  })

  test('a link opens in another tab only, for someone who may only read', async () => {
    const { join, url } = await openRequirement(app, 'See [the guide](/p/x).\n')
    const page = await app.page({ as: await join('Grace Hopper', 'viewer') })
    await page.goto(url)
    const [tab] = await Promise.all([page.context().waitForEvent('page'), text(page).getByText('the guide').click()])
    expect(tab.url()).toBe(`${app.origin}/p/x`)
    await settle(page)
    expect(page.url()).toBe(url)
    expect(page.context().pages()).toHaveLength(2)
  })

  test('three backticks, a language and Enter open a code block', async () => {
    const { email, open, becomes } = await openRequirement(app, 'Start\n\n- item\n')
    const page = await open(email)
    await goTo(page, 'Start')
    await page.keyboard.press('Enter')
    await page.keyboard.type('```js\nlet a = 1\nlet b\n')
    await becomes('Start\n\n```js\nlet a = 1\nlet b\n\n```\n\n- item\n')
    await goTo(page, 'item')
    await page.keyboard.press('Shift+Home')
    await page.keyboard.type('~~~\nraw')
    await becomes('Start\n\n```js\nlet a = 1\nlet b\n\n```\n\n- ~~~\n  raw\n  ~~~\n')
  })
})
