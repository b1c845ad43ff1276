import type { AddressInfo } from 'node:net'
import { json, signedIn } from '../../server/src/product/conversations/person.factory.ts'
import { openWorkspace, type Workspace } from '../../server/test/harness.ts'
import { createClient } from './client.ts'

export { json }

/** A server on a real port, with a key and a signed-in person. */
export async function startServer(workspace: Workspace) {
  const project = await workspace.project()
  await workspace.app.listen({ port: 0, host: '127.0.0.1' })
  const baseUrl = `http://127.0.0.1:${(workspace.app.server.address() as AddressInfo).port}`
  return { project, baseUrl, client: createClient({ baseUrl, apiKey: project.admin.key }) }
}

/** A person's client, as the web has it. The cookie stands in for that of the browser. */
export async function clientOfPerson(workspace: Workspace, model?: Parameters<typeof signedIn>[1]) {
  const person = await signedIn(workspace, model)
  const { origin } = new URL(person.url)
  const headers = { cookie: person.cookie }
  return { person, client: createClient({ baseUrl: origin, projectId: person.projectId, headers }) }
}

export { openWorkspace, type Workspace }
