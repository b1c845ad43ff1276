import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

const HOST = 'slipway.test'

describe.runIf(hasBrowser)('over plain HTTP at a host name, where browsers offer less', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp({ host: HOST, baseUrl: `http://${HOST}` })
  })
  afterAll(() => app.close())

  test('a person signs in, writes and copies', async () => {
    const { email, create, project } = await app.team()
    await create(['Round the total once'])
    const { api } = project.admin
    const stored = async () => (await api.get('/work_orders/by_number/1')).body.data
    const page = await app.page()
    expect(await page.evaluate('isSecureContext')).toBe(false)
    await app.signIn(page, email)
    await page.getByRole('button', { name: 'Status: Ready' }).click()
    await page.getByRole('option', { name: 'In review' }).click()
    await eventually(async () => (await stored()).status === 'in_review')
    await page.getByRole('link', { name: 'Round the total once' }).click()
    const comment = page.getByLabel('Comment', { exact: true })
    await comment.fill('Half up, or half even?')
    await page.keyboard.press('Control+Enter')
    const comments = async () => (await api.get(`/work_orders/${(await stored()).id}/comments`)).body.items
    await eventually(async () => (await comments())[0]?.markdown_content === 'Half up, or half even?')

    await page.getByRole('button', { name: 'More about the comment' }).click()
    await page.getByRole('menuitem', { name: 'Copy text' }).click()
    await page.getByText('Comment copied').waitFor()
    await comment.focus()
    await page.keyboard.press('Control+V')
    expect(await comment.inputValue()).toBe('Half up, or half even?')
  })
})
