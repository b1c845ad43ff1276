import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { signedInMember } from './visitor.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

async function team() {
  const project = await workspace.project()
  const admin = await signedInMember(workspace, project, 'admin')
  // The admin that every project of the harness has.
  await admin.call('DELETE', `/members/${project.admin.userId}`)
  const editor = await signedInMember(workspace, project, 'editor')
  return { project, admin, editor }
}

/** Other nodes may take up to a second. */
const isRefused = async (key: string) => (await workspace.client(key).get('/users')).status === 401

describe('members', () => {
  test('are listed with their roles and what acts for them', async () => {
    const { admin, editor } = await team()
    await editor.call('POST', '/api_keys', { name: 'Mine' })
    const { items } = (await editor.call('GET', '/members')).body
    expect(items).toMatchObject([
      { user: { id: admin.user.id }, role: 'admin', is_last_admin: true, sessions: 1, keys: 0, automations: 0 },
      { user: { id: editor.user.id }, role: 'editor', is_last_admin: false, sessions: 1, keys: 1 },
    ])
    expect(items[1].last_active_at).toMatch(/^\d{4}-/)
  })

  test('get another role from an admin, and not from an editor or a stranger', async () => {
    const { admin, editor } = await team()
    const changed = await admin.call('PATCH', `/members/${editor.user.id}`, { role: 'viewer' })
    expect(changed.body.data).toMatchObject({ role: 'viewer' })
    const refused = await editor.call('PATCH', `/members/${editor.user.id}`, { role: 'admin' })
    expect(refused).toMatchObject({ status: 403, body: { code: 'viewer' } })
    const other = await team()
    expect((await other.admin.call('PATCH', `/members/${editor.user.id}`, { role: 'admin' })).status).toBe(404)
    expect((await other.editor.call('DELETE', `/members/${other.admin.user.id}`)).body.code).toBe('not_admin')
  })

  test('always include an admin, also when two admins demote each other at once', async () => {
    const { admin, editor } = await team()
    for (const answer of [
      await admin.call('PATCH', `/members/${admin.user.id}`, { role: 'editor' }),
      await admin.call('DELETE', `/members/${admin.user.id}`),
    ])
      expect(answer).toMatchObject({ status: 409, body: { code: 'last_admin' } })
    await admin.call('PATCH', `/members/${editor.user.id}`, { role: 'admin' })
    const both = await Promise.all([
      admin.call('PATCH', `/members/${editor.user.id}`, { role: 'editor' }),
      editor.call('DELETE', `/members/${admin.user.id}`),
    ])
    const { items } = (await (both[0].status === 200 ? admin : editor).call('GET', '/members')).body
    expect(items.filter(({ role }: { role: string }) => role === 'admin')).toHaveLength(1)
    expect(both.filter(({ status }) => status < 300)).toHaveLength(1)
  })

  test('who are removed lose the project and their keys at once', async () => {
    const { project, admin, editor } = await team()
    const { key } = (await editor.call('POST', '/api_keys', { name: 'Mine' })).body.data
    expect((await workspace.client(key).get('/users')).status).toBe(200)
    expect((await admin.call('DELETE', `/members/${editor.user.id}`)).status).toBe(204)
    expect((await editor.call('GET', '/members')).status).toBe(404)
    await eventually(() => isRefused(key))
    expect((await admin.call('DELETE', `/members/${editor.user.id}`)).status).toBe(404)
    const events = await workspace.sql<{ kind: string; user_id: string }[]>`
      select kind, user_id from events where project_id = ${project.id} and kind = 'project_member.removed' order by id`
    expect(events.at(-1)).toEqual({ kind: 'project_member.removed', user_id: admin.user.id })
  })
})

describe('keys', () => {
  test('are shown once, work, are rotated, and stop when they are revoked', async () => {
    const { editor } = await team()
    const expires_at = new Date(Date.now() + 90 * 86_400_000).toISOString()
    const made = (await editor.call('POST', '/api_keys', { name: ' Release bot ', expires_at })).body.data
    const listed = async () => (await editor.call('GET', '/api_keys')).body.items
    expect(await listed()).toMatchObject([
      { name: 'Release bot', start: made.key.slice(0, 13), role: 'editor', expires_at, last_used_at: null },
    ])
    expect((await workspace.client(made.key).get('/users')).status).toBe(200)
    await eventually(async () => (await listed())[0].last_used_at !== null)
    const next = (await editor.call('POST', `/api_keys/${made.id}/rotate`)).body.data
    await eventually(() => isRefused(made.key))
    expect((await workspace.client(next.key).get('/users')).status).toBe(200)
    const [fresh, old] = await listed()
    expect(fresh).toMatchObject({ id: next.id, name: 'Release bot', revoked_at: null })
    expect(Date.parse(fresh.expires_at) - Date.parse(expires_at)).toBeGreaterThanOrEqual(0)
    expect(old).toMatchObject({ id: made.id, revoked_at: expect.any(String) })
    expect((await editor.call('POST', `/api_keys/${made.id}/rotate`)).body.code).toBe('key_revoked')
    expect((await editor.call('DELETE', `/api_keys/${next.id}`)).status).toBe(204)
    await eventually(() => isRefused(next.key))
  })

  test('of others are seen and managed by admins only, and viewers have none', async () => {
    const { project, admin, editor } = await team()
    const { id } = (await admin.call('POST', '/api_keys', { name: 'Admin key' })).body.data
    expect((await editor.call('GET', '/api_keys')).body.items).toEqual([])
    expect((await editor.call('DELETE', `/api_keys/${id}`)).status).toBe(404)
    expect((await editor.call('POST', `/api_keys/${id}/rotate`)).status).toBe(404)
    const own = (await editor.call('POST', '/api_keys', { name: 'Editor key' })).body.data
    const names = (await admin.call('GET', '/api_keys')).body.items.map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['Admin key', 'Editor key']))
    expect((await admin.call('DELETE', `/api_keys/${own.id}`)).status).toBe(204)
    const viewer = await signedInMember(workspace, project, 'viewer')
    expect((await viewer.call('POST', '/api_keys', { name: 'No' })).body.code).toBe('viewer')
    const past = await editor.call('POST', '/api_keys', { name: 'Old', expires_at: '2020-01-01T00:00:00.000Z' })
    expect(past.status).toBe(422)
  })
})
