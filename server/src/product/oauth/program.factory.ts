import { createHash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import type { Workspace } from '../../../test/harness.ts'
import { hashOfPassword, newAddress, openVisitor } from '../../faces/app-api/visitor.factory.ts'
import type { ProjectRole } from '../../kernel/context.ts'
import { addUser } from '../accounts/index.ts'
import { addMember } from '../projects/index.ts'

type Fields = Record<string, string | undefined>
type TestProject = Awaited<ReturnType<Workspace['project']>>
export type Program = Awaited<ReturnType<typeof openPrograms>>

export const REDIRECT = 'http://127.0.0.1:4711/callback'

/** Programs that ask for access, and people with browsers who decide. The workspace needs a loopback `baseUrl`. */
export async function openPrograms(ws: Workspace) {
  await ws.app.listen({ port: 0, host: '127.0.0.1' })
  const host = `127.0.0.1:${(ws.app.server.address() as AddressInfo).port}`
  const origin = `http://${host}`

  const send = async (path: string, init: RequestInit) => {
    const res = await fetch(origin + path, { redirect: 'manual', ...init })
    const text = await res.text()
    // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
    const body: any = res.headers.get('content-type')?.includes('json') ? JSON.parse(text) : undefined
    return { status: res.status, headers: res.headers, body }
  }
  const form = (path: string, fields: Fields) =>
    send(path, { method: 'POST', body: new URLSearchParams(JSON.parse(JSON.stringify(fields))) })
  let addresses = 0
  /** From an address of its own, because each may register only a few. */
  const register = async (metadata: object) => {
    const res = await ws.app.inject({
      method: 'POST',
      url: '/oauth/register',
      remoteAddress: `10.0.${addresses >> 8}.${addresses++ & 255}`,
      payload: metadata,
    })
    return { status: res.statusCode, body: res.json() }
  }

  /** A member of the project who is signed in. */
  async function person(project: TestProject, role: ProjectRole = 'editor') {
    const { organizationId } = project
    const named = { email: newAddress(), name: 'Ada Lovelace', organizationId, role: 'member' as const }
    const user = await addUser(ws.operator, { ...named, passwordHash: await hashOfPassword() })
    await addMember(project.operator, user.id, role)
    const visitor = openVisitor(ws.app, { host })
    await visitor.signIn(user.email)
    visitor.at(project)
    return { ...visitor, user }
  }
  type Person = Awaited<ReturnType<typeof person>>

  /** Registers and prepares an authorization request, which a test may spoil. */
  async function program(change: Fields = {}, redirect = REDIRECT) {
    const { body } = await register({ client_name: 'Harbor Agent', redirect_uris: [redirect] })
    const verifier = randomBytes(32).toString('base64url')
    const request: Fields = {
      response_type: 'code',
      client_id: body.client_id,
      redirect_uri: redirect,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'a b&c=d/#',
      resource: `${origin}/mcp`,
      ...change,
    }
    const query = new URLSearchParams(JSON.parse(JSON.stringify(request))).toString()
    const exchange: Fields = {
      grant_type: 'authorization_code',
      client_id: body.client_id,
      redirect_uri: redirect,
      code_verifier: verifier,
      resource: request.resource,
    }
    return {
      clientId: body.client_id as string,
      query,
      exchange,
      authorize: () => send(`/oauth/authorize?${query}`, {}),
      allow: (one: Person, scope = 'full') => one.call('POST', '/connected_apps', { query, scope }),
    }
  }
  type One = Awaited<ReturnType<typeof program>>

  /** Returns a code. */
  async function codeFor(one: One, who: Person, scope?: string): Promise<string> {
    const { body } = await one.allow(who, scope)
    return new URL(body.data.url).searchParams.get('code')!
  }

  /** Goes all the way. */
  async function connect(who: Person, { scope, ...change }: Fields & { scope?: string } = {}) {
    const one = await program(change)
    const code = await codeFor(one, who, scope)
    const { body } = await form('/oauth/token', { ...one.exchange, code })
    return { ...one, code, tokens: body as { access_token: string; refresh_token: string; scope: string } }
  }

  /** Calls a method of MCP and returns the status and the answer. */
  async function mcp(token: string, method: string, params: object = {}, path = '/mcp') {
    return send(path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  }

  return { origin, host, send, form, register, person, program, codeFor, connect, mcp }
}
