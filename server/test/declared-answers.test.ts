import { text } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, signedIn } from '../src/product/conversations/person.factory.ts'
import { type Member, openWorkspace, type Workspace } from './harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document is looked into freely
type Document = any

let workspace: Workspace
let admin: Member
let viewer: Member
let document: Document
let signedInPerson: Person
let appDocument: Document
beforeAll(async () => {
  workspace = await openWorkspace({ bodyLimitBytes: 10_000 })
  const project = await workspace.project()
  admin = project.admin
  viewer = await project.join('viewer')
  document = (await admin.api.get('/openapi.json')).body
  signedInPerson = await signedIn(workspace)
  appDocument = (await admin.api.get('/v2/app-api/openapi.json')).body
  Object.assign(appDocument.paths, underAppApi(document))
})
afterAll(() => workspace.close())

/** The app API has these operations too. Sessions, projects and pages are refused in ways that keys are not. */
function underAppApi({ paths }: Document): Document {
  const also = { 403: {}, 404: {}, 422: {} }
  return Object.fromEntries(
    Object.entries<Document>(paths).map(([path, methods]) => [
      path.replace('/external-api/', '/app-api/'),
      Object.fromEntries(
        Object.entries<Document>(methods).map(([method, { responses }]) => [
          method,
          { responses: { ...responses, ...also } },
        ]),
      ),
    ]),
  )
}

const NEVER = '019a84d2-7c5e-7b31-9a60-2f4f5f6f7a81'
const JSON_TYPE = { 'content-type': 'application/json' }

interface Attempt {
  /** The value of each parameter in the path. */
  at?: string
  as?: () => Member | undefined
  headers?: Record<string, string>
  payload?: string
}

/** Requests that provoke refusals before and inside an operation. */
const ATTEMPTS: Record<string, Attempt> = {
  'no key': { as: () => undefined },
  'the key of a viewer': { as: () => viewer, headers: JSON_TYPE, payload: '{}' },
  'a path that is not validly encoded': { at: '%zz' },
  'an id that is none': { at: 'none' },
  'a parameter of 5,000 characters': { at: 'x'.repeat(5_000) },
  'a query of junk': { at: `${NEVER}?page=x&page_size=0&cursor=x&status=x&before_event_id=x&expand_context=x` },
  'another content type': { headers: { 'content-type': 'text/plain' }, payload: 'x' },
  'a form': { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: 'a=b' },
  'a broken upload': { headers: { 'content-type': 'multipart/form-data; boundary=b' }, payload: 'x' },
  'a body that is too large': { headers: JSON_TYPE, payload: JSON.stringify({ x: 'x'.repeat(10_000) }) },
  'broken JSON': { headers: JSON_TYPE, payload: '{' },
  'no body': { headers: JSON_TYPE },
  'an empty object': { headers: JSON_TYPE, payload: '{}' },
  'unknown fields': { headers: JSON_TYPE, payload: '{"unknown":1}' },
  'no object': { headers: JSON_TYPE, payload: '[]' },
  'a length that is wrong': { headers: { ...JSON_TYPE, 'content-length': '3' }, payload: '{}' },
  'an Idempotency-Key that is too long': {
    headers: { ...JSON_TYPE, 'idempotency-key': 'x'.repeat(256) },
    payload: '{}',
  },
  'an ETag of long ago': { headers: { ...JSON_TYPE, 'if-match': '"old"', 'if-none-match': '"old"' }, payload: '{}' },
}

/** Tries it on every operation of a document. Returns the answers that the document does not declare. */
async function undeclaredBy({ paths }: Document, attempt: Attempt, credentials: Record<string, string>) {
  const undeclared: string[] = []
  for (const [path, methods] of Object.entries<Document>(paths))
    for (const [method, operation] of Object.entries<Document>(methods)) {
      const [parameter, query] = (attempt.at ?? NEVER).split('?') as [string, string | undefined]
      const res = await workspace.app.inject({
        method: method.toUpperCase() as InjectOptions['method'] & string,
        url: `${path.replace(/\{\w+\}/g, parameter)}${query ? `?${query}` : ''}`,
        headers: { ...credentials, ...attempt.headers },
        ...(attempt.payload === undefined || method === 'get' ? {} : { payload: attempt.payload }),
        // A stream of events has no end: its status is known before its body.
        payloadAsStream: true,
      })
      const body = res.stream()
      if (!Object.keys(operation.responses).includes(String(res.statusCode)))
        undeclared.push(`${method} ${path}: ${res.statusCode} ${(await text(body)).slice(0, 100)}`)
      body.destroy()
    }
  return undeclared
}

test.each(Object.entries(ATTEMPTS))('every operation answers %s with a status that it declares', async (_, attempt) => {
  const member = attempt.as ? attempt.as() : admin
  expect(await undeclaredBy(document, attempt, member ? { 'x-api-key': member.key } : {})).toEqual([])
})

const ENDING = ['/v2/app-api/session', '/v2/app-api/account/sessions']

/** Signing out ends the session that the other operations need. */
const withoutSignOut = ({ paths }: Document) => ({
  paths: Object.fromEntries(
    Object.entries<Document>(paths).map(([path, { delete: ending, ...others }]) => [
      path,
      ENDING.includes(path) || !ending ? others : { ...others, delete: ending },
    ]),
  ),
})

test.each(Object.entries(ATTEMPTS).filter(([, { as }]) => as?.() === undefined))(
  'every operation of the app API answers %s with a status that it declares',
  async (_, attempt) => {
    const { cookie, projectId } = signedInPerson
    const credentials = attempt.as ? {} : { cookie, 'x-project-id': projectId }
    expect(await undeclaredBy(withoutSignOut(appDocument), attempt, credentials)).toEqual([])
  },
)
