import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, onTestFinished, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { fillDemo } from '../../../demo/index.ts'
import { openTab } from '../../../faces/app-api/live/stream.factory.ts'
import { openVisitor, signedInMember } from '../../../faces/app-api/visitor.factory.ts'
import type { JobDeps } from '../../../kernel/slice.ts'
import { createFile } from '../../artifacts/artifact.factory.ts'
import { createAutomation, startNode, startRun, succeededOutcome } from '../../automations/automation.factory.ts'
import { addBlueprint, openDocument } from '../../live-texts/live.factory.ts'
import { addWebhook, receiver, setUp } from '../../webhooks/webhook.factory.ts'
import { addMember, listProjects, loadProject } from '../index.ts'
import { REMOVE_DELETED } from './removal.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
  await workspace.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => workspace.close())

type Project = Awaited<ReturnType<Workspace['project']>>
type Person = Awaited<ReturnType<typeof signedInMember>>

let names = 0
/** An admin of the project who has another one beside it. */
async function adminElsewhere(project: Project, at = workspace): Promise<Person & { otherId: string }> {
  const admin = await signedInMember(at, project, 'admin')
  const { body } = await admin.call('POST', '/projects', { name: `Quay ${++names}` })
  return { ...admin, otherId: body.data.id }
}

const remove = ({ call }: Pick<Person, 'call'>, name: string) =>
  call('DELETE', `/project?name=${encodeURIComponent(name)}`)

const removeDeleted = (at = workspace, deps: Partial<JobDeps> = {}) =>
  at.deps.wiring.jobs.get(REMOVE_DELETED)!.run({}, { ...at.deps, log: { ...console, info: () => undefined }, ...deps })

