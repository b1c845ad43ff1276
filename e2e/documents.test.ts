import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findFault } from '../server/src/engines/markdown/index.ts'
import { GFM_EXAMPLES, SPEC_EXAMPLES } from '../server/src/engines/markdown/markdown.factory.ts'
import { createFile } from '../server/src/product/artifacts/artifact.factory.ts'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('documents in a browser', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  /** A project with one requirement, and what the API says about it. */
  async function requirement(markdown: string) {
    const made = await app.team()
    const { api } = made.project.admin
    const body = { title: 'Refunds', document_type: 'FEATURE', markdown_content: markdown }
    const { id } = (await api.post('/requirements', body)).body.data
    const content = async () => (await api.get(`/requirements/${id}`)).body.data.markdown_content as string
    const versions = async () => (await api.get(`/requirements/${id}/versions`)).body.items
    const path = `/p/${made.project.id}/requirements/${id}`
    return { ...made, api, id, content, versions, url: app.origin + path }
  }

  const text = (page: Page) => page.getByRole('textbox', { name: 'Text', exact: true })

  async function open(page: Page, url: string): Promise<void> {
    await page.goto(url)
    await text(page).waitFor()
    await page.getByText('Saved').waitFor()
  }

  test('two people and the API write one requirement, and nothing is lost', async () => {
    const { email, url, api, id, content, join } = await requirement('First.\n\nSecond.\n\nThird.\n')
    const other = await join('Grace Hopper')
    const [ada, grace] = [await app.page({ as: email }), await app.page({ as: other })]
    await Promise.all([open(ada, url), open(grace, url)])
    await ada.getByText('First.').click()
    await ada.keyboard.press('End')
    await grace.getByText('Second.').click()
    await grace.keyboard.press('End')
    await Promise.all([
      ada.keyboard.type(' Ada was here.', { delay: 20 }),
      grace.keyboard.type(' Grace too.', { delay: 20 }),
      api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'Third', new_text: 'Last' }),
    ])
    await ada.getByText('Second. Grace too.').waitFor()
    await grace.getByText('First. Ada was here.').waitFor()
    await text(grace).locator('ins', { hasText: 'Last' }).waitFor()
    await ada.locator('.cursor-name', { hasText: 'Grace Hopper' }).waitFor()
    const all = 'First. Ada was here.\n\nSecond. Grace too.\n\n{--Third--}{++Last++}.\n'
    await eventually(async () => (await content()) === all)
  })

  test('the first blueprint is made with one button, and named and written at once', async () => {
    const { email, project } = await app.team()
    const page = await app.page({ as: email })
    await page.goto(`${app.origin}/p/${project.id}/blueprints`)
    await page.getByRole('button', { name: 'New blueprint', exact: true }).click()
    await text(page).waitFor()
    await page.keyboard.type('Ledger')
    await page.keyboard.press('Enter')
    await page.keyboard.type('Double entry.')
    await page.getByRole('treeitem', { name: 'Ledger' }).waitFor()
    const { api } = project.admin
    await eventually(async () => {
      const [made] = (await api.get('/blueprints')).body.items
      const { data } = (await api.get(`/blueprints/${made.document_id}`)).body
      return data.title === 'Ledger' && data.markdown_content === 'Double entry.\n'
    })
  })

  test('what is typed without a connection is merged when it is back', async () => {
    const { email, url, api, id, content } = await requirement('One.\n\nTwo.\n')
    const page = await app.page({ as: email })
    await open(page, url)
    await page.context().setOffline(true)
    await page.getByText('One.').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' Typed offline.')
    await page.getByText('Waiting to save').waitFor()
    await api.patch(`/requirements/${id}`, { markdown_content: 'One.\n\nTwo. From the API.\n' })
    await page.context().setOffline(false)
    await page.getByText('Two. From the API.').waitFor({ timeout: 30_000 })
    await eventually(async () => (await content()) === 'One. Typed offline.\n\nTwo. From the API.\n', 30_000)
  })

  test('opening, looking and switching views changes no byte of any CommonMark and GFM example', async () => {
    const examples = [...GFM_EXAMPLES, ...SPEC_EXAMPLES.map(({ markdown }) => markdown)]
    const valid = examples.filter((markdown) => findFault(markdown) === undefined)
    const joined = Array.from({ length: Math.ceil(valid.length / 120) }, (_, at) =>
      valid.slice(at * 120, at * 120 + 120).join('\n\nNext.\n\n'),
    )
    const samples = [WITH_EVERYTHING, 'a\r\n\r\n* b\r\n* c\r\n', ...joined]
    const { email, api, project } = await requirement('')
    const page = await app.page({ as: email })
    for (const [at, markdown] of samples.entries()) {
      const body = { title: `Sample ${at}`, document_type: 'OVERVIEW', markdown_content: markdown }
      const created = (await api.post('/requirements', body)).body.data
      await open(page, `${app.origin}/p/${project.id}/requirements/${created.id}`)
      await text(page).click({ position: { x: 5, y: 5 } })
      await page.keyboard.press('Control+End')
      await page.getByRole('button', { name: 'Markdown' }).click()
      await page.getByRole('textbox', { name: 'Markdown' }).waitFor()
      await page.getByRole('button', { name: 'Rich' }).click()
      await text(page).waitFor()
      const after = (await api.get(`/requirements/${created.id}`)).body.data
      expect([at, after.markdown_content, after.version_number]).toEqual([at, markdown, 1])
    }
  }, 240_000)

  test('a word typed in one block changes that block only', async () => {
    const { email, url, content } = await requirement(WITH_EVERYTHING)
    const page = await app.page({ as: email })
    await open(page, url)
    await page.getByText('the end').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' indeed')
    await eventually(async () => (await content()) === WITH_EVERYTHING.replace('the end', 'the end indeed'))
  })

  test('blocks are made with shortcuts, the slash menu and the keys of a table', async () => {
    const { email, url, content } = await requirement('')
    const page = await app.page({ as: email })
    await open(page, url)
    await text(page).click()
    for (const line of ['## Money', 'Some **bold** and `code`', '- [ ] done', 'later'])
      for (const keys of [line, '\n']) await page.keyboard.type(keys)
    await page.keyboard.press('Enter')
    await page.keyboard.type('/tab')
    await page.getByRole('option', { name: /Table/ }).waitFor()
    await page.keyboard.press('Enter')
    for (const word of ['A', 'B', 'C', '1']) {
      await page.keyboard.type(word)
      await page.keyboard.press('Tab')
    }
    await page.getByRole('button', { name: 'Remove this column' }).click()
    await page.getByRole('button', { name: 'Align right' }).click()
    await page.getByRole('checkbox', { name: 'done' }).click()
    const expected =
      '## Money\n\nSome **bold** and `code`\n\n- [x] done\n- [ ] later\n\n| A | C |\n| --- | --: |\n| 1 |  |\n|  |  |\n'
    await eventually(async () => (await content()) === expected).catch(() => undefined)
    expect(await content()).toBe(expected)
  })

  test('a picture is pasted, stored and shown', async () => {
    const { email, url, content } = await requirement('Look:\n')
    const page = await app.page({ as: email })
    await open(page, url)
    await page.getByText('Look:').click()
    await page.keyboard.press('End')
    await paste(
      page,
      `const dot = Uint8Array.from(atob('${DOT}'), (one) => one.charCodeAt(0))
       transfer.items.add(new File([dot], 'dot.png', { type: 'image/png' }))`,
    )
    const picture = text(page).getByRole('img', { name: 'dot' })
    await eventually(() => widthOf(picture).then((width) => width === 1))
    await eventually(async () =>
      /^Look:!\[dot\]\(\/v2\/external-api\/artifacts\/[-0-9a-f]+\/content\)/.test(await content()),
    )
  })

  test('markdown and HTML are pasted as what they mean', async () => {
    const { email, url, content } = await requirement('')
    const page = await app.page({ as: email })
    await open(page, url)
    await text(page).click()
    await paste(page, setData('text/plain', '# Title\n\n1. one\n2. **two**\n\n'))
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    const html = '<p>From <b>Word</b> <a href="https://a.example/">here</a></p><script>alert(1)</script>'
    await paste(page, setData('text/html', html))
    const expected = '# Title\n\n1. one\n2. **two**\n\nFrom **Word** [here](https://a.example/)\n'
    await eventually(async () => (await content()) === expected).catch(() => undefined)
    expect(await content()).toBe(expected)
  })

  test('a suggestion made over the API is accepted in the margin, and vanishes for everyone', async () => {
    const { email, url, api, id, content, join } = await requirement('It pays back to the card.\n\nIn ten days.\n')
    const other = await join('Grace Hopper')
    const wide = { width: 1440, height: 900 }
    const [ada, grace] = [await app.page({ as: email, ...wide }), await app.page({ as: other, ...wide })]
    await Promise.all([open(ada, url), open(grace, url)])
    await api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'card', new_text: 'account' })
    await api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'ten', new_text: 'five' })
    await ada.getByText('2 suggestions').waitFor()
    await text(grace).locator('del', { hasText: 'card' }).waitFor()
    // Someone types in the same paragraph meanwhile.
    await grace.getByText('It pays back').click()
    await grace.keyboard.press('End')
    await grace.keyboard.type(' So be it.')
    await ada.getByRole('button', { name: 'Review suggestions' }).click()
    await ada.keyboard.press('a')
    await ada.getByText('1 suggestion', { exact: true }).waitFor()
    await ada.getByRole('button', { name: 'Reject' }).click()
    for (const page of [ada, grace]) {
      await page.getByText('It pays back to the account. So be it.').waitFor()
      await eventually(async () => (await page.locator('.document :is(ins, del)').count()) === 0)
      await page.getByRole('button', { name: 'Review suggestions' }).waitFor({ state: 'detached' })
    }
    await eventually(async () => (await content()) === 'It pays back to the account. So be it.\n\nIn ten days.\n')
  })

  test('a viewer reads along and cannot type', async () => {
    const { url, join, content, api, id } = await requirement('Read me.\n')
    const viewer = await join('Vera Viewer', 'viewer')
    const page = await app.page({ as: viewer })
    await page.goto(url)
    await page.getByText('Read only').waitFor()
    await page.getByText('Read me.').click()
    await page.keyboard.type('Not this')
    await api.patch(`/requirements/${id}`, { markdown_content: 'Read me, please.\n' })
    await page.getByText('Read me, please.').waitFor()
    expect(await page.locator('.document').getAttribute('contenteditable')).toBe('false')
    expect(await page.getByRole('button', { name: /^New in/ }).count()).toBe(0)
    expect(await content()).toBe('Read me, please.\n')
  })

  test('the tree creates, renames, moves and deletes, by keys and by dragging', async () => {
    const { email, url, api, id, project } = await requirement('Text.\n')
    const page = await app.page({ as: email })
    await open(page, url)
    const tree = page.getByRole('tree', { name: 'Requirements' })
    await tree.getByRole('button', { name: 'New in Features' }).click()
    await page.getByLabel('Title of the new requirement').fill('Returns')
    await page.keyboard.press('Enter')
    await page.waitForURL((address) => !address.pathname.endsWith(id))
    const line = (name: string) => tree.getByRole('treeitem', { name, exact: true })
    await line('Returns').waitFor()
    const nodes = async () =>
      (await api.get('/requirements?document_type=FEATURE')).body.items as { title: string; parent_id: string | null }[]
    // The text of a new document takes the focus as soon as it is there.
    await page.locator('.document:focus').waitFor()
    // Keys: below the one above, and back.
    await tree.focus()
    await page.keyboard.press('Alt+ArrowRight')
    await eventually(async () => (await nodes()).find(({ title }) => title === 'Returns')?.parent_id === id)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await eventually(async () => (await nodes()).find(({ title }) => title === 'Returns')?.parent_id === null)
    // Dragging: into the middle of a line.
    await line('Returns').dragTo(line('Refunds'))
    await eventually(async () => (await nodes()).find(({ title }) => title === 'Returns')?.parent_id === id)
    await line('Returns').dragTo(line('Personas'))
    await page.getByText(/stays in Features: overviews and features are separate trees/).waitFor()
    // In place.
    await tree.focus()
    await page.keyboard.press('F2')
    await page.getByLabel('Title of Returns').fill('Exchanges')
    await page.keyboard.press('Enter')
    await eventually(async () => (await nodes()).some(({ title }) => title === 'Exchanges'))
    await page.getByRole('textbox', { name: 'Title' }).and(page.locator('article textarea')).waitFor()
    // Deleting says what happens to the children, and can be undone.
    await line('Refunds').getByRole('link').click()
    await page.waitForURL(url)
    await tree.focus()
    await page.keyboard.press('Delete')
    const dialog = page.getByRole('dialog', { name: 'Delete Refunds' })
    await dialog.getByText(/The document below it moves up to its place/).waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await line('Refunds').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await line('Refunds').waitFor()
    expect(await nodes()).toHaveLength(2)
    expect(project.id).toBeTruthy()
  })

  test('a phone shows the tree as a page, and a suggestion as a sheet', async () => {
    const { email, api, id, content } = await requirement('It takes ten days.\n')
    await api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'ten', new_text: 'five' })
    const page = await app.page({ as: email, width: 360, height: 740, dark: true })
    await app.home(page)
    await page.getByRole('link', { name: 'Docs' }).click()
    await page.getByRole('treeitem', { name: 'Refunds' }).getByRole('link').click()
    await text(page).locator('ins', { hasText: 'five' }).click()
    await page.getByText('1 of 1').waitFor()
    await page.getByRole('button', { name: 'Comment on the suggestion' }).click()
    await page.getByRole('textbox', { name: 'Comment', exact: true }).last().fill('Working days?')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '1 comment' }).waitFor()
    await text(page).locator('ins', { hasText: 'five' }).click()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'v2', exact: true }).click()
    await page.getByRole('menuitem', { name: 'All versions' }).click()
    await page.getByRole('heading', { name: 'Versions' }).waitFor()
    await page.goBack()
    await text(page).locator('del', { hasText: 'ten' }).waitFor()
    await page.getByRole('button', { name: '1 suggestion' }).click()
    await page.getByRole('button', { name: 'Accept' }).last().click()
    await eventually(async () => (await content()) === 'It takes five days.\n')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  })

  test('a Mermaid diagram is drawn, and a wrong one says why', async () => {
    const { email, url } = await requirement('```mermaid\nflowchart LR\n  A --> B\n```\n\n```mermaid\nnonsense\n```\n')
    const page = await app.page({ as: email })
    await open(page, url)
    const picture = page.getByRole('img', { name: 'Diagram: flowchart LR' })
    await eventually(() => widthOf(picture).then((width) => width > 20), 30_000)
    await page.locator('.diagram-fault').waitFor()
  })

  test('an uploaded script runs neither in the app nor in the frame that draws diagrams', async () => {
    const { email, url, project } = await requirement('```mermaid\nflowchart LR\n  A --> B\n```\n')
    const script = { fileName: 'x.js', contentType: 'text/javascript', content: 'globalThis.hasRun = true' }
    const { id } = await createFile(project.admin.api, script)
    const page = await app.page({ as: email })
    await open(page, url)
    await page.getByRole('img', { name: 'Diagram: flowchart LR' }).waitFor()
    const source = `/v2/app-api/artifacts/${id}/content?project_id=${project.id}`
    expect((await page.request.get(app.origin + source)).status()).toBe(200)
    const include = `new Promise((resolve) => {
      const script = document.createElement('script')
      script.onload = script.onerror = ({ type }) => resolve(type + ' ' + Boolean(globalThis.hasRun))
      script.src = '${source}'
      document.body.append(script)
    })`
    const frame = page.frames().find((frame) => frame.url().endsWith('/diagram.html'))!
    expect(await frame.evaluate('globalThis.origin')).toBe('null')
    expect(await frame.evaluate(include)).toBe('error false')
    expect(await page.evaluate(include.replace(`'${source}'`, allowed(source)))).toBe('error false')
  })
})

/** The app lets no text become the address of a script unless a policy made it. */
const allowed = (source: string) =>
  `trustedTypes.createPolicy('test', { createScriptURL: (text) => text }).createScriptURL('${source}')`

const DOT = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Pastes what the script puts into `transfer`. It is a text, because it runs in the page. */
const paste = (page: Page, fill: string) =>
  page.evaluate(`(() => {
    const transfer = new DataTransfer()
    ${fill}
    const event = new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true })
    document.querySelector('.document').dispatchEvent(event)
  })()`)
const setData = (type: string, value: string) => `transfer.setData(${JSON.stringify(type)}, ${JSON.stringify(value)})`

const widthOf = (picture: Locator) =>
  picture.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth)

const WITH_EVERYTHING = `---
title: kept
---

Setext
======

*  loose

*  list
   1) nested
   2) more

- [X] done
- [ ] open

> a quote
continued *lazily*

| a | b |
|:--|--:|
| 1 | \`x\\|y\` |

<details>
<summary>raw</summary>
</details>

    indented

~~~js
const a = 1
~~~

[ref]: https://example.org "Title"

A [link][ref], ![image](/x.png), a note[^1], a\\
break, <b>html</b> &amp; ~~gone~~.

[^1]: The note.

***

the end
`
