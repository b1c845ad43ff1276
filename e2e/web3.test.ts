import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('the first screen', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  test('loads no editor, dialog or reader of markdown, and nothing in it moves when data arrives', async () => {
    const { email, create, project } = await app.team()
    await create(['Round the total once'])
    const page = await app.page({ as: email })
    const added = await page.request.post(`${app.origin}/v2/app-api/work_orders/phases`, {
      headers: { 'x-project-id': project.id },
      data: { title: 'Totals' },
    })
    expect(added.status()).toBe(201)
    const scripts = new Set<string>()
    page.on('request', (request) => request.resourceType() === 'script' && scripts.add(request.url()))
    await page.addInitScript(`window.shift = 0
      new PerformanceObserver((list) => {
        for (const { value } of list.getEntries()) window.shift += value
      }).observe({ type: 'layout-shift', buffered: true })`)
    await page.goto(app.origin)
    await page.getByRole('link', { name: /Round the total once/ }).waitFor()
    const needed = [...scripts]
    await page
      .getByRole('navigation', { name: 'Phases' })
      .getByRole('link', { name: /Totals/ })
      .waitFor()
    let bytes = 0
    for (const url of needed) {
      const answer = await fetch(url, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } })
      bytes += Number(answer.headers.get('content-length'))
    }
    expect(bytes / 1024).toBeGreaterThan(50)
    expect(bytes / 1024).toBeLessThan(240)
    expect(await page.evaluate('window.shift')).toBe(0)
  })
})
