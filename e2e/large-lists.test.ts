import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

const COUNT = 3_000
const BATCH = 500
const isRows = (url: string) => url.includes('/work_orders/rows')

describe.runIf(hasBrowser)('a project with thousands of work orders', () => {
  let app: OpenApp
  let team: Awaited<ReturnType<OpenApp['team']>>
  beforeAll(async () => {
    app = await openApp()
    team = await app.team()
    const titles = Array.from({ length: COUNT }, (_, index) => `Move account ${index + 1}`)
    for (let start = 0; start < COUNT; start += BATCH) await team.create(titles.slice(start, start + BATCH))
  })
  afterAll(() => app.close())

  test('shows the first rows while the rest is on its way, and draws only what is seen', async () => {
    const page = await app.page({ as: team.email })
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/work_orders/rows?*below=*', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${app.origin}/p/${team.project.id}/work-orders`)
    await page.getByRole('link', { name: `Move account ${COUNT}` }).waitFor()
    await page.getByText('Loading… 2,500 of 3,000').waitFor()
    await page.getByRole('link', { name: `Move account ${COUNT}` }).click()
    const beside = page.getByRole('complementary', { name: `WO-${COUNT}` })
    await beside.getByText('1 of 2,500').waitFor()
    release()
    await page.getByText('Loading…').waitFor({ state: 'detached' })
    await beside.getByText('1 of 3,000').waitFor()
    await page.keyboard.press('Escape')
    await beside.waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Board' }).click()
    await page.getByText('3,000 work orders').waitFor()
    await page.getByRole('region', { name: 'Ready' }).locator('[data-row]').first().waitFor()
    expect(await page.locator('[data-row]').count()).toBeLessThan(60)
    await page.getByRole('link', { name: 'Phases' }).click()
    await page.getByRole('region', { name: 'No phase' }).locator('[data-row]').first().waitFor()
    expect(await page.locator('[data-row]').count()).toBeLessThan(60)
  })

  test('loads none of the others to open one, point at a link, find, pick a value or connect', async () => {
    const page = await app.page({ as: team.email })
    const asked: string[] = []
    page.on('request', (request) => {
      if (isRows(request.url())) asked.push(request.url())
    })
    await page.goto(`${app.origin}/p/${team.project.id}/work-orders/12`)
    await page.getByRole('heading', { name: 'Move account 12' }).waitFor()
    await page.getByRole('link', { name: 'Work Orders', exact: true }).first().hover()
    await page.keyboard.press('p')
    await page.getByRole('option', { name: 'Urgent' }).click()
    const stored = async () => (await team.project.admin.api.get('/work_orders/by_number/12')).body.data
    await eventually(async () => (await stored()).priority === 'urgent')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('account 2999')
    await page.getByRole('option', { name: /Move account 2999/ }).waitFor()
    await page.keyboard.press('Escape')
    expect(asked).toEqual([])
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/work-orders\/3000$/)
    expect(asked.length).toBeGreaterThan(0)
  })

  test('an agent that changes twenty a second costs an open list at most two requests a second', async () => {
    const page = await app.page({ as: team.email })
    await page.goto(`${app.origin}/p/${team.project.id}/work-orders`)
    await page.getByRole('link', { name: `Move account ${COUNT}` }).waitFor()
    await page.getByText('Loading…').waitFor({ state: 'detached' })
    await page.waitForLoadState('load')
    let asked = 0
    page.on('request', (request) => {
      if (request.url().includes('/v2/')) asked++
    })
    const begunAt = Date.now()
    for (let second = 0; second < 3; second++)
      for (let one = 0; one < 20; one++) {
        const number = COUNT - second * 20 - one
        const patch = { title: `Moved account ${number}` }
        const operation = {
          operation_id: '1',
          operation_type: 'UpdateWorkOrder',
          target: { work_order_number: number },
          patch,
        }
        const body = { request_id: `burst-${number}`, operations: [operation] }
        await team.project.admin.api.post('/work_orders/batch_update', body)
      }
    await page.getByRole('link', { name: `Moved account ${COUNT}`, exact: true }).waitFor()
    await eventually(() => page.getByRole('link', { name: `Moved account ${COUNT - 19}`, exact: true }).count())
    expect(asked / ((Date.now() - begunAt) / 1_000)).toBeLessThanOrEqual(2)
  })
})
