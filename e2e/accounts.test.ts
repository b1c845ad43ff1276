import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../server/src/faces/app-api/visitor.factory.ts'
import { hasBrowser } from '../server/test/browser.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

const NEXT = 'another horse battery'

describe.runIf(hasBrowser)('people', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp()
  })
  afterAll(() => app.close())

  async function signInAs(email: string, password = PASSWORD) {
    const page = await app.page()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    return page
  }

  test('an admin makes an invite link, and a new person joins with it and sees the project', async () => {
    const { email, project } = await app.team('Ada Lovelace', 'admin')
    const admin = await signInAs(email)
    await admin.getByRole('link', { name: 'Settings' }).click()
    await admin.getByText(email).waitFor()
    expect(await findingsOn(admin)).toEqual([])
    await admin.keyboard.press('c')
    const dialog = admin.getByRole('dialog', { name: 'Invite link' })
    await dialog.getByLabel('Viewer').check()
    await dialog.getByRole('button', { name: 'Create link' }).click()
    const link = await dialog.getByRole('textbox', { name: 'Invite link' }).inputValue()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await dialog.getByText('You have not copied the link.').waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await admin.getByText('Anyone with the link').waitFor()

    const guest = await app.page()
    await guest.goto(app.origin + new URL(link).pathname)
    await guest.getByRole('heading', { name: `Join ${project.name}` }).waitFor()
    expect(await findingsOn(guest)).toEqual([])
    await guest.getByLabel('Your name').fill('Hedy Lamarr')
    await guest.getByLabel('E-mail').fill(email)
    await guest.getByLabel('Choose a password').fill('short')
    await guest.getByRole('button', { name: 'Join the project' }).click()
    await guest.getByText('A password has 8 to 128 characters, not 5.').waitFor()
    await guest.getByLabel('Choose a password').fill(PASSWORD)
    await guest.getByRole('button', { name: 'Join the project' }).click()
    await guest.getByText(`There is an account for ${email} already.`).waitFor()
    await guest.getByLabel('E-mail').fill(`hedy-${email}`)
    await guest.getByRole('button', { name: 'Join the project' }).click()
    await guest.getByRole('button', { name: project.name }).waitFor()
    expect(new URL(guest.url()).pathname).toContain(project.id)

    // The list of the admin follows, and the link is used up.
    await admin.getByText(`hedy-${email}`).waitFor()
    await admin.getByText('Anyone with the link').waitFor({ state: 'detached' })
    const late = await app.page()
    await late.goto(app.origin + new URL(link).pathname)
    await late.getByText('This invite link has been used already.').waitFor()

    await admin.getByRole('button', { name: 'More for Hedy Lamarr' }).click()
    await admin.getByRole('menuitem', { name: 'Remove from the project…' }).click()
    const remove = admin.getByRole('dialog', { name: 'Remove Hedy Lamarr?' })
    await remove.getByText('1 session can no longer open the project').waitFor()
    await remove.getByRole('button', { name: 'Remove' }).click()
    await admin.getByText(`hedy-${email}`).waitFor({ state: 'detached' })
    await guest.goto(`${app.origin}/`)
    await guest.getByText('You are not a member of a project yet').waitFor()
  })

  test('an admin opens another project from the switcher and renames it, which others in it see at once', async () => {
    const { email, project } = await app.team('Ada Lovelace', 'admin')
    const page = await app.page({ as: email })
    await app.home(page)
    await page.getByRole('button', { name: project.name }).click()
    await page.getByPlaceholder('Find a project…').fill(`Quay of ${project.name}`)
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('button', { name: `Quay of ${project.name}` }).waitFor()
    await page.getByText('Plan the work, for people and agents').waitFor()

    await page.goto(`${app.origin}/p/${project.id}/settings/general`)
    const tab = await page.context().newPage()
    await tab.goto(`${app.origin}/p/${project.id}/work-orders`)
    await tab.getByRole('status', { name: 'Live' }).waitFor()
    await page.getByLabel('Name').fill(`Quay of ${project.name}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('There is a project').waitFor()
    await page.getByLabel('Name').fill(`Pier of ${project.name}`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The project is called').waitFor()
    await tab.getByRole('button', { name: `Pier of ${project.name}` }).waitFor()
  })

  test('a person changes their password, and a wrong one is explained under its field', async () => {
    const { email } = await app.team()
    const page = await signInAs(email)
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    await page.getByRole('menuitem', { name: 'Account' }).click()
    await page.getByText('This one', { exact: true }).waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.getByLabel('Current password').fill('wrong password')
    await page.getByLabel('New password').fill(NEXT)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('This is not your current password.').waitFor()
    expect(await page.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Current password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Your password is changed.').waitFor()
    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { name: 'Sign in to Slipway' }).waitFor()
    const wrong = await signInAs(email)
    await wrong.getByText('There is nobody with this e-mail address and password.').waitFor()
    expect(await wrong.getByLabel('Password', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await signInAs(email, NEXT).then((again) => again.getByRole('link', { name: 'Settings' }).waitFor())
  })

  test('a key is made, shown once, seen at work, and revoked', async () => {
    const { email } = await app.team()
    const page = await signInAs(email)
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('Release bot')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: '“Release bot” is ready' })
    const key = await dialog.getByRole('textbox', { name: 'The key' }).inputValue()
    const answer = await fetch(`${app.origin}/v2/external-api/users`, { headers: { 'x-api-key': key } })
    expect(answer.status).toBe(200)
    await dialog.getByText('The first request has arrived.').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    await dialog.getByRole('button', { name: 'I have stored it' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog', { name: 'Revoke “Release bot”?' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('revoked Today').waitFor()
  })
})
