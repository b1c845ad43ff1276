import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { goTo, openRequirement, textOf } from './open-document.ts'

describe.runIf(hasBrowser)('what a person writes is kept', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  test('letters decide only on a focused card, and a decision is taken back with its author', async () => {
    const { email, join, open, becomes, api, id } = await openRequirement(app, 'Paid to the card.\n\nIn ten days.\n')
    await api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'card', new_text: 'account' })
    await api.post(`/requirements/${id}/apply_suggestion`, { old_text: 'ten', new_text: 'two' })
    const before = await api.get(`/requirements/${id}/suggestions`)
    const [ada, grace] = await Promise.all([open(email), open(await join('Grace Hopper'))])
    const pending = 'Paid to the {--card--}{++account++}.\n\nIn {--ten--}{++two++} days.'
    await ada.getByRole('button', { name: 'Review suggestions' }).click()
    // Below the text, one writes at its end.
    const box = (await textOf(ada).boundingBox())!
    await ada.mouse.click(box.x + 40, box.y + box.height + 200)
    await ada.keyboard.type(' a r j')
    await becomes(`${pending} a r j\n`)
    await ada.getByRole('button', { name: 'Review suggestions' }).click()
    await ada.keyboard.press('a')
    await becomes('Paid to the account.\n\nIn {--ten--}{++two++} days. a r j\n')
    await ada.getByText('Suggestion accepted').waitFor()
    // Somebody types on. Undo takes back the decision and nothing else.
    await goTo(grace, 'a r j')
    await grace.keyboard.type(' grace')
    await becomes('Paid to the account.\n\nIn {--ten--}{++two++} days. a r j grace\n')
    await ada.keyboard.press('Control+z')
    await becomes(`${pending} a r j grace\n`)
    const card = ada.getByRole('region', { name: /Suggestion by/ }).last()
    await card.getByRole('button', { name: 'Reject' }).click()
    await becomes('Paid to the {--card--}{++account++}.\n\nIn ten days. a r j grace\n')
    await ada.getByText('Suggestion rejected').waitFor()
    await ada.getByRole('button', { name: 'Undo' }).click()
    await becomes(`${pending} a r j grace\n`)
    const after = await api.get(`/requirements/${id}/suggestions`)
    const authors = ({ body }: typeof after) =>
      body.items.map((one: Record<string, unknown>) => [one.id, one.created_by_name, one.text])
    expect(authors(after)).toEqual(authors(before))
    await eventually(async () => (await grace.getByRole('region', { name: /Suggestion by/ }).count()) === 2)
  })

  test('markdown that is not valid is kept over a reload, says so, and is saved once it is closed', async () => {
    const { email, open, content, becomes, url } = await openRequirement(app, 'One\n')
    const page = await open(email)
    page.on('dialog', (dialog) => void dialog.accept())
    const field = page.getByRole('textbox', { name: 'Markdown', exact: true })
    await page
      .getByRole('radio', { name: 'Markdown' })
      .or(page.getByRole('button', { name: 'Markdown' }))
      .click()
    await field.fill('One\n\n```js\ncode\n')
    await page.getByRole('alert').getByText('(line 3)').waitFor()
    expect(await page.getByText('Saved', { exact: true }).count()).toBe(0)
    expect(await content()).toBe('One\n')
    await page.reload()
    await eventually(async () => (await field.inputValue()) === 'One\n\n```js\ncode\n')
    // Leaving says what is not saved, and the way back opens it.
    await page.getByRole('link', { name: 'Blueprints' }).first().click()
    await page.getByText('The markdown of “Refunds” is not saved').waitFor()
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await field.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('```\n')
    await becomes('One\n\n```js\ncode\n```\n')
    await page.getByText('Saved', { exact: true }).waitFor()
    // Typed and closed at once: the next visit saves it.
    await field.press('Control+End')
    await page.keyboard.type('Two')
    await page.close()
    const again = await page.context().newPage()
    await again.goto(url)
    await becomes('One\n\n```js\ncode\n```\nTwo')
  })

  test('whoever writes in a document that is deleted keeps the text and reads who did it', async () => {
    const { email, join, open, project } = await openRequirement(app, 'One\n')
    const [ada, grace] = await Promise.all([open(email), open(await join('Grace Hopper'))])
    await goTo(ada, 'One')
    await ada.keyboard.type(' of mine')
    await textOf(grace).getByText('One of mine').waitFor()
    await grace.evaluate(`fetch('/v2/app-api' + location.pathname.replace(/.*(?=\\/requirements)/, ''), {
      method: 'DELETE', headers: { 'x-project-id': '${project.id}' } })`)
    await ada.getByRole('alert').getByText('Grace Hopper deleted this requirement.').waitFor()
    expect(await ada.getByText('One of mine').count()).toBe(1)
  })

  test('Esc in a comment keeps its text, and the next comment continues it', async () => {
    const { email, open, api, id } = await openRequirement(app, 'Paid to the card.\n')
    const page = await open(email)
    const start = async () => {
      await goTo(page, 'Paid to')
      await page.keyboard.press('Shift+Home')
      await page.keyboard.press('Control+Alt+m')
    }
    const field = page.getByRole('textbox', { name: 'Comment', exact: true })
    await start()
    await field.fill('Working days?')
    await page.keyboard.press('Escape')
    await field.waitFor({ state: 'detached' })
    await page.reload()
    await start()
    await eventually(async () => (await field.inputValue()) === 'Working days?')
    await page.keyboard.press('Enter')
    await field.waitFor({ state: 'detached' })
    const { items } = (await api.get(`/requirements/${id}/comments`)).body
    expect(items).toHaveLength(1)
    await start()
    expect(await field.inputValue()).toBe('')
  })

  test('Undo of a new title leaves the newer one of somebody else alone, and names them', async () => {
    const { email, open, api, id } = await openRequirement(app, 'Paid to the card.\n')
    const page = await open(email)
    const title = async () => (await api.get(`/requirements/${id}`)).body.data.title
    const rename = async (name: string) => {
      await page.getByRole('tree').focus()
      await page.keyboard.press('F2')
      await page.getByLabel(`Title of ${await title()}`).fill(name)
      await page.keyboard.press('Enter')
      await page.getByText(`Renamed to “${name}”`).waitFor()
    }
    const undo = page.getByRole('button', { name: 'Undo', exact: true }).last()
    await rename('Returns')
    await undo.click()
    await eventually(async () => (await title()) === 'Refunds')
    await page.getByText('Renamed to “Refunds”').waitFor()
    await rename('Exchanges')
    await api.patch(`/requirements/${id}/rename`, { title: 'Credits' })
    await undo.click()
    await page.getByText(/^Not undone: (?!Somebody).+ changed the title of “Refunds” since\.$/).waitFor()
    expect(await title()).toBe('Credits')
  })

  test('a new title that waited for the connection does not replace the newer one of somebody else unseen', async () => {
    const { email, join, open, api, id, project } = await openRequirement(app, 'Ten days.\n')
    const grace = await open(await join('Grace Hopper'))
    const page = await open(email)
    const tree = page.getByRole('tree')
    const title = async () => (await api.get(`/requirements/${id}`)).body.data.title
    await page.route('**/rename', (route) => route.abort())
    await tree.focus()
    await page.keyboard.press('F2')
    await page.getByLabel('Title of Refunds').fill('Returns')
    await page.keyboard.press('Enter')
    await page.getByText('1 change waits on this device.').waitFor()
    const renamed = await grace.request.patch(`${app.origin}/v2/app-api/requirements/${id}/rename`, {
      headers: { 'x-project-id': project.id },
      data: { title: 'Money back' },
    })
    expect(renamed.status()).toBe(200)
    await page.unrouteAll()
    const dialog = page.getByRole('dialog', { name: 'Title of “Refunds” was changed meanwhile' })
    await dialog.getByText('Grace Hopper, saved').waitFor()
    await dialog.getByText('Money back').waitFor()
    await dialog.getByText('Returns').waitFor()
    expect(await title()).toBe('Money back')
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await eventually(async () => (await title()) === 'Returns')
    await tree.getByRole('treeitem', { name: 'Returns' }).waitFor()
  })

  test('whoever has unsent words in a project that is deleted can copy them', async () => {
    const { email, join, create, project } = await app.team('Ada Lovelace', 'admin')
    await create(['Round the total once'])
    const [ada, grace] = [await app.page({ as: email }), await app.page({ as: await join('Grace Hopper') })]
    await grace.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await grace.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    await grace.route('**/comments', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await grace.getByRole('textbox', { name: /comment/i }).fill('Never round twice')
    await grace.getByRole('button', { name: 'Comment', exact: true }).click()
    await grace.getByText('Never round twice').first().waitFor()
    await app.home(ada)
    // The last project of a person cannot be deleted.
    await ada.evaluate(
      `fetch('/v2/app-api/projects', { method: 'POST', headers: { 'content-type': 'application/json', 'x-project-id': '${project.id}' }, body: '{"name":"Quay"}' })`,
    )
    const status = await ada.evaluate(
      `fetch('/v2/app-api/project?name=${encodeURIComponent(project.name)}', { method: 'DELETE', headers: { 'x-project-id': '${project.id}' } }).then(({ status }) => status)`,
    )
    expect(status).toBeLessThan(300)
    await grace.getByText('1 change that was not sent is discarded').waitFor()
    await grace.getByRole('button', { name: 'Copy as text' }).click()
    await grace.getByText('Copied').waitFor()
    expect(await grace.evaluate('navigator.clipboard.readText()')).toBe('Comment on WO-1\n\nNever round twice')
  })
})
