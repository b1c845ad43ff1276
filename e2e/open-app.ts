import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import type { AppOptions } from '../server/src/app.ts'
import { hashOfPassword, PASSWORD } from '../server/src/faces/app-api/visitor.factory.ts'
import type { ProjectRole } from '../server/src/kernel/context.ts'
import { addUser } from '../server/src/product/accounts/index.ts'
import { addMember } from '../server/src/product/projects/index.ts'
import { openBrowser } from '../server/test/browser.ts'
import { openWorkspace } from '../server/test/harness.ts'

let people = 0
let batches = 0

/** What a person would see, for whoever reads why a test failed. */
async function whatIsShown(page: Page): Promise<string> {
  if (page.isClosed()) return 'The page was closed.'
  const snapshot = await page.locator('body').ariaSnapshot({ timeout: 5_000 }).catch(String)
  return `The page at ${page.url()} showed:\n${snapshot.slice(0, 4_000)}`
}

export type OpenApp = Awaited<ReturnType<typeof openApp>>

/**
 * A server with the built web app on a real port, and a browser. With a `host`, the browser reaches it under that name
 * over plain HTTP, as from another machine. Pages of tests can be at the `otherHost`.
 */
export async function openApp({
  host,
  otherHost,
  ...options
}: Partial<AppOptions> & { host?: string; otherHost?: string } = {}) {
  const workspace = await openWorkspace({ rateLimitApp: 0, ...options })
  await workspace.app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://${host ?? '127.0.0.1'}:${(workspace.app.server.address() as AddressInfo).port}`
  const rules = [host, otherHost].flatMap((name) => (name ? [`MAP ${name} 127.0.0.1`] : []))
  const browser: Browser = await openBrowser(rules.length > 0 ? [`--host-resolver-rules=${rules.join(', ')}`] : [])

  /** A new project with one person in it. */
  async function team(name = 'Ada Lovelace', role: ProjectRole = 'editor') {
    const project = await workspace.project()
    const { organizationId } = project
    /** Adds a person to the project and returns their e-mail address. */
    const join = async (name: string, role: ProjectRole = 'editor') => {
      const email = `person${++people}@harbor.example`
      const person = { email, name, organizationId, role: 'member' as const, passwordHash: await hashOfPassword() }
      const user = await addUser(workspace.operator, person)
      await addMember(project.operator, user.id, role)
      return email
    }
    const email = await join(name, role)
    const create = async (titles: string[], patch: object = {}) => {
      const operations = titles.map((title, index) => ({
        operation_id: String(index),
        operation_type: 'CreateWorkOrder',
        patch: { title, status: 'ready', ...patch },
      }))
      await project.admin.api.post('/work_orders/batch_create', { request_id: `batch ${++batches}`, operations })
    }
    return { project, email, create, join }
  }

  /**
   * A page of its own, which must not report an error. It is signed in as the person with this address and shows nothing
   * yet, or else shows the form to sign in. The worker that opens the app without the server takes time with each new page,
   * so only the journey that needs it `keepsShell`.
   */
  async function page(
    options: {
      as?: string
      width?: number
      height?: number
      dark?: boolean
      touch?: boolean
      keepsShell?: boolean
    } = {},
  ): Promise<Page> {
    const { as: email, width = 1280, height = 800, dark, touch = false, keepsShell } = options
    const context = await browser.newContext({
      viewport: { width, height },
      hasTouch: touch,
      isMobile: touch,
      colorScheme: dark ? 'dark' : 'light',
      serviceWorkers: keepsShell ? 'allow' : 'block',
    })
    // A machine that is busy with other tests takes its time.
    context.setDefaultTimeout(60_000)
    const opened = await context.newPage()
    const faults: string[] = []
    opened.on('pageerror', (err) => faults.push(err.message))
    opened.on('console', (message) => {
      if (message.type() === 'error' && /Content Security Policy|Trusted/.test(message.text()))
        faults.push(message.text())
    })
    onTestFinished(async ({ task }) => {
      if (task.result?.state === 'fail') console.error(await whatIsShown(opened))
      await context.close()
      if (faults.length > 0) throw new Error(`The page reported: ${faults.join(' | ')}`)
    })
    if (email === undefined) {
      await opened.goto(origin)
      return opened
    }
    const session = await context.request.post(`${origin}/v2/app-api/session`, { data: { email, password: PASSWORD } })
    if (!session.ok()) throw new Error(`Nobody is signed in: ${await session.text()}`)
    return opened
  }

  const isReady = (opened: Page) => opened.getByRole('button', { name: 'New work order' }).first().waitFor()

  /** Opens the first screen that a person sees. */
  async function home(opened: Page): Promise<void> {
    await opened.goto(origin)
    await isReady(opened)
  }

  /** Signs in by the form, as a person does. */
  async function signIn(opened: Page, email: string): Promise<void> {
    await opened.getByLabel('E-mail').fill(email)
    await opened.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await opened.getByRole('button', { name: 'Sign in' }).click()
    await isReady(opened)
  }

  return {
    origin,
    workspace,
    team,
    page,
    home,
    signIn,
    async close() {
      await browser.close()
      await workspace.close()
    },
  }
}
