import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { Workspace } from '../../../test/harness.ts'
import type { App } from '../../app.ts'
import { hashOfPassword, PASSWORD } from '../../faces/app-api/visitor.factory.ts'
import type { ProjectRole } from '../../kernel/context.ts'
import { addUser } from '../accounts/index.ts'
import { addMember } from '../projects/index.ts'
import type { ScriptedModel } from './scripted-model.factory.ts'
import { type SomeSettings, settingsWith } from './turns/agent.factory.ts'

let people = 0

export interface Person {
  node: App
  userId: string
  email: string
  projectId: string
  project: Awaited<ReturnType<Workspace['project']>>
  cookie: string
  url: string
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Another member of the same project, at the same node. */
  join(role: ProjectRole): Promise<Person>
}

/** Signs a person in at a node that listens on a real port. */
export async function signedIn(workspace: Workspace, model?: ScriptedModel, some: SomeSettings = {}): Promise<Person> {
  const project = await workspace.project()
  const node = await workspace.node({ settings: settingsWith({ ...(model && { model: model.settings() }), ...some }) })
  await node.listen({ port: 0, host: '127.0.0.1' })
  return enter(workspace, project, node, 'editor')
}

type Project = Awaited<ReturnType<Workspace['project']>>

async function enter(workspace: Workspace, project: Project, node: App, role: ProjectRole): Promise<Person> {
  const email = `talker${++people}@example.org`
  const user = await addUser(workspace.operator, {
    email,
    name: 'Talker',
    organizationId: project.organizationId,
    role: 'member',
    passwordHash: await hashOfPassword(),
  })
  await addMember(project.operator, user.id, role)
  const url = `http://127.0.0.1:${(node.server.address() as AddressInfo).port}/v2/app-api`
  const signedIn = await fetch(`${url}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  })
  expect(signedIn.status).toBe(201)
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const call = (method: string, path: string, body?: unknown, headers = {}) =>
    fetch(`${url}${path}`, {
      method,
      headers: {
        cookie,
        'x-project-id': project.id,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const join = (role: ProjectRole) => enter(workspace, project, node, role)
  return { node, userId: user.id, email, projectId: project.id, project, cookie, url, call, join }
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
export const json = async (answer: Response | Promise<Response>): Promise<any> => (await answer).json()

/** Reads the events of a stream until it ends. */
export async function eventsOf(answer: Promise<Response>) {
  const text = await (await answer).text()
  return text
    .split('\n\n')
    .filter((block) => block.includes('event: '))
    .map((block) => ({ event: /event: (.*)/.exec(block)![1], data: JSON.parse(/data: (.*)/.exec(block)![1]!) }))
}
