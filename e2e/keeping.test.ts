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
})
