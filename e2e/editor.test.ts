import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { openRequirement, settle, textOf as text, visit } from './open-document.ts'

describe.runIf(hasBrowser)('the editor in a browser', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  const requirement = (markdown: string) => openRequirement(app, markdown)

  async function put(page: Page, line: string): Promise<void> {
    await text(page).getByText(line).first().click()
    await settle(page)
  }

  /** Selects words in the text by keyboard: from the end of a line backwards. */
  async function selectBefore(page: Page, line: string, skip: number, count: number): Promise<void> {
    await put(page, line)
    await page.keyboard.press('End')
    for (let step = 0; step < skip; step++) await page.keyboard.press('ArrowLeft')
    for (let step = 0; step < count; step++) await page.keyboard.press('Shift+ArrowLeft')
  }

  test('what a person types while suggesting is pending for everyone, and decided in the margin', async () => {
    const { email, join, open, becomes, api, id } = await requirement('Paid back to the card.\n\nIn ten days.\n')
    const other = await join('Grace Hopper')
    const [ada, grace] = await Promise.all([open(email), open(other)])
    await ada.getByRole('switch', { name: 'Suggesting' }).click()
    await selectBefore(ada, 'Paid back', 1, 4)
    await ada.keyboard.type('account')
    await becomes('Paid back to the {--card--}{++account++}.\n\nIn ten days.\n')
    // Letter by letter makes one suggestion, and taking back one's own leaves nothing behind.
    await put(ada, 'In ten days')
    await ada.keyboard.press('End')
    await ada.keyboard.type(' Wrong')
    for (const _ of ' Wrong') await ada.keyboard.press('Backspace')
    for (const _ of 'days.') await ada.keyboard.press('Backspace')
    await becomes('Paid back to the {--card--}{++account++}.\n\nIn ten {--days.--}\n')
    const { items } = (await api.get(`/requirements/${id}/suggestions`)).body
    expect(items.map((item: { created_by_name: string }) => item.created_by_name)).toEqual(
      Array(3).fill('Ada Lovelace'),
    )
    // A new line is only added where it has text.
    await put(ada, 'In ten')
    await ada.keyboard.press('End')
    await ada.keyboard.press('Enter')
    await ada.keyboard.type('Never later.')
    await becomes('Paid back to the {--card--}{++account++}.\n\nIn ten {--days.--}\n\n{++Never later.++}\n')
    await ada.getByRole('region', { name: 'Your suggestion' }).first().waitFor()
    expect(await ada.getByRole('button', { name: 'Accept' }).count()).toBe(0)
    // The other person sees who, and decides with keys.
    await grace.getByText('3 suggestions').waitFor()
    await grace.getByRole('region', { name: 'Suggestion by Ada Lovelace' }).first().waitFor()
    await grace.getByRole('button', { name: 'Review suggestions' }).click()
    await grace.keyboard.press('j')
    await grace.keyboard.press('r')
    await grace.getByText('2 suggestions').waitFor()
    await grace.getByRole('button', { name: 'Accept all 2 from Ada Lovelace' }).click()
    await becomes('Paid back to the account.\n\nIn ten days.\n\nNever later.\n')
    await eventually(async () => (await ada.locator('.document :is(ins, del)').count()) === 0)
    await ada.getByRole('button', { name: 'Review suggestions' }).waitFor({ state: 'detached' })
  })

  test('lines are divided and joined as suggestions', async () => {
    const { email, open, becomes, api, id } = await requirement('One two\n\nThree\n\n```js\ncode\n```\n')
    const page = await open(email)
    await page.getByRole('switch', { name: 'Suggesting' }).click()
    await selectBefore(page, 'One two', 3, 0)
    await page.keyboard.press('Enter')
    await becomes('One {--two--}\n\n{++two++}\n\nThree\n\n```js\ncode\n```\n')
    await put(page, 'Three')
    await page.keyboard.press('Home')
    await page.keyboard.press('Backspace')
    await becomes('One {--two--}\n\n{++twoThree++}\n\n{--Three--}\n\n```js\ncode\n```\n')
    await page.getByRole('switch', { name: 'Suggesting' }).click()
    await api.post(`/requirements/${id}/suggestions/accept_all`)
    await becomes('One \n\ntwoThree\n\n\n\n```js\ncode\n```\n')
    await put(page, 'twoThree')
    await page.keyboard.press('End')
    await page.keyboard.type(' now')
    await eventually(async () => (await text(page).getByText('twoThree now').count()) === 1)
    expect(await page.getByRole('switch', { name: 'Suggesting' }).isChecked()).toBe(false)
  })

  test('a comment stays at its words while the text moves, and keeps its quote when they are gone', async () => {
    const { email, join, open, api, id, url, content } = await requirement('First ten days.\n\nLast ten days.\n')
    const other = await join('Grace Hopper')
    const [ada, grace] = await Promise.all([open(email), open(other)])
    await selectBefore(ada, 'Last ten', 1, 8)
    await ada.getByRole('button', { name: /^Comment \(/ }).click()
    await ada.getByRole('textbox', { name: 'Comment', exact: true }).fill('Working days?')
    // What someone else writes meanwhile moves the words, and does not take them away.
    await put(grace, 'First ten days.')
    await grace.keyboard.press('Home')
    await grace.keyboard.type('At the very ')
    await ada.getByText('At the very').waitFor()
    await ada.keyboard.press('Enter')
    const passage = (page: Page) => page.locator('.document .commented')
    // The cursor of someone else may divide it.
    const words = async (page: Page) => (await passage(page).allTextContents()).join('')
    await passage(grace).waitFor()
    expect(await words(grace)).toBe('ten days')
    await selectBefore(grace, 'Last', 5, 0)
    await grace.keyboard.type('working ')
    await eventually(async () => (await words(ada)) === 'ten working days')
    await eventually(async () => (await content()).includes('Last ten working days.'))
    // Rewritten over the API: found again by its place or its words.
    const markdown_content = 'New start.\n\nAt the very First ten days.\n\nLast ten working days, we promise.\n'
    await api.patch(`/requirements/${id}`, { markdown_content })
    await ada.getByText('we promise').waitFor()
    await eventually(async () => (await words(ada)) === 'ten working days')
    // A link to it opens it, and an answer and a resolution reach everyone.
    const { threads } = (await json(ada, `/requirements/${id}/review`)) as { threads: { id: string }[] }
    await visit(grace, `${url}?comment=${threads[0]!.id}`)
    await grace.locator('.commented-active').waitFor()
    await grace.getByRole('textbox', { name: 'Reply' }).focus()
    await grace.keyboard.type('@Ada')
    await grace.getByRole('option', { name: '@Ada Lovelace' }).waitFor()
    await grace.keyboard.press('Enter')
    await grace.keyboard.type('yes.')
    await grace.keyboard.press('Enter')
    await ada.getByRole('link', { name: '@Ada Lovelace' }).waitFor()
    await ada.getByText('yes.').waitFor()
    await api.patch(`/requirements/${id}`, { markdown_content: 'All new.\n' })
    await ada.getByText('These words are no longer in the text.').waitFor()
    await ada.getByText('Working days?').click()
    await ada.getByRole('button', { name: 'Resolve' }).click()
    await grace.getByText('Working days?').waitFor({ state: 'detached' })
  })

  test('a comment is sent while someone shortens the text before it, and the cursor stays at its words', async () => {
    const { email, open, api, id, becomes } = await requirement('A long first line.\n\nTen days.\n')
    const page = await open(email)
    await page.route('**/threads', async (route) => {
      await api.patch(`/requirements/${id}`, { markdown_content: 'Ten days.\n' })
      await text(page).getByText('A long first line.').waitFor({ state: 'detached' })
      await route.continue()
    })
    await selectBefore(page, 'Ten days', 1, 4)
    await page.getByRole('button', { name: /^Comment \(/ }).click()
    await page.getByRole('textbox', { name: 'Comment', exact: true }).fill('Working days?')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'New comment' }).first().waitFor({ state: 'detached' })
    await page.locator('.document .commented', { hasText: 'days' }).waitFor()
    await page.keyboard.type(' in all')
    await becomes('Ten days in all.\n')
  })

  test('text typed offline on both sides survives a reload and is merged', async () => {
    const { email, join, open, becomes, api, id, url } = await requirement('One.\n\nTwo.\n\nThree.\n')
    const other = await join('Grace Hopper')
    const [ada, grace] = await Promise.all([open(email), open(other)])
    for (const page of [ada, grace]) await page.context().setOffline(true)
    const add = async (page: Page, line: string, more: string) => {
      await put(page, line)
      await page.keyboard.press('End')
      await page.keyboard.type(more)
      await page.getByText('kept on this device').waitFor()
    }
    await add(ada, 'One.', ' Ada offline.')
    await add(grace, 'Two.', ' Grace offline.')
    await api.patch(`/requirements/${id}`, { markdown_content: 'One.\n\nTwo.\n\nThree. From the API.\n' })
    // The tab is closed and opened again before it could send anything.
    const closed = ada.context()
    await ada.goto('about:blank')
    await closed.setOffline(false)
    await visit(ada, url)
    await grace.context().setOffline(false)
    await becomes('One. Ada offline.\n\nTwo. Grace offline.\n\nThree. From the API.\n', 40_000)
    for (const page of [ada, grace]) await page.getByText('One. Ada offline.').waitFor()
    expect(await ada.evaluate('Object.keys(localStorage).filter((one) => one.startsWith("slipway-typed"))')).toEqual([])
  })

  test('words are found and replaced, with cases and expressions', async () => {
    const { email, open, becomes } = await requirement('Card and card.\n\nA **card** again.\n')
    const page = await open(email)
    await put(page, 'again')
    await page.keyboard.press('Control+f')
    await page.getByRole('textbox', { name: 'Find' }).fill('card')
    await page.getByText('1 of 3').waitFor()
    await page.getByRole('button', { name: 'Match case' }).click()
    await page.getByText(/of 2/).waitFor()
    await page.getByRole('button', { name: 'Regular expression' }).click()
    await page.getByRole('textbox', { name: 'Find' }).fill('(c)ar(d')
    await page.getByRole('alert').waitFor()
    await page.getByRole('textbox', { name: 'Find' }).fill('(c)ar(d)')
    await page.getByText(/of 2/).waitFor()
    await page.getByRole('textbox', { name: 'Replace with' }).fill('$1or$2')
    await page.getByRole('button', { name: 'All' }).click()
    await becomes('Card and cord.\n\nA **cord** again.\n')
    await page.keyboard.press('Escape')
    await page.getByRole('textbox', { name: 'Find' }).waitFor({ state: 'detached' })
  })

  test('an expression that takes forever is given up, and the page goes on', async () => {
    const { email, open, becomes } = await requirement(`${'a'.repeat(60)}!\n\nCard and cord.\n`)
    const page = await open(email)
    await put(page, 'Card')
    await page.keyboard.press('Control+f')
    await page.getByRole('button', { name: 'Regular expression' }).click()
    const field = page.getByRole('textbox', { name: 'Find' })
    await field.fill('(a+)+$')
    await page.getByRole('alert').filter({ hasText: 'takes too long' }).waitFor()
    await field.fill('c(.)rd')
    await page.getByText('1 of 2').waitFor()
    await page.getByRole('textbox', { name: 'Replace with' }).fill('k$1rt')
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await page.getByText('1 of 1').waitFor()
    await becomes(`${'a'.repeat(60)}!\n\nkart and cord.\n`)
  })

  test('an @ links to anything of the project by keys, and Word is pasted clean', async () => {
    const { email, open, becomes, create, project } = await requirement('See:\n')
    await create(['Round the total'])
    const page = await open(email)
    await put(page, 'See:')
    await page.keyboard.press('End')
    await page.keyboard.type(' @round')
    await page.getByRole('option', { name: /WO-1 Round the total/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.type('soon')
    await becomes(`See: [WO-1 Round the total](/p/${project.id}/work-orders/1) soon\n`)
    await page.keyboard.press('Enter')
    await paste(page, 'text/html', WORD)
    await becomes(
      `See: [WO-1 Round the total](/p/${project.id}/work-orders/1) soon\n\n## Title\n\nSome **bold** text.\n\n- one\n- two\n`,
    )
  })

  test('a table and its rows are changed, and only its block is written', async () => {
    const before = '*  odd\n\n| a | b |\n|:--|--|\n| 1 | 2 |\n\n*  list\n'
    const { email, open, becomes } = await requirement(before)
    const page = await open(email)
    await text(page).getByText('2', { exact: true }).click()
    await page.keyboard.type('0')
    await page.keyboard.press('Tab')
    await page.keyboard.type('new')
    await page.getByRole('button', { name: 'Add a column to the right' }).click()
    await page.getByRole('button', { name: 'Remove this column' }).click()
    await becomes('*  odd\n\n| a | b |\n| :-- | --- |\n| 1 | 20 |\n| new |  |\n\n*  list\n')
  })

  test('without a pointer: write, suggest, comment, find and decide', async () => {
    const { email, join, open, becomes, api, id } = await requirement('Keep this.\n')
    await api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'this', new_text: 'that' })
    const page = await open(email)
    await page.getByRole('button', { name: 'Review suggestions' }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('a')
    await becomes('Keep that.\n')
    await text(page).focus()
    await settle(page)
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('## Next')
    await page.keyboard.press('Enter')
    await page.keyboard.type('More words')
    await becomes('Keep that.\n\n## Next\n\nMore words\n')
    await page.keyboard.press('Shift+Control+ArrowLeft')
    await page.keyboard.press('Control+Alt+m')
    await page.getByRole('textbox', { name: 'Comment', exact: true }).waitFor()
    await page.keyboard.type('Which?')
    await page.keyboard.press('Enter')
    await page.locator('.document .commented', { hasText: 'words' }).waitFor()
    expect(await join('Grace Hopper')).toContain('@')
  })

  test('a phone suggests and comments in a sheet', async () => {
    const { email, open, becomes } = await requirement('It takes ten days.\n')
    const page = await open(email, { width: 360, height: 740 })
    await page.getByRole('switch', { name: 'Suggesting' }).click()
    await selectBefore(page, 'It takes', 6, 3)
    await page.keyboard.type('five')
    await becomes('It takes {--ten--}{++five++} days.\n')
    await text(page).locator('ins').click()
    await page.getByText('1 of 1').waitFor()
    await page.getByRole('button', { name: 'Withdraw' }).last().click()
    await becomes('It takes ten days.\n')
    await selectBefore(page, 'It takes', 1, 4)
    await page.getByRole('button', { name: /^Comment \(/ }).click()
    await page.getByRole('textbox', { name: 'Comment', exact: true }).last().fill('Working days?')
    await page.keyboard.press('Enter')
    // Until it is stored, the passage belongs to a draft.
    await page.getByRole('region', { name: 'New comment' }).first().waitFor({ state: 'detached' })
    await page.locator('.document .commented').click()
    await page.getByText('Working days?').last().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  })
})

/** Asks the app API as the page would. */
const json = async (page: Page, path: string): Promise<unknown> =>
  page.evaluate(`fetch('/v2/app-api${path}', {
    headers: { 'x-project-id': location.pathname.split('/')[2] },
  }).then(async (answer) => (await answer.json()).data)`)

const paste = (page: Page, type: string, value: string) =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer()
    transfer.setData(${JSON.stringify(type)}, ${JSON.stringify(value)})
    const event = new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
    document.querySelector('.document').dispatchEvent(event)
  })()`)

/** As Word puts it on the clipboard, shortened. */
const WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><meta name=Generator content="Microsoft Word 15">
<style><!-- p.MsoNormal {margin:0cm;} --></style></head><body lang=EN-US><!--StartFragment-->
<h2>Title<o:p></o:p></h2>
<p class=MsoNormal>Some <b>bold</b> text.<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>one<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>two<o:p></o:p></p>
<!--EndFragment--></body></html>`
