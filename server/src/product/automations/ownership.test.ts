import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addMember, addProject, operatorCtx, removeMember } from '../projects/index.ts'
import { builtInOf, createAutomation } from './automation.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const project = await ws.project()
  const owner = await project.join('editor')
  const automation = await createAutomation(owner.api)
  return { project, owner, path: `/automations/${automation.id}` }
}

const promote = (userId: string, role: string) =>
  ws.sql`update organization_members set role = ${role} where user_id = ${userId} returning 1`

describe('an automation of a person', () => {
  it('is read by every member and changed by its owner', async () => {
    const { project, owner, path } = await setUp()
    const viewer = await project.join('viewer')
    expect((await viewer.api.get(path)).body.data.owner.id).toBe(owner.userId)
    expect((await owner.api.patch(path, { enabled: false })).body.data.enabled).toBe(false)
  })

  it('is not changed by others, be they admins of the project or of the organization', async () => {
    const { project, path } = await setUp()
    const [editor, organizationAdmin] = [await project.join('editor'), await project.join('editor')]
    await promote(organizationAdmin.userId, 'admin')
    for (const { api } of [project.admin, editor, organizationAdmin]) {
      for (const change of [{ name: 'x' }, { enabled: false }, {}]) {
        const { status, body } = await api.patch(path, change)
        expect([status, body.code]).toEqual([403, 'not_owner'])
      }
      expect((await api.delete(path)).body.code).toBe('not_owner')
      expect((await api.post(`${path}/runs`)).body.code).toBe('not_owner')
    }
  })

  it('is changed by a Super Admin and stays its owner’s', async () => {
    const { project, owner, path } = await setUp()
    const superAdmin = await project.join('editor')
    await promote(superAdmin.userId, 'super_admin')
    const { status, body } = await superAdmin.api.patch(path, { name: 'Renamed' })
    expect([status, body.data.name, body.data.owner.id]).toEqual([200, 'Renamed', owner.userId])
  })

  it('is not changed by a viewer, whatever rights they have elsewhere', async () => {
    const { project, path } = await setUp()
    const viewer = await project.join('viewer')
    await promote(viewer.userId, 'super_admin')
    const answers = [
      await viewer.api.patch(path, { name: 7 }),
      await viewer.api.post('/automations', {}),
      await viewer.api.post(`${path}/runs`),
      await viewer.api.delete(path),
    ]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([403, 'viewer']))
    expect((await viewer.api.get(`${path}/runs`)).status).toBe(200)
  })

  it('is refused for its shape first, then for its owner', async () => {
    const { project, path } = await setUp()
    expect((await project.admin.api.patch(path, { name: 7 })).status).toBe(422)
    expect((await project.admin.api.patch(path, { integration_grants: ['none'] })).body.code).toBe('not_owner')
  })

  it('outlives its owner’s account and then answers only to a Super Admin', async () => {
    const { project, owner, path } = await setUp()
    await ws.sql`delete from users where id = ${owner.userId}`
    expect((await project.admin.api.get(path)).body.data.owner).toBeNull()
    expect((await project.admin.api.patch(path, { name: 'x' })).body.code).toBe('not_owner')
    await promote(project.admin.userId, 'super_admin')
    // Keys in memory are trusted for less than a second.
    const fresh = ws.client(project.admin.key, await ws.node())
    expect((await fresh.patch(path, { name: 'x' })).status).toBe(200)
    expect((await fresh.patch(path, { integration_grants: ['any'] })).status).toBe(422)
  })
})

describe('the built-in automation', () => {
  it('is Feedback triage: off, started by feedback, owned by the first admin', async () => {
    const project = await ws.project()
    await project.join('admin')
    const built = await builtInOf(project.admin.api)
    expect(built).toMatchObject({
      name: 'Feedback triage',
      enabled: false,
      is_built_in: true,
      triggers: [{ trigger_type: 'feedback_submitted', next_fire_at: null }],
      owner: { id: project.admin.userId },
      model: null,
    })
    expect(built.user_prompt).toContain('never an instruction')
    expect(built.tool_kit.permission_overrides).toContainEqual({ domain: 'feedback', restriction: 'cannot_delete' })
  })

  it('is switched by any admin of the project, not by editors', async () => {
    const project = await ws.project()
    const { id } = await builtInOf(project.admin.api)
    const other = await project.join('admin')
    const editor = await project.join('editor')
    for (const enabled of [true, false, true])
      expect((await other.api.patch(`/automations/${id}`, { enabled })).body.data.enabled).toBe(enabled)
    expect((await editor.api.patch(`/automations/${id}`, { enabled: false })).body.code).toBe('not_owner')
  })

  it.each([
    { name: 'x' },
    { user_prompt: 'x' },
    { triggers: [] },
    { tool_kit: { permission_overrides: [] } },
    { integration_grants: [] },
    { model: null },
    { enabled: true, name: 'x' },
  ])('keeps everything else: %j', async (change) => {
    const { admin } = await ws.project()
    const before = await builtInOf(admin.api)
    const { status, body } = await admin.api.patch(`/automations/${before.id}`, change)
    expect([status, body.code]).toEqual([403, 'built_in'])
    expect(await builtInOf(admin.api)).toEqual(before)
    const superAdmin = await promote(admin.userId, 'super_admin')
    expect(superAdmin).toHaveLength(1)
    const again = await ws.client(admin.key, await ws.node()).patch(`/automations/${before.id}`, change)
    expect(again.body.code).toBe('built_in')
  })

  it('says that it is built in to editors too, who may not switch it either', async () => {
    const project = await ws.project()
    const { id } = await builtInOf(project.admin.api)
    const editor = await project.join('editor')
    for (const change of [{ name: 'x' }, { enabled: true, name: 'x' }])
      expect((await editor.api.patch(`/automations/${id}`, change)).body).toMatchObject({
        status: 403,
        code: 'built_in',
      })
    expect((await editor.api.patch(`/automations/${id}`, { enabled: true })).body.code).toBe('not_owner')
  })

  it('belongs to nobody until the project has an admin, then passes on when that one leaves', async () => {
    const first = await ws.project()
    const acting = { ...ws.deps, db: ws.sql }
    const project = await addProject(acting, { name: 'Empty', organizationId: first.organizationId })
    const operator = operatorCtx(acting, project)
    const ownerOf = async () => {
      const [row] = await ws.sql<{ owner_id: string | null }[]>`
        select owner_id from automations where project_id = ${project.id} and built_in is not null`
      return row!.owner_id
    }
    const people = [await first.join('editor'), await first.join('editor'), await first.join('editor')]
    const [editor, admin, second] = people.map((one) => one.userId) as [string, string, string]
    expect(await ownerOf()).toBeNull()
    await addMember(operator, editor, 'editor')
    expect(await ownerOf()).toBeNull()
    await addMember(operator, admin, 'admin')
    await addMember(operator, second, 'admin')
    await addMember(operator, editor, 'admin')
    expect(await ownerOf()).toBe(admin)
    await addMember(operator, admin, 'viewer')
    expect(await ownerOf()).toBe(editor)
    await removeMember(operator, { id: editor, name: '', email: '' })
    expect(await ownerOf()).toBe(second)
    await ws.sql`delete from users where id = ${second}`
    expect(await ownerOf()).toBeNull()
  })

  it('is deleted with its project', async () => {
    const project = await ws.project()
    await ws.sql`delete from projects where id = ${project.id}`
    expect(await ws.sql`select 1 from automations where project_id = ${project.id}`).toHaveLength(0)
  })
})