/** How many rows of a project each table has. */
async function rowsOf({ sql }: Workspace, projectId: string): Promise<Record<string, number>> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.columns
    where table_schema = 'public' and column_name = 'project_id' order by 1`
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await sql.pool.query(`select count(*)::int as n from ${name} where project_id = $1`, [projectId])
    if (rows[0].n > 0) counts[name] = rows[0].n
  }
  return counts
}

const filesOf = async ({ store }: Workspace, projectId: string) => {
  const found: string[] = []
  for await (const { key } of store.list(`${store.installationId}/`)) if (key.includes(projectId)) found.push(key)
  return found
}

test('everything of a deleted project goes, rows and files, and nothing of another one', async () => {
  const ws = await openWorkspace()
  onTestFinished(ws.close)
  const demo = await fillDemo({ ...ws.deps, db: ws.sql })
  const ada = openVisitor(ws.app)
  await ada.signIn('ada@harbor.example', demo.password)
  ada.at({ id: demo.projectId })
  const { body: other } = await ada.call('POST', '/projects', { name: 'Quay' })
  // More rows than are deleted at a time.
  await ws.sql`
    insert into events (project_id, kind, subject_type, subject_id, origin, request_id, payload)
    select ${demo.projectId}, 'work_order.updated', 'work_order', gen_random_uuid(), 'user', 'x', '{"fields": ["title"]}'
    from generate_series(1, 4500)`
  const neighbour = await rowsOf(ws, other.data.id)
  expect(Object.keys(await rowsOf(ws, demo.projectId)).length).toBeGreaterThan(30)
  expect((await filesOf(ws, demo.projectId)).length).toBeGreaterThan(0)

  const { body: contents } = await ada.call('GET', '/project/contents')
  expect(contents.data).toMatchObject({ counts: { work_order: 58, feedback_item: 214 }, members: expect.any(Number) })
  expect(contents.data.left_without_project).toBe(contents.data.members - 1)
  expect(await remove(ada, 'Harbor Checkout')).toMatchObject({ status: 204 })
  expect((await ada.call('GET', '/work_orders')).status).toBe(404)
  expect((await ws.client(demo.externalKey).get('/work_orders')).status).toBe(401)
  expect((await ada.call('GET', '/session')).body.data.projects).toMatchObject([{ id: other.data.id }])
  expect((await listProjects(ws.sql)).map(({ id }) => id)).toEqual([other.data.id])
  await expect(loadProject(ws.sql, demo.projectId)).rejects.toMatchObject({ status: 404 })

  await removeDeleted(ws)
  expect(await rowsOf(ws, demo.projectId)).toEqual({})
  expect(await filesOf(ws, demo.projectId)).toEqual([])
  expect(await ws.sql`select 1 from projects where id = ${demo.projectId}`).toHaveLength(0)
  expect(await rowsOf(ws, other.data.id)).toEqual(neighbour)
  const [told] = await ws.sql<{ payload: object; user_id: string }[]>`
    select payload, user_id from organization_events where kind = 'project.deleted' and subject_id = ${demo.projectId}`
  expect(told).toMatchObject({
    payload: { name: 'Harbor Checkout', members: contents.data.members, counts: contents.data.counts },
    user_id: expect.any(String),
  })
}, 120_000)

describe('deleting is refused', () => {
  test('to everyone but admins, and to strangers the project does not exist', async () => {
    const project = await workspace.project()
    await adminElsewhere(project)
    const stranger = await adminElsewhere(await workspace.project())
    stranger.at(project)
    for (const [person, status] of [
      [await signedInMember(workspace, project, 'editor'), 403],
      [await signedInMember(workspace, project, 'viewer'), 403],
      [stranger, 404],
      [openVisitor(workspace.app), 401],
    ] as const) {
      expect((await remove(person, project.name)).status).toBe(status)
      expect((await person.call('GET', '/project/contents')).status).toBe(status)
    }
    expect((await project.admin.api.get('/work_orders')).status).toBe(200)
  })

  test('without the name, and with another one', async () => {
    const project = await workspace.project()
    const admin = await adminElsewhere(project)
    for (const name of ['', '  ', 'Quay', project.name.toUpperCase(), `${project.name}s`])
      expect(await remove(admin, name), name).toMatchObject({ status: 422, body: { code: 'invalid_request' } })
    expect((await admin.call('DELETE', '/project')).status).toBe(422)
    expect((await project.admin.api.get('/work_orders')).status).toBe(200)
    expect((await remove(admin, ` ${project.name} `)).status).toBe(204)
  })

  test('to someone who would be left without a project, and the last one of an organization stays', async () => {
    const project = await workspace.project()
    const admin = await signedInMember(workspace, project, 'admin')
    expect(await remove(admin, project.name)).toMatchObject({ status: 409, body: { code: 'last_project' } })
    // A project of another organization is no place for the people of this one.
    const elsewhere = await workspace.project()
    await addMember(elsewhere.operator, admin.user.id, 'admin')
    expect(await remove(admin, project.name)).toMatchObject({ status: 409, body: { code: 'last_project' } })
    await admin.call('POST', '/projects', { name: `Quay ${++names}` })
    expect((await remove(admin, project.name)).status).toBe(204)
  })
})

describe('at the same time', () => {
  test('one of two admins deletes it, and to the other one it is gone', async () => {
    const project = await workspace.project()
    const admins = [await adminElsewhere(project), await adminElsewhere(project)]
    const answers = await Promise.all(admins.map((admin) => remove(admin, project.name)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })

  test('someone with two projects cannot delete both', async () => {
    const project = await workspace.project()
    const admin = await signedInMember(workspace, project, 'admin')
    const name = `Quay ${++names}`
    const other = (await admin.call('POST', '/projects', { name })).body.data
    const again = openVisitor(workspace.app)
    await again.signIn(admin.user.email)
    again.at(other)
    const answers = await Promise.all([remove(admin, project.name), remove(again, name)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect((await admin.call('GET', '/session')).body.data.projects).toHaveLength(1)
  })
})

test('its name is free at once, and no invite link or key of it works', async () => {
  const project = await workspace.project()
  const admin = await adminElsewhere(project)
  const link = (await admin.call('POST', '/invitations', { role: 'editor' })).body.data.url as string
  const token = link.split('/').at(-1)
  const openLink = () => openVisitor(workspace.app).call('POST', '/invitations/open', { token })
  const reporter = await project.join('editor', 'reporting')
  const report = () =>
    workspace.client(reporter.key).post('/v2/reporting-api/feedback', {
      end_user_email: 'grace@example.org',
      content: 'Too slow',
    })
  expect([(await openLink()).status, (await report()).status]).toEqual([200, 201])
  expect((await remove(admin, project.name)).status).toBe(204)
  admin.at({ id: admin.otherId })
  expect((await admin.call('POST', '/projects', { name: project.name })).status).toBe(201)
  expect((await openLink()).status).toBe(404)
  await eventually(async () => (await project.admin.api.get('/work_orders')).status === 401)
  await eventually(async () => (await report()).status === 401)
})

test('open tabs are told who deleted it, and then hear nothing more', async () => {
  const project = await workspace.project()
  const admin = await adminElsewhere(project)
  const reader = await signedInMember(workspace, project, 'viewer')
  const cookie = [...reader.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const tab = await openTab({ cookie, projectId: project.id }, workspace.app)
  expect((await remove(admin, project.name)).status).toBe(204)
  const { data } = await tab.change(project.id)
  expect(data).toMatchObject({
    kind: 'project.deleted',
    actor: { id: admin.user.id },
    payload: { name: project.name },
  })
  await eventually(() => tab.isOver)
  const { port } = workspace.app.server.address() as AddressInfo
  const again = await fetch(`http://127.0.0.1:${port}/v2/app-api/stream?project_id=${project.id}`, {
    headers: { cookie },
  })
  expect(again.status).toBe(404)
})

