import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { signedInMember } from './visitor.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

let names = 0
const newName = () => `Quay ${++names}`

describe('a project', () => {
  test('is opened by an admin beside their own, with everything a project has and nobody else in it', async () => {
    const admin = await signedInMember(workspace, await workspace.project(), 'admin')
    const name = newName()
    const { status, body } = await admin.call('POST', '/projects', { name: ` ${name} ` })
    expect(status).toBe(201)
    expect(body.data.name).toBe(name)
    const session = (await admin.call('GET', '/session')).body.data
    expect(session.projects).toContainEqual({ id: body.data.id, name, role: 'admin' })
    admin.at(body.data)
    expect((await admin.call('GET', '/members')).body.items).toMatchObject([{ user: { id: admin.user.id } }])
    expect((await admin.call('GET', '/automations')).body.items).toHaveLength(1)
    const events = (await admin.call('GET', '/events')).body.items
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'project.created', actor: expect.objectContaining({ id: admin.user.id }) }),
    )
  })

  test('is renamed by an admin, to a name that no other project of the organization has', async () => {
    const project = await workspace.project()
    const admin = await signedInMember(workspace, project, 'admin')
    const [name, taken] = [newName(), newName()]
    await admin.call('POST', '/projects', { name: taken })
    expect((await admin.call('PATCH', '/project', { name })).body.data).toEqual({ id: project.id, name })
    expect(await admin.call('PATCH', '/project', { name: taken.toUpperCase() })).toMatchObject({
      status: 409,
      body: { code: 'already_exists' },
    })
    expect(await admin.call('POST', '/projects', { name })).toMatchObject({ status: 409 })
    const { projects } = (await admin.call('GET', '/session')).body.data
    expect(projects.map((one: { name: string }) => one.name)).toEqual([name, taken].sort())
    const events = (await admin.call('GET', '/events')).body.items
    expect(events).toContainEqual(
      expect.objectContaining({ kind: 'project.renamed', payload: { from: project.name, to: name } }),
    )
  })

  test('is neither opened nor renamed by an editor, or without a name', async () => {
    const project = await workspace.project()
    const editor = await signedInMember(workspace, project, 'editor')
    const admin = await signedInMember(workspace, project, 'admin')
    for (const [method, path] of [
      ['POST', '/projects'],
      ['PATCH', '/project'],
    ] as const) {
      expect(await editor.call(method, path, { name: newName() })).toMatchObject({ status: 403 })
      for (const name of ['', '  ', null, 7, 'x'.repeat(201), 'a\u0000b'])
        expect(await admin.call(method, path, { name }), JSON.stringify(name)).toMatchObject({ status: 422 })
    }
  })
})
