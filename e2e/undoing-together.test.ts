import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'
import { openRequirement } from './open-document.ts'

describe.runIf(hasBrowser)('Undo leaves what somebody else did since alone, and names them:', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  const undo = (page: Page) => page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  /** Sends as the person whose page it is. */
  const as = (page: Page, projectId: string) => async (method: string, path: string, data?: object) => {
    const headers = { 'x-project-id': projectId }
    const answer = await page.request.fetch(`${app.origin}/v2/app-api${path}`, { method, headers, data })
    expect(answer.ok()).toBe(true)
  }

  test('the place of a document in the tree', async () => {
    const { email, open, api, id, join, project } = await openRequirement(app, 'Text.\n')
    const add = async (title: string, parent_id: string | null = null) =>
      (await api.post('/requirements', { title, document_type: 'FEATURE', parent_id })).body.data.id as string
    const [returns, credits] = [await add('Returns'), await add('Credits')]
    const page = await open(email)
    const grace = as(await app.page({ as: await join('Grace Hopper') }), project.id)
    const line = (name: string) => page.getByRole('treeitem', { name, exact: true })
    const parent = async () => (await api.get(`/requirements/${returns}`)).body.data.parent_id
    await line('Returns').dragTo(line('Refunds'))
    await eventually(async () => (await parent()) === id)
    await page.getByText('“Returns” moved').waitFor()
    await undo(page)
    await eventually(async () => (await parent()) === null)
    await line('Returns').dragTo(line('Refunds'))
    await eventually(async () => (await parent()) === id)
    await grace('PUT', `/requirements/${returns}/move`, { parent_id: credits, position: 0 })
    await undo(page)
    await page.getByText('Not undone: Grace Hopper changed the place of “Returns” since.').waitFor()
    expect(await parent()).toBe(credits)
  })

  test('the order of phases', async () => {
    const { email, project, join, create } = await app.team()
    await create(['Round once'])
    const page = await app.page({ as: email, width: 1440 })
    const ada = as(page, project.id)
    for (const title of ['One', 'Two', 'Three']) await ada('POST', '/work_orders/phases', { title })
    const grace = as(await app.page({ as: await join('Grace Hopper') }), project.id)
    const phases = async (): Promise<{ id: string; title: string }[]> =>
      (await project.admin.api.get('/work_orders/phases')).body.items
    const titles = async () => (await phases()).map(({ title }) => title).join()
    await page.goto(`${app.origin}/p/${project.id}/work-orders?view=phases`)
    const moveUp = async () => {
      await page.getByRole('button', { name: 'More about Two' }).click()
      await page.getByRole('menuitem', { name: 'Move up' }).click()
      await eventually(async () => (await titles()) === 'Two,One,Three')
    }
    await moveUp()
    await undo(page)
    await eventually(async () => (await titles()) === 'One,Two,Three')
    await page.getByText('Order of phases restored').waitFor()
    await moveUp()
    const order = await phases()
    await grace('PUT', '/work_orders/phases/order', { phase_ids: order.map(({ id }) => id).reverse() })
    await undo(page)
    await page.getByText('Not undone: Grace Hopper changed the phases since.').waitFor()
    expect(await titles()).toBe('Three,One,Two')
  })

  test('a connection that was added, or removed', async () => {
    const { email, open, api, id, join, project } = await openRequirement(app, 'Text.\n')
    const ledger = (await api.post('/blueprints', { title: 'Ledger' })).body.data.id as string
    const page = await open(email)
    const ada = as(page, project.id)
    const grace = as(await app.page({ as: await join('Grace Hopper') }), project.id)
    const connected = page.getByRole('navigation', { name: 'Connected' })
    const line = connected.getByRole('link', { name: 'Ledger' })
    const said = page.getByText('Not undone: Grace Hopper changed the connections of “Ledger” since.')
    const pair = `/connections/${id}/${ledger}`
    await connected.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByLabel(/^Connect a/).fill('ledg')
    await page.getByRole('option', { name: 'Ledger' }).click()
    await page.keyboard.press('Escape')
    await page.getByText('“Ledger” connected').waitFor()
    await grace('DELETE', pair)
    await line.waitFor({ state: 'detached' })
    await undo(page)
    await said.waitFor()
    await ada('PUT', pair, {})
    await line.waitFor()
    await connected.getByText('Ledger').hover()
    await connected.getByRole('button', { name: 'Disconnect Ledger' }).click()
    await page.getByText('“Ledger” disconnected').waitFor()
    await grace('PUT', pair, {})
    await line.waitFor()
    await undo(page)
    await said.last().waitFor()
    await line.waitFor()
  })
})
