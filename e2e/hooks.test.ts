import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { githubPullRequest } from '../server/src/product/code-hosts/payloads.factory.ts'
import { receiver, settings, startDelivering } from '../server/src/product/webhooks/webhook.factory.ts'
import { hasBrowser } from '../server/test/browser.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

describe.runIf(hasBrowser)('what leaves and enters a project', () => {
  let app: OpenApp
  let deliveries: ReturnType<typeof startDelivering>
  beforeAll(async () => {
    app = await openApp({ settings: settings() })
    deliveries = startDelivering(app.workspace)
  })
  afterAll(async () => {
    await deliveries.stop(1_000)
    await app.close()
  })

  async function openSettings(page: string) {
    const { email, project, create } = await app.team('Ada Lovelace', 'admin')
    const admin = await app.page()
    await app.signIn(admin, email)
    await admin.goto(`${app.origin}/p/${project.id}/settings/${page}`)
    return { admin, project, create }
  }

  test('an admin makes a webhook, tests it, sees what was sent and sends it again', async () => {
    let isBroken = true
    const { url, messages } = await receiver(() => (isBroken ? { status: 500, text: 'not today' } : {}))
    const { admin } = await openSettings('webhooks')
    await admin.getByText('Webhooks tell other programs what happens').waitFor()
    await admin.keyboard.press('c')
    const form = admin.getByRole('dialog', { name: 'New webhook' })
    await form.getByLabel('Name').fill('Board')
    await form.getByLabel('URL').fill('nonsense')
    await form.getByLabel('All events').uncheck()
    await form.getByLabel('Feedback themes').check()
    await form.getByRole('button', { name: 'Create webhook' }).click()
    await form.getByText('"nonsense" is not a full http or https URL.').waitFor()
    expect(await findingsOn(admin)).toEqual([])
    await form.getByLabel('URL').fill(url)
    await form.getByRole('button', { name: 'Create webhook' }).click()
    const shown = admin.getByRole('dialog', { name: 'The secret of “Board”' })
    const secret = await shown.getByRole('textbox', { name: 'The secret' }).inputValue()
    await shown.getByRole('button', { name: 'I have stored it' }).click()
    await shown.getByText('You have not copied the secret.').waitFor()
    await shown.getByRole('button', { name: 'I have stored it' }).click()
    await admin.getByText('Work orders, Feedback themes').waitFor()
    expect(await findingsOn(admin)).toEqual([])

    await admin.getByRole('button', { name: 'More for Board' }).click()
    await admin.getByRole('menuitem', { name: 'Send a test event' }).click()
    const log = admin.getByRole('dialog', { name: 'Deliveries to “Board”' })
    await log.getByText('webhook.ping').waitFor()
    await log.getByText(/It answered 500.*“not today”/).waitFor()
    await log.getByText('Waiting').waitFor()
    isBroken = false
    await log.getByText('Delivered').waitFor()
    await log.getByRole('button', { name: 'Redeliver' }).click()
    await expect.poll(() => messages.length, { timeout: 20_000 }).toBeGreaterThan(2)
    const { text, headers } = messages.at(-1)!
    expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toMatchObject({ type: 'webhook.ping' })
    await log.getByRole('button', { name: 'Close' }).last().click()

    await admin.getByRole('button', { name: 'More for Board' }).click()
    await admin.getByRole('menuitem', { name: 'Disable' }).click()
    await admin.getByText('Disabled', { exact: true }).last().waitFor()
    await admin.getByRole('button', { name: 'More for Board' }).click()
    await admin.getByRole('menuitem', { name: 'Delete…' }).click()
    await admin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await admin.getByText('Webhooks tell other programs what happens').waitFor()
  })

  test('a pull request appears at the work order that it names, and moves it', async () => {
    const { admin, create, project } = await openSettings('code-hosts')
    await create(['Round the total once'])
    await admin.getByRole('button', { name: 'New code host' }).first().click()
    const form = admin.getByRole('dialog', { name: 'New code host' })
    await form.getByLabel('Name').fill('Codertocat/Hello-World')
    await form.getByLabel('Move to “In review” when it is opened').check()
    await form.getByRole('button', { name: 'Create' }).click()
    const shown = admin.getByRole('dialog', { name: '“Codertocat/Hello-World” is ready' })
    const secret = await shown.getByRole('textbox', { name: 'The secret' }).inputValue()
    const path = new URL((await shown.locator('li code').textContent())!).pathname
    expect(await findingsOn(admin)).toEqual([])
    await admin.goto(`${app.origin}/p/${project.id}/work-orders/1`)
    await admin.getByRole('heading', { name: 'Round the total once' }).waitFor()

    const body = JSON.stringify(githubPullRequest('opened', { title: 'Round once (WO-1)' }))
    const answer = await fetch(app.origin + path, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'pull_request',
        'x-github-delivery': 'one',
        'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
      },
    })
    expect(await answer.json()).toEqual({ status: 'applied' })
    const line = admin.getByRole('region', { name: 'Code' }).getByRole('link', { name: /Round once \(WO-1\)/ })
    await line.waitFor()
    expect(await line.getAttribute('href')).toBe('https://github.com/Codertocat/Hello-World/pull/2')
    expect(await line.getAttribute('target')).toBe('_blank')
    await admin.getByText(/opened the pull request “Round once \(WO-1\)”/).waitFor()
    await admin.getByRole('button', { name: 'Change status' }).getByText('In review').waitFor()
    expect(await findingsOn(admin)).toEqual([])
  })
})
