import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('a list', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  type Team = Awaited<ReturnType<OpenApp['team']>>
  const open = async (team: Team) => {
    const page = await app.page({ as: team.email })
    await page.goto(`${app.origin}/p/${team.project.id}/work-orders?group=none&sort=number`)
    await page.getByRole('grid', { name: 'Work orders' }).getByRole('row').first().waitFor()
    return page
  }
  const focused = (page: Page) => page.locator('[role="row"]:focus')
  const titlesOf = (count: number) => Array.from({ length: count }, (_, index) => `Step ${index + 1}`)

  test('has a cursor that is read out, starts at what is seen, and takes the place of a row that is gone', async () => {
    const team = await app.team()
    await team.create(titlesOf(120))
    const page = await open(team)
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await focused(page).filter({ hasText: 'Step 2' }).waitFor()
    expect(await focused(page).getAttribute('aria-rowindex')).toBe('2')

    await page.getByRole('grid').hover()
    await page.mouse.wheel(0, 1_500)
    await page.getByRole('link', { name: 'Step 2', exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await focused(page).waitFor()
    const row = await focused(page).boundingBox()
    const list = await page.getByRole('grid').boundingBox()
    expect(row!.y - list!.y).toBeLessThan(40)

    const number = Number(/Step (\d+)/.exec((await focused(page).textContent())!)![1])
    const operation = { operation_id: '1', operation_type: 'DeleteWorkOrder', target: { work_order_number: number } }
    await team.project.admin.api.post('/work_orders/batch_update', { request_id: 'gone', operations: [operation] })
    await page.getByRole('link', { name: `Step ${number}`, exact: true }).waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await focused(page)
      .filter({ hasText: `Step ${number + 1}` })
      .waitFor()

    await page.keyboard.press('Control+a')
    await page.getByText('119 selected').waitFor()
  })

  test('takes changes back by Ctrl+Z, and from the list of the last ones after their messages are gone', async () => {
    const team = await app.team()
    await team.create(['Round', 'Refund'])
    const page = await open(team)
    const stored = async (number: number) =>
      (await team.project.admin.api.get(`/work_orders/by_number/${number}`)).body.data.priority
    for (const number of [1, 2]) {
      await page.keyboard.press('j')
      await page.keyboard.press('p')
      await page.getByRole('option', { name: 'Urgent' }).click()
      await eventually(async () => (await stored(number)) === 'urgent')
    }
    await page.getByRole('button', { name: 'Undo' }).last().waitFor()
    await page.keyboard.press('Control+z')
    await eventually(async () => (await stored(2)) === 'no_priority')
    expect(await stored(1)).toBe('urgent')
    const dismiss = page.getByRole('button', { name: 'Dismiss' })
    while ((await dismiss.count()) > 0) await dismiss.first().click()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('last changes')
    await page.getByRole('option', { name: /Undo one of your last changes/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Your last changes' })
    await dialog.getByText('WO-1: priority Urgent').waitFor()
    await dialog.getByRole('button', { name: 'Undo' }).click()
    await eventually(async () => (await stored(1)) === 'no_priority')
  })

  test('whose keyboard writes Cyrillic letters has the same shortcuts', async () => {
    const team = await app.team()
    await team.create(['Round'])
    const page = await open(team)
    await page.evaluate(() =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'о', code: 'KeyJ', bubbles: true })),
    )
    await focused(page).filter({ hasText: 'Round' }).waitFor()
  })
})
