import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { type OpenApp, openApp } from './open-app.ts'

let app: OpenApp
beforeAll(async () => {
  if (hasBrowser) app = await openApp()
})
afterAll(() => app?.close())

describe.runIf(hasBrowser)('the first screen', () => {
  test('loads no editor, dialog or reader of markdown, and nothing in it moves when data arrives', async () => {
    const { email, create, project } = await app.team()
    await create(['Round the total once'])
    const page = await app.page({ as: email })
    const added = await page.request.post(`${app.origin}/v2/app-api/work_orders/phases`, {
      headers: { 'x-project-id': project.id },
      data: { title: 'Totals' },
    })
    expect(added.status()).toBe(201)
    // What is loaded ahead while the browser idles is not part of the first screen.
    await page.addInitScript('window.requestIdleCallback = () => 0')
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
    expect(bytes / 1024).toBeLessThan(220)
    expect(await page.evaluate('window.shift')).toBe(0)
  })
})

describe.runIf(hasBrowser)('a project', () => {
  test('is deleted by its name, and those who have it open go to another one and are told', async () => {
    const { email, create, project, join } = await app.team('Ada Lovelace', 'admin')
    await create(['Round the total once'])
    const page = await app.page({ as: email })
    await app.home(page)
    await page.goto(`${app.origin}/p/${project.id}/settings/general`)
    const danger = page.getByRole('region', { name: 'Danger zone' })
    await danger.getByRole('button', { name: 'Open' }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${project.name}` })
    await dialog.getByText('only project you are in').waitFor()
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: project.name }).click()
    await page.getByPlaceholder('Find a project…').fill('Quay')
    await page.getByRole('button', { name: 'Create project Quay' }).click()
    await page.getByRole('button', { name: 'Quay' }).waitFor()

    const other = await app.page({ as: await join('Grace Hopper') })
    await other.goto(`${app.origin}/p/${project.id}/work-orders`)
    await other.getByRole('link', { name: /Round the total once/ }).waitFor()
    await page.goto(`${app.origin}/p/${project.id}/settings/general`)
    await danger.getByRole('button', { name: 'Open' }).click()
    await dialog.getByText('1 work order').waitFor()
    const confirm = dialog.getByRole('button', { name: 'Delete the project' })
    await dialog.getByRole('textbox').fill('Quay')
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill(project.name)
    await confirm.click()
    await page.getByText(`${project.name} is deleted.`).waitFor()
    await page.getByRole('button', { name: 'Quay' }).waitFor()
    await other.getByText(`Ada Lovelace deleted ${project.name}.`).waitFor()
    await other.getByText('You are not a member of a project yet').waitFor()
    await page.goto(`${app.origin}/p/${project.id}/work-orders`)
    await page.getByText('There is nothing here').waitFor()
  })
})

describe.runIf(hasBrowser)('a viewer', () => {
  test('is offered nothing that would be refused, in lists, menus, keys and details', async () => {
    const { create, join, project } = await app.team()
    await create(['Round the total once'], { markdown_content: '- [ ] Try it\n' })
    const page = await app.page({ as: await join('Vera Viewer', 'viewer') })
    const refused: string[] = []
    page.on('response', (response) => response.status() === 403 && refused.push(response.url()))
    const row = () => page.locator('[data-row]').filter({ hasText: 'Round the total once' }).first()
    for (const view of ['', '?view=board', '?view=phases']) {
      await page.goto(`${app.origin}/p/${project.id}/work-orders${view}`)
      await row().waitFor()
      await page.keyboard.press('j')
      // Neither creates, nor changes the status, nor deletes.
      for (const key of ['c', 's', 'Backspace']) await page.keyboard.press(key)
      expect(await page.getByRole('dialog').count(), view).toBe(0)
      expect(await page.getByRole('button', { name: /New work order|New phase|^Move / }).count(), view).toBe(0)
      await row().click({ button: 'right' })
      await page.getByRole('menuitem', { name: 'Copy link' }).waitFor()
      expect(await page.getByRole('menuitem', { name: /Status|Delete/ }).count(), view).toBe(0)
    }
    await page.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    await page.getByRole('button', { name: /Copy for agent/ }).waitFor()
    await page.getByText('created this').waitFor()
    expect(await page.getByRole('checkbox').isDisabled()).toBe(true)
    expect(await page.getByRole('button', { name: /^(Edit|Plan|Connect|Comment$|Change )/ }).count()).toBe(0)
    expect(await page.getByLabel('Title').isEditable()).toBe(false)
    expect(refused).toEqual([])
  })
})

describe.runIf(hasBrowser)('a list of the settings that cannot be loaded', () => {
  test('says so in its place, and Try again shows it', async () => {
    const { email, project } = await app.team()
    const page = await app.page({ as: email })
    await page.route('**/v2/app-api/members', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.goto(`${app.origin}/p/${project.id}/settings/members`)
    await page.getByText('This could not be loaded.').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('row', { name: /Ada Lovelace/ }).waitFor()
  })
})

describe.runIf(hasBrowser)('a screen whose code cannot be loaded', () => {
  test('says so inside the frame, and Reload opens it', async () => {
    const { email, create } = await app.team()
    await create(['Round the total once'])
    const page = await app.page({ as: email })
    await app.home(page)
    await page.route(/\/assets\/(ModulePage|DocumentPage|DocumentTree)/, (route) => route.abort())
    const modules = page.getByRole('navigation', { name: 'Modules' }).first()
    await modules.getByRole('link', { name: /Requirements/ }).click()
    await page.getByText('This page could not be loaded').waitFor()
    await modules.getByRole('link', { name: /Work Orders/ }).waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('tree').waitFor()
  })
})

describe.runIf(hasBrowser)('a screen with a fault', () => {
  test('shows the error and Reload inside the frame, and the other modules still open', async () => {
    const { email, create, project } = await app.team()
    await create(['Round the total once'])
    const page = await app.page({ as: email })
    const broken = /\/v2\/app-api\/work_orders\/by_number\/1\b/
    await page.route(broken, async (route) => {
      const answer = await (await route.fetch()).json()
      await route.fulfill({ json: { data: { ...answer.data, labels: null } } })
    })
    await page.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    const fault = page.getByRole('main').getByRole('alert')
    await fault.getByText('This page has an error').waitFor()
    const modules = page.getByRole('navigation', { name: 'Modules' }).first()
    await modules.getByRole('link', { name: /Requirements/ }).click()
    await fault.waitFor({ state: 'detached' })
    await page.goBack()
    await fault.waitFor()
    await page.unrouteAll()
    await fault.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
  })
})
