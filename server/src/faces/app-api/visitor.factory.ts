import type { InjectOptions } from 'fastify'
import type { Workspace } from '../../../test/harness.ts'
import type { App } from '../../app.ts'
import type { ProjectRole } from '../../kernel/context.ts'
import { addUser, hashOf } from '../../product/accounts/index.ts'
import { addMember } from '../../product/projects/index.ts'

export const PASSWORD = 'correct horse battery'
let passwordHash: Promise<string> | undefined
/** Made once: it takes a tenth of a second. */
export const hashOfPassword = () => (passwordHash ??= hashOf(PASSWORD))
let people = 0
export const newAddress = () => `visitor${++people}@example.org`

export type Visitor = ReturnType<typeof openVisitor>

/** A browser without a page: it keeps cookies and follows nothing. */
export function openVisitor(app: App, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>()
  let projectId: string | undefined
  async function call(method: string, path: string, body?: unknown, more: Record<string, string> = {}) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const res = await app.inject({
      method: method as InjectOptions['method'] & string,
      url: path.startsWith('/v2/') ? path : `/v2/app-api${path}`,
      headers: { ...(cookie && { cookie }), ...(projectId && { 'x-project-id': projectId }), ...headers, ...more },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    for (const { name, value, maxAge } of res.cookies as { name: string; value: string; maxAge?: number }[])
      if (maxAge === 0) jar.delete(name)
      else jar.set(name, encodeURIComponent(value))
    const isJson = String(res.headers['content-type'] ?? '').includes('json') && res.payload !== ''
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    const shown = (isJson ? res.json() : undefined) as any
    return { status: res.statusCode, headers: res.headers, body: shown, bytes: res.rawPayload }
  }
  return {
    jar,
    call,
    at(project: { id: string }) {
      projectId = project.id
    },
    signIn: (email: string, password = PASSWORD) => call('POST', '/session', { email, password }),
  }
}

type TestProject = Awaited<ReturnType<Workspace['project']>>

/** A member of the project who is signed in. */
export async function signedInMember(workspace: Workspace, project: TestProject, role: ProjectRole) {
  const { organizationId } = project
  const person = { email: newAddress(), name: `Visitor ${people}`, organizationId, role: 'member' as const }
  const user = await addUser(workspace.operator, { ...person, passwordHash: await hashOfPassword() })
  await addMember(project.operator, user.id, role)
  const visitor = openVisitor(workspace.app)
  await visitor.signIn(user.email)
  visitor.at(project)
  return { ...visitor, user }
}
