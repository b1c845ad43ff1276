import { readFile } from 'node:fs/promises'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { json, type Person, signedIn } from '../../product/conversations/person.factory.ts'
import { addMember } from '../../product/projects/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is looked into freely
type Document = any

const routes: RouteOptions[] = []
let workspace: Workspace
let person: Person
beforeAll(async () => {
  workspace = await openWorkspace({ rateLimitApp: 10_000, onRoute: (route) => routes.push(route) })
  person = await signedIn(workspace)
})
afterAll(() => workspace.close())

const idsOf = (document: Document) =>
  Object.values<Document>(document.paths).flatMap((methods) =>
    Object.values<Document>(methods).map(({ operationId }) => operationId as string),
  )

describe('the app API', () => {
  test('has every operation of the external API, with the same schemas, and describes only its own', () => {
    const of = (api: string) =>
      new Map(
        routes
          .filter(({ url, schema }) => url.startsWith(`/v2/${api}/`) && schema?.operationId)
          .map((route) => [`${route.method} ${route.url.slice(`/v2/${api}`.length)}`, route.schema!]),
      )
    const [external, app] = [of('external-api'), of('app-api')]
    expect(external.size).toBeGreaterThan(100)
    for (const [name, schema] of external) expect(app.get(name), name).toEqual(schema)
    const own = [...app.values()].map(({ operationId }) => operationId!)
    const known = new Set([...external.values()].map(({ operationId }) => operationId))
    const described = idsOf(workspace.app.appOpenApiDocument())
    expect([...new Set(described)].sort()).toEqual([...new Set(own)].filter((id) => !known.has(id)).sort())
  })

  test('is described without a session, by the committed file, and lints clean', async () => {
    const served = await json(fetch(`${person.url}/openapi.json`))
    const file = JSON.parse(await readFile(new URL('../../../openapi.app.json', import.meta.url), 'utf8'))
    expect({ ...served, servers: [] }).toEqual({ ...file, servers: [] })
    const ids = idsOf(served)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(expect.arrayContaining(['signIn', 'startAgentConversation', 'streamAgentConversation']))
    const config = await createConfig(await readFile(new URL('../../../../redocly.yaml', import.meta.url), 'utf8'))
    const problems = await lintFromString({ source: JSON.stringify(served), config })
    expect(problems.map((problem) => `${problem.ruleId}: ${problem.message}`)).toEqual([])
  })
})

function create(by: Person, title: string, headers = {}) {
  const operations = [{ operation_id: 'one', operation_type: 'CreateWorkOrder', patch: { title } }]
  return by.call('POST', '/work_orders/batch_create', { request_id: title, operations }, headers)
}

describe('a signed-in person', () => {
  test('writes in their own name, from the origin "user"', async () => {
    expect((await create(person, 'Mine')).status).toBe(200)
    const [event] = await workspace.sql`select user_id, key_id, origin from events
      where project_id = ${person.projectId} and kind = 'work_order.created'`
    expect(event).toEqual({ user_id: person.userId, key_id: null, origin: 'user' })
  })

  test('repeats a POST safely, sees entity tags and limits, and follows links to the same API', async () => {
    const twice = [await create(person, 'Once', { 'idempotency-key': 'once' })]
    twice.push(await create(person, 'Once', { 'idempotency-key': 'once' }))
    expect(twice[1]!.headers.get('idempotency-replayed')).toBe('true')
    expect(await json(twice[1]!)).toEqual(await json(twice[0]!))
    const list = await person.call('GET', '/work_orders?page_size=1')
    expect(list.headers.get('link')).toContain('/v2/app-api/work_orders?page=2&page_size=1')
    expect(Number(list.headers.get('ratelimit-remaining'))).toBeGreaterThan(0)
    const { id } = (await json(list)).items[0]
    const etag = (await person.call('GET', `/work_orders/${id}`)).headers.get('etag')!
    const change = (tag: string) =>
      person.call('PATCH', `/work_orders/${id}/description`, { markdown_content: 'New' }, { 'if-match': tag })
    expect((await person.call('GET', `/work_orders/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304)
    expect((await change(etag)).status).toBe(200)
    expect((await change(etag)).status).toBe(412)
  })

  test('cannot write as a viewer', async () => {
    const project = await workspace.project()
    await addMember(project.operator, person.userId, 'viewer')
    const headers = { 'x-project-id': project.id }
    expect((await person.call('GET', '/work_orders', undefined, headers)).status).toBe(200)
    expect((await person.call('POST', '/work_orders/search', { query: 'x' }, headers)).status).toBe(200)
    const refused = await create(person, 'No', headers)
    expect(await json(refused)).toMatchObject({ status: 403, code: 'viewer' })
  })

  test('gets 404 for a project that they do not belong to, and for one that does not exist', async () => {
    const { id } = await workspace.project()
    for (const projectId of [id, '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81']) {
      const answer = await person.call('GET', '/work_orders', undefined, { 'x-project-id': projectId })
      expect(await json(answer)).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  test('is not impersonated by pages of other sites, nor by a key', async () => {
    const refused = await create(person, 'No', { origin: 'https://evil.example.org' })
    expect(await json(refused)).toMatchObject({ status: 403, code: 'other_site' })
    const { admin } = await workspace.project()
    expect((await admin.api.get('/v2/app-api/work_orders')).status).toBe(401)
  })

  test('uploads a file, and downloads it from an address that a browser can open by itself', async () => {
    const form = new FormData()
    form.set('artifact_type', 'file')
    form.set('file', new Blob(['Harbor'], { type: 'text/plain' }), 'harbor.txt')
    const headers = { cookie: person.cookie, 'x-project-id': person.projectId }
    const added = await fetch(`${person.url}/artifacts`, { method: 'POST', headers, body: form })
    expect(added.status).toBe(201)
    const { data } = await json(added)
    const address = `${person.url}/artifacts/${data.id}/content?project_id=${person.projectId}`
    const { cookie } = person
    const content = await fetch(address, { headers: { cookie } })
    expect([content.status, await content.text()]).toEqual([200, 'Harbor'])
    expect(content.headers.get('content-disposition')).toContain('attachment')
    expect((await fetch(address)).status).toBe(401)
    const other = await signedIn(workspace)
    expect((await fetch(address, { headers: { cookie: other.cookie } })).status).toBe(404)
    const written = await fetch(address, { method: 'DELETE', headers: { cookie } })
    expect(written.status).not.toBe(200)
  })
})
