import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { addFile, DOT, goTo, openRequirement, setData, settle, textOf, transfer } from './open-document.ts'

describe.runIf(hasBrowser)('tables, pasting and files in a browser', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  test('dragging over cells and typing clears them, Tab goes on, and the other person sees the same', async () => {
    const { email, join, open, becomes } = await openRequirement(
      app,
      '| a | b | c |\n| --- | --- | --- |\n| one | two | three |\n| four | five | six |\n\nEnd\n',
    )
    const [ada, grace] = await Promise.all([open(email), open(await join('Grace Hopper'))])
    const cell = (name: string) => textOf(ada).getByText(name, { exact: true })
    await cell('two').hover()
    await ada.mouse.down()
    await cell('six').hover()
    await ada.mouse.up()
    expect(await ada.locator('.selected-cell').count()).toBe(4)
    await ada.keyboard.type('new')
    await ada.keyboard.press('Tab')
    await ada.keyboard.type('next')
    await becomes('| a | b | c |\n| --- | --- | --- |\n| one | new | next |\n| four |  |  |\n\nEnd\n')
    // With the keyboard: from the end of a cell to its neighbors.
    await cell('one').click()
    await settle(ada)
    await ada.keyboard.press('End')
    await ada.keyboard.press('Shift+ArrowRight')
    await ada.keyboard.press('Shift+ArrowDown')
    expect(await ada.locator('.selected-cell').count()).toBe(4)
    await ada.keyboard.press('Delete')
    await becomes('| a | b | c |\n| --- | --- | --- |\n|  |  | next |\n|  |  |  |\n\nEnd\n')
    await ada.keyboard.press('Control+z')
    await becomes('| a | b | c |\n| --- | --- | --- |\n| one | new | next |\n| four |  |  |\n\nEnd\n')
    await textOf(grace).getByText('new', { exact: true }).waitFor()
    expect(await textOf(grace).locator('td, th').count()).toBe(9)
  })

  test('tables of other programs become one table, and what is pasted into a cell stays in it', async () => {
    const { email, open, becomes } = await openRequirement(app, 'Start\n')
    const page = await open(email)
    await goTo(page, 'Start')
    await page.keyboard.press('Enter')
    await transfer(page, 'paste', setData('text/html', GOOGLE_DOCS))
    const table = '| **Price** | Note |\n| --- | --- |\n| 10 € | one<br>two |\n| **20** |  |'
    await becomes(`Start\n\n${table}\n`)
    await textOf(page).getByText('10 €').click()
    await settle(page)
    await page.keyboard.press('End')
    await transfer(page, 'paste', setData('text/html', '<p>and</p><p>more</p>'))
    const longer = table.replace('10 €', '10 €and<br>more')
    await becomes(`Start\n\n${longer}\n`)
    // Two cells of a spreadsheet, from the last cell on.
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Tab')
    await transfer(
      page,
      'paste',
      setData('text/html', '<table><tr><td>x</td><td>y</td></tr><tr><td>z</td></tr></table>'),
    )
    const wider =
      '| **Price** | Note |  |\n| --- | --- | --- |\n| 10 €and<br>more | one<br>two |  |\n| **20** | x | y |\n|  | z |  |'
    await becomes(`Start\n\n${wider}\n`)
    await goTo(page, 'Start')
    await transfer(page, 'paste', setData('text/plain', ' and '))
    await transfer(page, 'paste', setData('text/html', WORD_PART))
    await page.keyboard.type('end')
    await becomes(`Start and **Word** end\n\n${wider}\n`)
  })

  test('any file is pasted or dropped, twice under one name, and a key can read it', async () => {
    const { email, open, content, api, project } = await openRequirement(app, 'Look:\n')
    const page = await open(email)
    await goTo(page, 'Look')
    await transfer(page, 'paste', addFile('image.png', 'image/png', DOT))
    await textOf(page).getByRole('img').waitFor()
    await transfer(page, 'paste', addFile('shot.png', 'image/png', DOT))
    await transfer(page, 'paste', addFile('shot.png', 'image/png', DOT))
    await eventually(async () => (await textOf(page).getByRole('img').count()) === 3)
    await transfer(page, 'drop', addFile('terms.pdf', 'application/pdf', DOT))
    const link = textOf(page).getByRole('link', { name: 'terms.pdf' })
    await link.waitFor()
    await eventually(async () => (await content()).includes('[terms.pdf]('))
    const addresses = [...(await content()).matchAll(/\]\((\/v2\/external-api(\/artifacts\/[-0-9a-f]+\/content))\)/g)]
    expect(addresses).toHaveLength(4)
    for (const [, , path] of addresses) expect((await api.get(path!)).status).toBe(200)
    await eventually(() =>
      textOf(page)
        .getByRole('img')
        .first()
        .evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth === 1),
    )
    await page.getByRole('button', { name: 'Markdown' }).click()
    const markdown = page.getByRole('textbox', { name: 'Markdown', exact: true })
    await markdown.press('Control+Home')
    await transfer(page, 'paste', addFile('top.png', 'image/png', DOT))
    await eventually(async () => /^!\[top\]\(\/v2\/external-api\/artifacts\//.test(await content()))
    // The same in a field for markdown.
    await page.goto(`${app.origin}/p/${project.id}/work-orders`)
    await page.getByRole('button', { name: 'New work order' }).first().click()
    await page.getByRole('textbox', { name: 'Description' }).fill('See ')
    await transfer(page, 'paste', addFile('shot.png', 'image/png', DOT))
    await eventually(async () =>
      /^See !\[shot 3\]\(\/v2\/external-api\/artifacts\/[-0-9a-f]+\/content\)$/.test(
        await page.getByRole('textbox', { name: 'Description' }).inputValue(),
      ),
    )
  })

  test('an editor that throws shows the text with Reload, and the page stays', async () => {
    const { email, open, api, id, becomes } = await openRequirement(app, 'Keep these words.\n')
    const page = await open(email)
    await goTo(page, 'Keep')
    await page.keyboard.type(' Mine.')
    await becomes('Keep these words. Mine.\n')
    await page.evaluate(`(() => {
      const create = document.createElement.bind(document)
      document.createElement = (tag, options) => {
        if (tag === 'figure') throw new Error('No figure')
        return create(tag, options)
      }
    })()`)
    await api.patch(`/requirements/${id}`, {
      markdown_content: 'Keep these words. Mine.\n\n<section>\nx\n</section>\n',
    })
    await page.getByRole('alert').getByText('The editor stopped (No figure)').waitFor()
    await page.getByRole('document', { name: 'Text' }).getByText('Keep these words. Mine.').waitFor()
    await page.getByRole('link', { name: 'History' }).waitFor()
    await page.getByRole('button', { name: 'Reload' }).click()
    await textOf(page).getByText('Keep these words. Mine.').waitFor()
  })
})

const GOOGLE_DOCS = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><div dir="ltr"><table style="border:none"><colgroup><col/><col/></colgroup><tbody>
<tr style="height:0pt"><td style="border:1pt solid"><p dir="ltr"><span style="font-weight:700;white-space:pre-wrap;">Price</span></p></td><td><p dir="ltr"><span style="font-weight:400">Note</span></p></td></tr>
<tr><td><p><span>10 €</span></p></td><td><p><span>one</span></p><p><span>two</span></p></td></tr>
<tr><td style="font-weight:bold"><p>20</p></td></tr></tbody></table></div></b>`

/** Words in the middle of a line, as Windows wraps them. */
const WORD_PART = `<html>\r\n<body>\r\n<!--StartFragment--><b>Word</b> <!--EndFragment-->\r\n</body>\r\n</html>`
