import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { createAutomation } from './automation.factory.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

async function setUp() {
  const project = await ws.project()
  const { admin } = project
  const connect = (id: string, ownerId = admin.userId) => ws.sql`
    insert into integrations (project_id, id, owner_id, display_name, url)
    values (${project.id}, ${id}, ${ownerId}, ${`Tracker ${id}`}, 'http://127.0.0.1:1')`
  await connect('one')
  await connect('two')
  return { project, admin, connect }
}

const shown = (id: string, is_connected = true, tools: string[] | null = null) => ({
  object: 'connected_integration_grant',
  id,
  display_name: `Tracker ${id}`,
  is_connected,
  tools,
})

describe('integration grants', () => {
  it('are none unless given; ids and objects with an id are taken, each once, in their order', async () => {
    const { admin } = await setUp()
    expect((await createAutomation(admin.api)).integration_grants).toEqual([])
    const made = await createAutomation(admin.api, { integration_grants: ['two', { id: 'one' }, 'two'] })
    expect(made.integration_grants).toEqual([shown('two'), shown('one')])
  })

  it('are replaced as a whole, and kept when they are not given', async () => {
    const { admin } = await setUp()
    const { id } = await createAutomation(admin.api, { integration_grants: ['one'] })
    const patch = async (change: object) =>
      (await admin.api.patch(`/automations/${id}`, change)).body.data.integration_grants
    expect(await patch({ name: 'x' })).toEqual([shown('one')])
    expect(await patch({ integration_grants: [{ id: 'two' }] })).toEqual([shown('two')])
    expect(await patch({ integration_grants: [] })).toEqual([])
  })

  it('can be for some of the tools only', async () => {
    const { admin } = await setUp()
    const { id } = await createAutomation(admin.api, { integration_grants: [{ id: 'one', tools: ['find'] }, 'two'] })
    const { data } = (await admin.api.get(`/automations/${id}`)).body
    expect(data.integration_grants).toEqual([shown('one', true, ['find']), shown('two')])
    const all = await admin.api.patch(`/automations/${id}`, { integration_grants: ['one', 'two'] })
    expect(all.body.data.integration_grants).toEqual([shown('one'), shown('two')])
    const [{ count }] = (await ws.sql`select count(*)::int from events
      where kind = 'automation.updated' and subject_id = ${id}`) as never as [{ count: number }]
    expect(count).toBe(1)
  })

  it('stay visible when the integration is gone, and cannot be given again', async () => {
    const { project, admin } = await setUp()
    const { id } = await createAutomation(admin.api, { integration_grants: ['one'] })
    await ws.sql`update integrations set removed_at = now() where project_id = ${project.id} and id = 'one'`
    const { data } = (await admin.api.get(`/automations/${id}`)).body
    expect(data.integration_grants).toEqual([shown('one', false)])
    expect((await admin.api.patch(`/automations/${id}`, { integration_grants: ['one'] })).status).toBe(422)
  })

  it('are only for what the owner has connected, also when a Super Admin writes', async () => {
    const { project, admin, connect } = await setUp()
    const owner = await project.join('editor')
    await connect('three', owner.userId)
    await ws.sql`update organization_members set role = 'super_admin' where user_id = ${admin.userId}`
    const { id } = await createAutomation(owner.api)
    const api = ws.client(admin.key, await ws.node())
    const refused = await api.patch(`/automations/${id}`, { integration_grants: ['three', 'one'] })
    expect([refused.status, refused.body.errors.length, refused.body.errors[0].pointer]).toEqual([
      422,
      1,
      '/integration_grants/1',
    ])
    const granted = await api.patch(`/automations/${id}`, { integration_grants: ['three'] })
    expect(granted.body.data.integration_grants).toEqual([shown('three')])
  })
})
