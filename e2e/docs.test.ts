import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('the API reference', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  test('sends a request with the key that a person types, and shows the answer', async () => {
    const { project } = await app.team()
    const page = await app.page()
    const outside: string[] = []
    page.on('request', (one) => {
      if (!/^(data|blob):/.test(one.url()) && !one.url().startsWith(app.origin)) outside.push(one.url())
    })
    await page.goto(`${app.origin}/docs`)
    await page.getByRole('heading', { name: 'Slipway external API' }).waitFor()
    await page.locator('.scalar-password-input').first().fill(project.admin.key)
    await page.getByRole('button', { name: 'List requirements documents' }).click()
    await page.getByRole('button', { name: /Test Request.*get \/v2\/external-api\/requirements\)/ }).click()
    const [answer] = await Promise.all([
      page.waitForResponse((one) => new URL(one.url()).pathname === '/v2/external-api/requirements'),
      page.getByRole('button', { name: /Send get request/ }).click(),
    ])
    expect(answer.status()).toBe(200)
    await page.getByText('200 OK').first().waitFor()
    expect(outside).toEqual([])
  })
})
