import { afterAll, beforeAll, describe, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { openRequirement, goTo as put, settle, textOf as text } from './open-document.ts'

describe.runIf(hasBrowser)('writing in a browser', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  const requirement = (markdown: string) => openRequirement(app, markdown)

  test('code, a heading, a tick and a row are proposed as blocks, written on, and decided', async () => {
    const table = '| a | b |\n| --- | --- |\n| c | d |'
    const start = `Title\n\n\`\`\`js\ncode\n\`\`\`\n\n- [ ] one\n- [ ] two\n\n${table}\n`
    const { email, join, open, becomes, api, id } = await requirement(start)
    const page = await open(email)
    await page.getByRole('switch', { name: 'Suggesting' }).click()
    // Typing goes on in the proposed code, letter after letter.
    await put(page, 'code')
    await page.keyboard.type(' and more')
    const code = '{--```js\ncode\n```--}{++```js\ncode and more\n```++}'
    await becomes(start.replace('```js\ncode\n```', code))
    await page.keyboard.press('Escape')
    await put(page, 'Title')
    await page.keyboard.press('Control+Alt+2')
    const heading = '{--Title--}{++## Title++}'
    await becomes(start.replace('```js\ncode\n```', code).replace('Title', heading))
    await page.keyboard.press('Escape')
    await text(page).locator('li', { hasText: 'two' }).getByRole('checkbox').click()
    const tick = '- [ ] one\n{--- [ ] two--}{++- [x] two++}'
    await becomes(`${heading}\n\n${code}\n\n${tick}\n\n${table}\n`)
    await page.keyboard.press('Escape')
    // Tab in the last cell adds a row.
    await text(page).locator('td').last().click()
    await settle(page)
    await page.keyboard.press('Tab')
    await page.keyboard.type('e')
    await eventually(async () =>
      /\{\+\+\n\| e +\| +\|\+\+\}\n$/.test((await api.get(`/requirements/${id}`)).body.data.markdown_content),
    )
    await page.keyboard.press('Escape')
    const grace = await open(await join('Grace Hopper'))
    await grace.getByText('4 suggestions').waitFor()
    await grace.getByRole('button', { name: 'Accept all 4 from Ada Lovelace' }).click()
    await eventually(async () => (await page.locator('.proposal').count()) === 0)
    await eventually(async () =>
      (await api.get(`/requirements/${id}`)).body.data.markdown_content.startsWith(
        '## Title\n\n```js\ncode and more\n```\n\n- [ ] one\n- [x] two\n\n| a | b |\n| --- | --- |\n| c | d |\n| e',
      ),
    )
  })

  test('a block that is typed back to what it was is no proposal, and one that has a suggestion says so', async () => {
    const start = 'Some **words**\n\n```js\ncode\n```\n\n#  Closed #\n\n|x|y|\n|-|-|\n|1|2|\n'
    const { email, open, becomes, api, id } = await requirement(start)
    const page = await open(email)
    await page.getByRole('switch', { name: 'Suggesting' }).click()
    await put(page, 'code')
    await page.keyboard.type('x')
    await page.locator('.proposal').waitFor()
    await becomes(start.replace('```js\ncode\n```', '{--```js\ncode\n```--}{++```js\ncodex\n```++}'))
    await page.keyboard.press('Backspace')
    await page.getByRole('heading', { name: 'Refunds' }).first().click()
    await becomes(start)
    // What one has typed so far becomes part of the proposal.
    await put(page, 'Some')
    await page.keyboard.type('!')
    await page.keyboard.press('Home')
    await page.keyboard.type('## ')
    await becomes(start.replace('Some **words**', '{--Some **words**--}{++## Some **words!**++}'))
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await becomes(start)
    // The old block keeps its bytes, which the editor does not know.
    await put(page, 'Closed')
    await page.keyboard.press('Control+Alt+2')
    await becomes(start.replace('#  Closed #', '{--#  Closed #--}{++## Closed++}'))
    await page.keyboard.type('!')
    await becomes(start.replace('#  Closed #', '{--#  Closed #--}{++## Closed!++}'))
    await page.getByRole('button', { name: 'Withdraw' }).click()
    await becomes(start)
    await api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'Some', new_text: 'Few' })
    await text(page).locator('ins').waitFor()
    await put(page, 'words')
    await page.keyboard.press('Control+Alt+2')
    await page.getByText('This block already has a suggestion').waitFor()
    await becomes(start.replace('Some', '{--Some--}{++Few++}'))
  })

  test('text is composed as in Japanese and with dead keys, also as a suggestion', async () => {
    const { email, open, becomes } = await requirement('Plain.\n\nSuggested.\n\n```\ncode\n```\n')
    const page = await open(email)
    const devtools = await page.context().newCDPSession(page)
    const compose = async (steps: string[], result: string) => {
      for (const one of steps)
        await devtools.send('Input.imeSetComposition', {
          text: one,
          selectionStart: one.length,
          selectionEnd: one.length,
        })
      await devtools.send('Input.insertText', { text: result })
    }
    await put(page, 'Plain.')
    await compose(['n', 'に', 'にほ', 'にほん'], '日本')
    await compose(['´'], 'é')
    const code = '```\ncode\n```'
    await becomes(`Plain.日本é\n\nSuggested.\n\n${code}\n`)
    await page.getByRole('switch', { name: 'Suggesting' }).click()
    await put(page, 'Suggested.')
    await compose(['n', 'に', 'にほ', 'にほん'], '日本')
    await compose(['´'], 'é')
    await page.keyboard.type('!')
    await becomes(`Plain.日本é\n\nSuggested.{++日本é!++}\n\n${code}\n`)
    // In the middle of the text that was there.
    await page.keyboard.press('Home')
    await compose(['に', 'にほん'], '日本')
    await becomes(`Plain.日本é\n\n{++日本++}Suggested.{++日本é!++}\n\n${code}\n`)
    // In code, which is proposed as a whole. An input method announces itself with a key of its own.
    await put(page, 'code')
    const announced = { key: 'Process', code: 'KeyN', windowsVirtualKeyCode: 229 }
    await devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...announced })
    await compose(['n', 'に', 'にほ', 'にほん'], '日本')
    await becomes(`Plain.日本é\n\n{++日本++}Suggested.{++日本é!++}\n\n{--${code}--}{++\`\`\`\ncode日本\n\`\`\`++}\n`)
  })

  test('a typed address becomes a link after a space or Enter, and one step of Undo takes only the link back', async () => {
    const { email, open, becomes } = await requirement('See\n')
    const page = await open(email)
    const link = text(page).locator('a')
    await put(page, 'See')
    await page.keyboard.type(' https://example.org/a_b, ')
    await link.getByText('https://example.org/a_b', { exact: true }).waitFor()
    await page.keyboard.press('Control+z')
    await link.waitFor({ state: 'detached' })
    await page.keyboard.type('or www.example.org')
    await page.keyboard.press('Enter')
    await text(page).locator('a[href="http://www.example.org"]').waitFor()
    await page.keyboard.type('Done')
    await becomes('See https://example.org/a_b, or www.example.org\n\nDone\n')
    // Edited, it is text again: a link never leads elsewhere than it says.
    await put(page, 'or www')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Backspace')
    await link.waitFor({ state: 'detached' })
    await becomes('See https://example.org/a_b, or www.example.og\n\nDone\n')
  })

  test('an address that is typed as a suggestion is a link in the suggestion', async () => {
    const { email, open, becomes } = await requirement('See\n')
    const page = await open(email)
    await page.getByRole('switch', { name: 'Suggesting' }).click()
    await put(page, 'See')
    await page.keyboard.type(' https://example.org/a here')
    await text(page).locator('ins a, a ins').first().waitFor()
    await becomes('See{++ https://example.org/a here++}\n')
  })
})
