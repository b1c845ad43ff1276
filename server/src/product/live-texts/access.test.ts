import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { eventually, type Member, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { revokeKey } from '../projects/index.ts'
import { addBlueprint, listen, openDocument, openEditor } from './live.factory.ts'

let workspace: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
let admin: Member
let id: string
let url: string

beforeAll(async () => {
  workspace = await openWorkspace()
  project = await workspace.project()
  admin = project.admin
  id = await addBlueprint(admin, 'one\n\ntwo\n')
  url = await listen(workspace.app)
})
afterAll(() => workspace.close())

const contentOf = async (of: string) => (await admin.api.get(`/blueprints/${of}`)).body.data.markdown_content as string

describe('opening a document', () => {
  test('gets the same refusal for an unknown key, another project and a missing document', async () => {
    const stranger = (await workspace.project()).admin
    const reporter = await project.join('editor', 'reporting')
    const missing = '00000000-0000-7000-8000-000000000000'
    const attempts = [
      { token: '', name: `blueprint/${id}` },
      { token: `sofa-ext-${'x'.repeat(43)}`, name: `blueprint/${id}` },
      { token: reporter.key, name: `blueprint/${id}` },
      { token: stranger.key, name: `blueprint/${id}` },
      { token: admin.key, name: `blueprint/${missing}` },
      { token: admin.key, name: `requirements_document/${id}` },
      { token: admin.key, name: `blueprint/${id.toUpperCase()}` },
      { token: admin.key, name: id },
      { token: admin.key, name: '' },
    ].map((attempt) => openEditor({ url, ...attempt }))
    await eventually(() => attempts.every((attempt) => attempt.refusal() !== undefined))
    expect(new Set(attempts.map((attempt) => attempt.refusal()))).toEqual(new Set(['permission-denied']))
    for (const attempt of attempts) expect([attempt.text(), attempt.provider.isSynced]).toEqual(['', false])
  })

  test('works with the key in a header, as in the API', async () => {
    for (const headers of [{ 'x-api-key': admin.key }, { authorization: `Bearer ${admin.key}` }]) {
      const person = openEditor({ url, headers, name: `blueprint/${id}` })
      await eventually(() => person.provider.isSynced)
      expect(person.text()).toBe('one\ntwo')
    }
  })

  test('works for both kinds of documents', async () => {
    const { body } = await admin.api.post('/requirements', {
      title: 'Sign in',
      document_type: 'FEATURE',
      markdown_content: 'A code.\n',
    })
    const person = await openDocument(workspace.app, admin, body.data.id, 'requirements_document')
    expect(person.text()).toBe('A code.')
  })
})

test('a viewer sees what others type and cannot type', async () => {
  const open = await addBlueprint(admin, 'one\n\ntwo\n')
  const viewer = await openDocument(workspace.app, await project.join('viewer'), open)
  const person = await openDocument(workspace.app, admin, open)
  viewer.type(0, ' hidden')
  person.type(1, ' shown')
  await eventually(() => viewer.text().includes('two shown'))
  await eventually(async () => (await contentOf(open)).includes('two shown'))
  expect(viewer.provider.authorizedScope).toBe('readonly')
  expect(person.text()).toBe('one\ntwo shown')
  expect(await contentOf(open)).toBe('one\n\ntwo shown\n')
})

test('a member who becomes a viewer can no longer type', async () => {
  const open = await addBlueprint(admin, 'one\n')
  const member = await project.join('editor')
  const person = await openDocument(workspace.app, member, open)
  const witness = await openDocument(workspace.app, admin, open)
  await workspace.sql`update project_members set role = 'viewer' where user_id = ${member.userId}`
  let typed = 0
  await eventually(async () => {
    person.type(0, `<${++typed}>`)
    await eventually(() => !person.provider.hasUnsyncedChanges, 200).catch(() => undefined)
    return person.provider.hasUnsyncedChanges
  }, 5_000)
  expect(witness.text()).not.toContain(`<${typed}>`)
})

test('the connections of a revoked key end within about a second, and typing is kept', async () => {
  const open = await addBlueprint(admin, 'one\n')
  const member = await project.join('editor')
  const person = await openDocument(workspace.app, member, open)
  person.type(0, ' typed')
  await eventually(person.isSent)
  await revokeKey(project.operator, member.keyId)
  const revokedAt = Date.now()
  await eventually(() => person.closeCode() === 4401)
  expect(Date.now() - revokedAt).toBeLessThan(2_500)
  await eventually(() => person.refusal() === 'permission-denied')
  expect(await contentOf(open)).toBe('one typed\n')
})

test('deleting a document closes its connections', async () => {
  const open = await addBlueprint(admin, 'one\n')
  const person = await openDocument(workspace.app, admin, open)
  person.type(0, ' typed')
  await admin.api.delete(`/blueprints/${open}`)
  await eventually(() => person.closeCode() === 4404)
  await eventually(() => person.refusal() === 'permission-denied')
})

test.for(['/', '/v2/external-api/health', '/collaboration'])('there is no socket at %s', async (path) => {
  const { port } = workspace.app.server.address() as AddressInfo
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`)
  const status = await new Promise((resolve) => {
    socket.on('unexpected-response', (_req, res) => resolve(res.statusCode))
    socket.on('error', () => undefined)
  })
  expect(status).toBe(404)
})

test('a socket that sends garbage is closed and affects nobody else', async () => {
  const socket = new WebSocket(url)
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('open', resolve))
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.send(Buffer.from([255, 255, 255, 1, 2, 3]))
  await closed
  expect((await admin.api.get('/health')).status).toBe(200)
})
