import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endSessions, findUserByEmail } from '../server/src/product/accounts/index.ts'
import { hasBrowser } from '../server/test/browser.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('access', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  async function openKeys(page: Page, project: { id: string }) {
    await page.goto(`${app.origin}/p/${project.id}/settings/keys`)
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
  }

  async function makeKey(page: Page, name: string, role?: string): Promise<string> {
    // A list without keys offers it, too.
    await page.getByRole('button', { name: 'New key' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New key' })
    await dialog.getByLabel('Name').fill(name)
    if (role) {
      await dialog.getByRole('button', { name: 'Role' }).click()
      await page.getByRole('option', { name: role }).click()
    }
    await dialog.getByRole('button', { name: 'Create key' }).click()
    return closeKey(page, name)
  }

  async function closeKey(page: Page, name: string): Promise<string> {
    const ready = page.getByRole('dialog', { name: `“${name}” is ready` })
    const key = await ready.getByRole('textbox', { name: 'The key' }).inputValue()
    await ready.getByRole('button', { name: 'I have stored it' }).click()
    await ready.getByRole('button', { name: 'I have stored it' }).click()
    await ready.waitFor({ state: 'detached' })
    return key
  }

  test('an admin makes a key that only reads, and takes over the key of another member as their own', async () => {
    const { project, email, join } = await app.team('Ada Lovelace', 'admin')
    const editor = await app.page({ as: await join('Grace Hopper') })
    await openKeys(editor, project)
    await makeKey(editor, 'Deploy')

    const admin = await app.page({ as: email })
    await openKeys(admin, project)
    const reading = await makeKey(admin, 'Wall board', 'read everything')
    const board = admin.getByRole('row', { name: /Wall board/ })
    await board.getByRole('cell', { name: 'Viewer', exact: true }).waitFor()
    const api = app.workspace.client(reading)
    expect((await api.get('/work_orders')).status).toBe(200)
    expect((await api.post('/blueprints', { title: 'No' })).status).toBe(403)

    await admin
      .getByRole('row', { name: /Deploy/ })
      .getByRole('button', { name: 'Rotate' })
      .click()
    const question = admin.getByRole('dialog', { name: 'Rotate “Deploy”?' })
    await question.getByText('acts as you, because this one acts as Grace Hopper').waitFor()
    await question.getByRole('button', { name: 'Rotate' }).click()
    await closeKey(admin, 'Deploy')
    const mine = admin.getByRole('row', { name: /Deploy/ }).filter({ hasText: 'Ada Lovelace' })
    await mine.getByRole('cell', { name: 'Editor', exact: true }).waitFor()
    await admin
      .getByRole('row', { name: /Deploy/ })
      .filter({ hasText: 'Grace Hopper' })
      .getByText(/^revoked/)
      .waitFor()
  })

  test('a tab whose session has ended shows nothing of the project any more', async () => {
    const { email, create } = await app.team()
    await create(['Nobody may read this'])
    const page = await app.page({ as: email })
    await app.home(page)
    await page.getByText('Nobody may read this').waitFor()
    const user = await findUserByEmail(app.workspace.sql, email)
    await endSessions(app.workspace.operator, user!.id)
    await page.waitForURL(/\/sign-in\?next=/)
    await page.getByRole('heading', { name: 'Sign in to Slipway' }).waitFor()
    expect(await page.getByText('Nobody may read this').count()).toBe(0)
  })

  test('a new project with a name that is taken is refused in words', async () => {
    const { project, email } = await app.team('Ada Lovelace', 'admin')
    const page = await app.page({ as: email })
    await app.home(page)
    await page.getByRole('button', { name: project.name }).click()
    await page.getByRole('button', { name: 'New project…' }).click()
    await page.keyboard.type(project.name.toUpperCase())
    await page.keyboard.press('Enter')
    await page.getByText(`There is a project “${project.name.toUpperCase()}” already. Choose another name.`).waitFor()
    await page.keyboard.type(' of Ada')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `${project.name.toUpperCase()} of Ada` }).waitFor()
  })
})

describe.runIf(hasBrowser)('a server with an https address', () => {
  test('says on a page that came over plain HTTP where people can sign in', async () => {
    const app = await openApp({ baseUrl: 'https://slipway.example.org' })
    try {
      const page = await app.page()
      // Loopback counts as secure, so the page is shown as another host has it.
      await page.route('http://slipway.example.org/**', async (route) =>
        route.fulfill({
          response: await route.fetch({ url: route.request().url().replace('http://slipway.example.org', app.origin) }),
        }),
      )
      await page.goto('http://slipway.example.org/sign-in?next=/p/1')
      await page.getByRole('alert').getByText('This page came over plain HTTP').waitFor()
      const link = page.getByRole('link', { name: 'Open it there' })
      expect(await link.getAttribute('href')).toBe('https://slipway.example.org/sign-in?next=/p/1')
      expect(await page.getByLabel('Password').count()).toBe(0)
      await page.goto(`${app.origin}/sign-in`)
      await page.getByLabel('Password', { exact: true }).waitFor()
    } finally {
      await app.close()
    }
  })
})
