import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { addUser } from '../server/src/accounts/index.ts'
import type { ProjectRole } from '../server/src/kernel/context.ts'
import { addMember } from '../server/src/projects/index.ts'
import { openBrowser } from '../server/test/browser.ts'
import { openWorkspace } from '../server/test/harness.ts'

export const PASSWORD = 'correct horse battery'
let people = 0

export type OpenApp = Awaited<ReturnType<typeof openApp>>

/** A server with the built web app on a real port, and a browser. */
export async function openApp() {
  const workspace = await openWorkspace({ rateLimitApp: 0 })
  await workspace.app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(workspace.app.server.address() as AddressInfo).port}`
  const browser: Browser = await openBrowser()

  /** A new project with one person in it. */
  async function team(name = 'Ada Lovelace', role: ProjectRole = 'editor') {
    const project = await workspace.project()
    const { organizationId } = project
    /** Adds a person to the project and returns their e-mail address. */
    const join = async (name: string, role: ProjectRole = 'editor') => {
      const email = `person${++people}@harbor.example`
      const person = { email, name, organizationId, role: 'member' as const, password: PASSWORD }
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
      await project.admin.api.post('/work_orders/batch_create', { request_id: titles.join(), operations })
    }
    return { project, email, create, join }
  }

  /** One more person in a project. Returns their address. */
  async function join(
    project: Awaited<ReturnType<typeof workspace.project>>,
    name: string,
    role: 'editor' | 'viewer' = 'editor',
  ): Promise<string> {
    const email = `person${++people}@harbor.example`
    const { organizationId } = project
    const user = await addUser(workspace.operator, { email, name, organizationId, role: 'member', password: PASSWORD })
    await addMember(project.operator, user.id, role)
    return email
  }

  /** A page of its own, which must not report an error. */
  async function page(options: { width?: number; height?: number; dark?: boolean } = {}): Promise<Page> {
    const { width = 1280, height = 800, dark } = options
    const context = await browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
    const opened = await context.newPage()
    const faults: string[] = []
    opened.on('pageerror', (err) => faults.push(err.message))
    opened.on('console', (message) => {
      if (message.type() === 'error' && /Content Security Policy|Trusted/.test(message.text()))
        faults.push(message.text())
    })
    onTestFinished(async () => {
      await context.close()
      if (faults.length > 0) throw new Error(`The page reported: ${faults.join(' | ')}`)
    })
    await opened.goto(origin)
    return opened
  }

  async function signIn(opened: Page, email: string): Promise<void> {
    await opened.getByLabel('E-mail').fill(email)
    await opened.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await opened.getByRole('button', { name: 'Sign in' }).click()
    await opened.getByRole('button', { name: 'New work order' }).first().waitFor()
  }

  return {
    origin,
    workspace,
    team,
    join,
    page,
    signIn,
    async close() {
      await browser.close()
      await workspace.close()
    },
  }
}
