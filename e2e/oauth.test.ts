import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PASSWORD } from '../server/src/faces/app-api/visitor.factory.ts'
import { hasBrowser } from '../server/test/browser.ts'
import { findingsOn } from './accessibility-findings.ts'
import { type OpenApp, openApp } from './open-app.ts'

const REDIRECT = 'http://127.0.0.1:4711/callback'
const VERIFIER = 'v'.repeat(43)
/** Of the verifier, by S256. */
const CHALLENGE = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM'

describe.runIf(hasBrowser)('an agent that knows only the address', () => {
  let app: OpenApp
  beforeAll(async () => {
    app = await openApp({ baseUrl: 'http://127.0.0.1:3000' })
  })
  afterAll(() => app.close())

  const post = async (path: string, headers: Record<string, string>, body: string) =>
    (await fetch(app.origin + path, { method: 'POST', headers, body })).json() as Promise<Record<string, string>>

  /** What an agent does before it opens a browser. */
  async function ask(change: Record<string, string> = {}) {
    const metadata = JSON.stringify({ client_name: 'Harbor Agent', redirect_uris: [REDIRECT] })
    const { client_id = '' } = await post('/oauth/register', { 'content-type': 'application/json' }, metadata)
    const query = new URLSearchParams({
      response_type: 'code',
      client_id,
      redirect_uri: REDIRECT,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      state: 'a b&c=d/#%',
      resource: `${app.origin}/mcp`,
      ...change,
    })
    return { client_id, url: `${app.origin}/oauth/authorize?${query}` }
  }

  /** The agent waits for the browser at its own address. */
  async function answerOf(page: Page, press: () => Promise<void>): Promise<URLSearchParams> {
    await page.route(`${REDIRECT}**`, (route) => route.fulfill({ body: 'You can close this page.' }))
    const [request] = await Promise.all([page.waitForRequest((one) => one.url().startsWith(REDIRECT)), press()])
    return new URL(request.url()).searchParams
  }

  async function signIn(page: Page, email: string) {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Connect Harbor Agent?' }).waitFor()
  }

  test('is allowed to read by a person who signs in first, works, and is revoked', async () => {
    const { email } = await app.team()
    const { client_id, url } = await ask()
    const page = await app.page({ width: 360, height: 740 })
    await page.goto(url)
    await signIn(page, email)
    await page.getByText('127.0.0.1 (this computer)').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.getByRole('radio', { name: 'Only read' }).check({ force: true })
    const answer = await answerOf(page, () => page.getByRole('button', { name: 'Allow' }).click())
    expect(answer.get('state')).toBe('a b&c=d/#%')
    expect(answer.get('iss')).toBe(app.origin)

    const form = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id,
      code: answer.get('code')!,
      code_verifier: VERIFIER,
      redirect_uri: REDIRECT,
    })
    const { access_token, scope } = await post(
      '/oauth/token',
      { 'content-type': 'application/x-www-form-urlencoded' },
      form.toString(),
    )
    expect(scope).toBe('read')
    const ping = async () => {
      const headers = {
        authorization: `Bearer ${access_token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
      return (await fetch(`${app.origin}/mcp`, { method: 'POST', headers, body })).status
    }
    expect(await ping()).toBe(200)

    await page.goto(`${app.origin}/settings/account`)
    await page.getByText('only reads').waitFor()
    expect(await findingsOn(page)).toEqual([])
    await page.getByRole('button', { name: 'Revoke Harbor Agent' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('only reads').waitFor({ state: 'detached' })
    await expect.poll(ping).toBe(401)
  })

  test('is denied, and learns so', async () => {
    const { email } = await app.team()
    const { url } = await ask()
    const page = await app.page({ dark: true })
    await page.goto(url)
    await signIn(page, email)
    expect(await findingsOn(page)).toEqual([])
    const answer = await answerOf(page, () => page.getByRole('button', { name: 'Deny' }).click())
    expect([answer.get('error'), answer.get('code')]).toEqual(['access_denied', null])
  })

  test('gets no answer at an address that it did not register', async () => {
    const { email } = await app.team()
    const { url } = await ask({ redirect_uri: 'https://evil.example/' })
    const page = await app.page()
    await page.goto(url)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('did not register the address that it wants its answer sent to').waitFor()
    expect(await page.getByRole('button', { name: 'Allow' }).count()).toBe(0)
  })
})
