import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../server/test/browser.ts'
import { eventually } from '../server/test/harness.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('two people', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  type Team = Awaited<ReturnType<OpenApp['team']>>
  const stored = async ({ project }: Team) => (await project.admin.api.get('/work_orders/by_number/1')).body.data
  const open = async (team: Team, as: string, isLive = true) => {
    const page = await app.page({ as })
    // The stream never begins, so the page does not hear of what others change.
    if (!isLive) await page.route('**/v2/app-api/stream*', () => undefined)
    await page.goto(`${app.origin}/p/${team.project.id}/work-orders/1`)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    return page
  }
  const description = (page: Page) => page.getByRole('textbox', { name: 'Description' })
  const edit = async (page: Page, text: string) => {
    await page.getByRole('button', { name: 'Edit description' }).click()
    await description(page).fill(text)
  }

  test('who change the same line compare, nobody’s text is lost, and what was taken is what the next edit starts from', async () => {
    const team = await app.team()
    await team.create(['Round the total'], {
      markdown_content: 'Old text',
      implementation_plan: { files: [], markdown_content: '- [ ] Round\n- [ ] Test' },
    })
    const ada = await open(team, team.email, false)
    const grace = await open(team, await team.join('Grace Hopper'))

    // Two steps of one plan are no conflict, although Ada's page is older.
    await grace.getByRole('checkbox').first().click()
    await eventually(async () => (await stored(team)).implementation_plan.markdown_content.includes('[x] Round'))
    await ada.getByRole('checkbox').last().click()
    await eventually(
      async () => (await stored(team)).implementation_plan.markdown_content === '- [x] Round\n- [x] Test',
    )

    await edit(ada, 'Text of Ada')
    await edit(grace, 'Text of Grace')
    await grace.keyboard.press('Control+Enter')
    await eventually(async () => (await stored(team)).markdown_content === 'Text of Grace')
    await ada.keyboard.press('Control+Enter')
    const dialog = ada.getByRole('dialog', { name: 'Description of WO-1 was changed meanwhile' })
    await dialog.getByText('Grace Hopper changed the same lines').waitFor()
    await eventually(() => ada.locator('h2:focus').count())
    await ada.keyboard.press('Enter')
    expect(await dialog.count()).toBe(1)
    await dialog.getByRole('button', { name: 'Edit' }).click()
    await dialog.getByLabel('Text to save').fill('Text of both')
    await ada.keyboard.press('Escape')
    await ada.getByText('Your merged text is kept as a draft').waitFor()
    await ada.reload()
    expect(await dialog.getByLabel('Text to save').inputValue()).toBe('Text of both')

    await dialog.getByRole('button', { name: 'Take theirs' }).click()
    await dialog.waitFor({ state: 'detached' })
    await ada.getByRole('region', { name: 'Description' }).getByText('Text of Grace').waitFor()
    await ada.getByRole('button', { name: 'Edit description' }).click()
    expect(await description(ada).inputValue()).toBe('Text of Grace')
    await description(ada).fill('Text of Grace\n\nAnd of Ada')
    await ada.keyboard.press('Control+Enter')
    await eventually(async () => (await stored(team)).markdown_content === 'Text of Grace\n\nAnd of Ada')
  })

  test('who share a browser see only their own drafts, which neither Esc nor a slip of the mouse discards', async () => {
    const team = await app.team()
    await team.create(['Round the total'], { markdown_content: 'Old text' })
    const grace = await team.join('Grace Hopper')
    const page = await open(team, team.email)
    await edit(page, 'Half a thought')
    await page.keyboard.press('Escape')
    await page.getByText('Draft kept').waitFor()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('Unsaved text from').waitFor({ state: 'detached' })
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Unsaved text from').waitFor()

    await page.route('**/work_orders/*/comments', (route) => route.abort())
    await page.getByLabel('Comment', { exact: true }).fill('A comment that waits')
    await page.keyboard.press('Control+Enter')
    await page.getByRole('button', { name: 'Show' }).click()
    await page.getByRole('button', { name: 'Discard: Comment on WO-1' }).click()
    await page.getByText('A comment that waits').waitFor({ state: 'detached' })
    await page.getByRole('status').getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('A comment that waits').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try now' }).click()
    await page.getByText('1 change waits').waitFor({ state: 'detached' })

    const signOut = async (name: string) => {
      await page.getByRole('button', { name }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
    }
    await signOut('Ada Lovelace')
    const dialog = page.getByRole('dialog', { name: 'Sign out with 1 draft?' })
    await dialog.getByRole('button', { name: 'Keep and sign out' }).click()
    // Whoever comes next does not begin on this page.
    await page.waitForURL(`${app.origin}/sign-in`)
    await app.signIn(page, grace)
    await page.goto(`${app.origin}/p/${team.project.id}/work-orders/1`)
    await page.getByText('A comment that waits').waitFor()
    expect(await page.getByText('Unsaved text from').count()).toBe(0)
    await page.getByRole('button', { name: 'Edit description' }).click()
    expect(await description(page).inputValue()).toBe('Old text')
    await page.keyboard.press('Escape')
    await signOut('Grace Hopper')
    await page.getByLabel('E-mail').waitFor()
    await app.signIn(page, team.email)
    await page.goto(`${app.origin}/p/${team.project.id}/work-orders/1`)
    await page.getByText('Unsaved text from').waitFor()
    await page.getByRole('button', { name: 'Edit description' }).click()
    expect(await description(page).inputValue()).toBe('Half a thought')
  })

  test('do not undo each other: Undo leaves a newer change of somebody else alone and says whose it is', async () => {
    const team = await app.team()
    await team.create(['Round the total'])
    const grace = await open(team, await team.join('Grace Hopper'))
    const ada = await app.page({ as: team.email })
    await app.home(ada)
    const set = async (page: Page, from: string, to: string) => {
      await page.getByRole('button', { name: from }).first().click()
      await page.getByRole('option', { name: to }).click()
    }
    await set(ada, 'Status: Ready', 'In review')
    await eventually(async () => (await stored(team)).status === 'in_review')
    await set(grace, 'Change status', 'Blocked')
    await eventually(async () => (await stored(team)).status === 'blocked')
    await ada.getByRole('button', { name: 'Undo' }).click()
    await ada.getByText('WO-1 not undone. Grace Hopper changed it since.').waitFor()
    expect((await stored(team)).status).toBe('blocked')
    await ada.getByRole('button', { name: 'Status: Blocked' }).waitFor()
  })

  test('part: the removal says how much work is assigned, gives it to somebody, and work that stays can be filtered', async () => {
    const team = await app.team('Ada Lovelace', 'admin')
    const { api } = team.project.admin
    const emails = [await team.join('Grace Hopper'), await team.join('Alan Turing')]
    for (const email of emails) await team.create([`Work of ${email}`], { assignee_email: email })
    const assigned = async (number: number) => (await api.get(`/work_orders/by_number/${number}`)).body.data.assignee
    const page = await app.page({ as: team.email })
    const remove = async (name: string, heir?: string) => {
      await page.goto(`${app.origin}/p/${team.project.id}/settings/members`)
      await page.getByRole('button', { name: `More for ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Remove from the project…' }).click()
      const dialog = page.getByRole('dialog', { name: `Remove ${name}?` })
      await dialog.getByText('1 open work order is assigned to them.').waitFor()
      if (heir) {
        await dialog.getByRole('button', { name: /Who takes over/ }).click()
        await page.getByRole('option', { name: heir }).click()
      }
      await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
      await page.getByRole('row', { name: new RegExp(name) }).waitFor({ state: 'detached' })
    }
    await remove('Alan Turing', 'Ada Lovelace')
    await eventually(async () => (await assigned(2))?.name === 'Ada Lovelace')
    await remove('Grace Hopper')
    expect((await assigned(1)).name).toBe('Grace Hopper')

    await page
      .getByRole('navigation', { name: 'Modules' })
      .first()
      .getByRole('link', { name: /Work Orders/ })
      .click()
    await page
      .getByRole('link', { name: /Work of/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.locator('input:focus').waitFor()
    await page.keyboard.type('assignee grace')
    await page.getByRole('option', { name: /Grace Hopper \(left\)/ }).click()
    await page.keyboard.press('Escape')
    await page.getByText(/Assignee is Grace Hopper \(left\)/).waitFor()
    expect(await page.getByRole('link', { name: /Work of/ }).count()).toBe(1)
  })

  test('read a comment on a document once, although its answer was lost and it was sent again', async () => {
    const team = await app.team()
    const { api } = team.project.admin
    const made = await api.post('/requirements', { title: 'Refunds', document_type: 'FEATURE' })
    const address = `${app.origin}/p/${team.project.id}/requirements/${made.body.data.id}`
    const page = await app.page({ as: team.email, width: 1440 })
    await page.goto(address)
    await page
      .getByRole('button', { name: /comment/i })
      .first()
      .click()
    await page.route('**/threads', async (route) => {
      if (route.request().method() !== 'POST') return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByLabel('New comment').fill('Is this final?')
    await page.keyboard.press('Enter')
    await page.getByText('1 change waits on this device.').waitFor()
    const shown = page.getByRole('dialog', { name: 'Comments' }).getByText('Is this final?')
    await shown.waitFor()
    expect(await page.getByLabel('New comment').inputValue()).toBe('')
    await page.unrouteAll()
    await page.getByText('1 change waits').waitFor({ state: 'detached' })
    expect(await shown.count()).toBe(1)
    const threads = async () => (await api.get(`/requirements/${made.body.data.id}/comments`)).body.items
    expect(await threads()).toHaveLength(1)
  })
})
