import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { DOT, goTo, openRequirement, settle, textOf as text } from './open-document.ts'

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

  const handle = (page: Page) => page.getByRole('button', { name: 'Block', exact: true })

  test('a block is moved, copied, changed, dragged and deleted by its handle', async () => {
    const { email, open, becomes } = await openRequirement(app, 'One\n\nTwo\n\n- a\n- b\n')
    const page = await open(email)
    const pick = async (line: string, ...names: string[]) => {
      await text(page).getByText(line, { exact: true }).hover()
      await handle(page).click()
      for (const name of names) await page.getByRole('menuitem', { name }).click()
    }
    await pick('Two', 'Move up')
    await becomes('Two\n\nOne\n\n- a\n- b\n')
    await pick('b', 'Duplicate')
    await becomes('Two\n\nOne\n\n- a\n- b\n- b\n')
    await pick('a', 'Delete')
    await becomes('Two\n\nOne\n\n- b\n- b\n')
    await pick('One', 'Turn into', 'Heading 2')
    await becomes('Two\n\n## One\n\n- b\n- b\n')
    await text(page).getByText('Two').hover()
    await handle(page).dragTo(text(page).locator('h2'), { targetPosition: { x: 300, y: 10 } })
    await becomes('## One\n\nTwo\n\n- b\n- b\n')
  })

  test('keys move a block and open its menu, which suggests while suggesting', async () => {
    const { email, open, becomes } = await openRequirement(app, 'One\n\nTwo\n')
    const page = await open(email)
    await goTo(page, 'One')
    await page.keyboard.press('Alt+Shift+ArrowDown')
    await becomes('Two\n\nOne\n')
    // The cursor went along.
    await page.keyboard.type('!')
    await becomes('Two\n\nOne!\n')
    await page.getByRole('switch', { name: 'Suggesting' }).click()
    await goTo(page, 'Two')
    await page.keyboard.press('Control+/')
    await page.getByRole('menuitem', { name: 'Turn into' }).waitFor()
    await page.keyboard.press('Home')
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
    await page.getByText('1 suggestion').waitFor()
  })

  test('a finger reaches the menu of the block with the cursor', async () => {
    const { email, open, becomes } = await openRequirement(app, 'One\n\nTwo\n')
    const page = await open(email, { width: 360, height: 740, touch: true })
    await text(page).getByText('Two').tap()
    await handle(page).tap()
    await page.getByRole('menuitem', { name: 'Move up' }).tap()
    await becomes('Two\n\nOne\n')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  })

  test('the menu of a table inserts and moves rows and columns', async () => {
    const { email, open, becomes } = await openRequirement(app, '| a | b |\n| --- | --- |\n| 1 | 2 |\n')
    const page = await open(email)
    await text(page).getByText('2', { exact: true }).click()
    const pick = async (name: string) => {
      await page.getByRole('button', { name: 'More for this table' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await pick('Insert a row above')
    await page.keyboard.type('new')
    await pick('Move the column right')
    await pick('Move the row down')
    await becomes('| b | a |\n| --- | --- |\n| 2 | 1 |\n|  | new |\n')
    await pick('Insert a column to the left')
    await becomes('| b |  | a |\n| --- | --- | --- |\n| 2 |  | 1 |\n|  |  | new |\n')
  })

  test('a picture gets a size, an alternative text and a caption, which markdown keeps', async () => {
    const { email, open, becomes, content } = await openRequirement(app, 'One\n')
    const name = { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(DOT, 'base64') }
    const page = await open(email)
    await goTo(page, 'One')
    await page.locator('input[type=file][accept="image/*"]').setInputFiles(name)
    await text(page).locator('img[alt="dot"]').click()
    const image = page.getByRole('dialog', { name: 'Image', exact: true })
    await image.getByRole('button', { name: 'Small' }).click()
    await text(page).locator('img[width="240"]').waitFor()
    await image.getByRole('textbox', { name: 'Alt text' }).fill('A dot')
    await image.getByRole('textbox', { name: 'Caption' }).fill('Figure 1')
    await page.keyboard.press('Enter')
    const src = await eventually(
      async () => /\/v2\/external-api\/artifacts\/[-0-9a-f]+\/content/.exec(await content())?.[0],
    )
    await becomes(`One![A dot|240](${src} "Figure 1")\n`)
    await page.reload()
    await text(page).getByText('Figure 1').waitFor()
    await text(page).locator('img[alt="A dot"][width="240"]').waitFor()
    await text(page).locator('img[width]').click()
    await image.getByRole('button', { name: 'Full size' }).click()
    await becomes(`One![A dot](${src} "Figure 1")\n`)
  })

  test('callouts and details are shown as such, made from the menu, and stay markdown', async () => {
    const before =
      '> [!WARNING]\n> Hot *now*.\n\n<details>\n<summary>More</summary>\n\nHidden **words** here\n\n</details>\n\nEnd\n'
    const { email, open, becomes, content } = await openRequirement(app, before)
    const page = await open(email)
    await text(page).locator('[data-callout="warning"]').waitFor()
    expect(await text(page).locator('[data-callout]').innerText()).toMatch(/^Warning\s+Hot now\.$/)
    expect(await text(page).getByText('Hidden').isVisible()).toBe(false)
    await text(page).getByRole('button', { name: 'Open the details' }).click()
    await goTo(page, 'Hidden')
    await page.keyboard.type('!')
    await becomes(before.replace('here', 'here!'))
    await text(page).getByRole('textbox', { name: 'Title of the details' }).fill('Less')
    await page.keyboard.press('Enter')
    await becomes(before.replace('here', 'here!').replace('More', 'Less'))
    await goTo(page, 'End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/callout')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Mind this')
    await becomes(`${before.replace('here', 'here!').replace('More', 'Less')}\n> [!NOTE]\n>\n> Mind this\n`)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/details')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Inside')
    const details = '<details>\n<summary>Details</summary>\n\nInside\n\n</details>\n'
    const whole = (await content()).split('> Mind this')[0]!
    await becomes(`${whole}> Mind this\n\n${details}`)
  })
})