test('live editing ends, and what is typed last brings nothing back', async () => {
  const project = await workspace.project()
  const admin = await adminElsewhere(project)
  const id = await addBlueprint(project.admin, 'one\n')
  const editor = await openDocument(workspace.app, project.admin, id)
  editor.type(0, ' more')
  expect((await remove(admin, project.name)).status).toBe(204)
  editor.type(0, ' and late')
  await removeDeleted()
  await eventually(() => editor.closeCode() === 4401 || editor.closeCode() === 4404)
  await eventually(() => editor.refusal() !== undefined)
  expect(await rowsOf(workspace, project.id)).toEqual({})
})

test('a run is cancelled, and none starts any more', async () => {
  const project = await workspace.project()
  const admin = await adminElsewhere(project)
  const { id } = await createAutomation(project.admin.api)
  let isStarted = false
  let reason: unknown
  const node = startNode(workspace, {
    execute: (_deps, _claimed, signal) => {
      isStarted = true
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          reason = signal.reason
          resolve(succeededOutcome({ status: 'cancelled', error: null }))
        }),
      )
    },
  })
  onTestFinished(() => node.stop(1_000))
  await startRun(project.admin.api, id)
  await eventually(() => isStarted)
  await startRun(project.admin.api, id)
  expect((await remove(admin, project.name)).status).toBe(204)
  await eventually(() => reason !== undefined)
  expect(reason).toBe('cancelled')
  const waiting = await workspace.sql`
    select 1 from automation_runs where project_id = ${project.id} and status = 'scheduled'`
  expect(waiting).toHaveLength(0)
  await removeDeleted()
})

test('its webhooks hear nothing more, not even of its end', async () => {
  const { ws, project, api, node } = await setUp()
  const hook = await receiver()
  await addWebhook(api, hook.url)
  node()
  await api.post('/blueprints', { title: 'Before', markdown_content: 'x\n' })
  await eventually(() => hook.kinds().includes('blueprint.created'))
  const admin = await adminElsewhere(project, ws)
  await eventually(() => hook.kinds().includes('project_member.added'))
  const heard = hook.messages.length
  expect((await remove(admin, project.name)).status).toBe(204)
  // Another project's webhook shows that the node has gone on.
  const neighbour = await ws.project()
  const second = await receiver()
  await addWebhook(neighbour.admin.api, second.url)
  await neighbour.admin.api.post('/blueprints', { title: 'After', markdown_content: 'x\n' })
  await eventually(() => second.kinds().includes('blueprint.created'))
  expect(hook.messages).toHaveLength(heard)
})

test('a removal that breaks off is finished by the next one', async () => {
  const project = await workspace.project()
  const admin = await adminElsewhere(project)
  await addBlueprint(project.admin, 'one\n')
  await createFile(project.admin.api)
  expect((await remove(admin, project.name)).status).toBe(204)
  const broken = { ...workspace.store, remove: () => Promise.reject(new Error('The bucket is away.')) }
  await expect(removeDeleted(workspace, { store: broken })).rejects.toThrow('The bucket is away.')
  expect(await filesOf(workspace, project.id)).toHaveLength(1)
  // Another node does not touch it while the first one may still work on it.
  await removeDeleted()
  expect(await workspace.sql`select 1 from projects where id = ${project.id}`).toHaveLength(1)
  await workspace.sql`update projects set removed_until = now() where id = ${project.id}`
  await removeDeleted()
  expect(await filesOf(workspace, project.id)).toEqual([])
  expect(await workspace.sql`select 1 from projects where id = ${project.id}`).toHaveLength(0)
})
