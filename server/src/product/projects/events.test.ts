import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { addUser, endSessions, resetPassword } from '../accounts/index.ts'
import { addKey, addMember, removeMember, revokeKey } from './index.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

interface EventRow {
  kind: string
  subject_id: string
  payload: Record<string, unknown>
}

const eventsOf = (projectId: string, subjectId: string) => ws.sql<EventRow[]>`
  select kind, subject_id, payload from events where project_id = ${projectId} and subject_id = ${subjectId} order by id`
const organizationEvents = (organizationId: string, subjectId: string) => ws.sql<EventRow[]>`
  select kind, subject_id, payload from organization_events
  where organization_id = ${organizationId} and subject_id = ${subjectId} order by id`
const kindsIn = (events: EventRow[]) => events.map((event) => event.kind)

describe('a project', () => {
  it('tells of itself and of what every project has from its beginning', async () => {
    const { id, name } = await ws.project()
    expect(await eventsOf(id, id)).toMatchObject([{ kind: 'project.created', payload: { name } }])
    const [automation] = await ws.sql<{ id: string }[]>`
      select id from automations where project_id = ${id} and built_in is not null`
    expect(kindsIn(await eventsOf(id, automation!.id))).toEqual(['automation.created'])
  })

  it('tells who joined, who got another role and who left, each once', async () => {
    const { id, operator, admin } = await ws.project()
    const user = { id: admin.userId, name: admin.name, email: admin.email }
    await addMember(operator, user.id, 'admin')
    await addMember(operator, user.id, 'editor')
    await removeMember(operator, user)
    expect(await eventsOf(id, user.id)).toMatchObject([
      { kind: 'project_member.added', payload: { role: 'admin' } },
      { kind: 'project_member.role_changed', payload: { from: 'admin', to: 'editor' } },
      { kind: 'project_member.removed', payload: { role: 'editor' } },
    ])
    expect(kindsIn(await eventsOf(id, admin.keyId))).toEqual(['api_key.created', 'api_key.revoked'])
  })

  it('tells of its keys, revoked once, and never what they are', async () => {
    const { id, operator, admin } = await ws.project()
    const { key, ...row } = await addKey(operator, { kind: 'reporting', userId: admin.userId, name: 'Shop' })
    await revokeKey(operator, row.id)
    const again = await revokeKey(operator, row.id)
    expect(again.revoked_at).not.toBeNull()
    const events = await eventsOf(id, row.id)
    expect(kindsIn(events)).toEqual(['api_key.created', 'api_key.revoked'])
    expect(events[0]!.payload).toEqual({
      kind: 'reporting',
      name: 'Shop',
      user_id: admin.userId,
      role: null,
      expires_at: null,
    })
    expect(JSON.stringify(events)).not.toContain(key)
  })

  it('is managed by its admins only', async () => {
    const { operator, admin } = await ws.project()
    const ctx = { ...operator, actor: { ...operator.actor, projectRole: 'editor' as const } }
    const key = { kind: 'external' as const, userId: admin.userId, name: 'Mine' }
    await expect(addKey(ctx, key)).rejects.toThrow('only they can make it')
    await expect(revokeKey(ctx, admin.keyId)).rejects.toThrow('Only an admin')
    await expect(addMember(ctx, admin.userId, 'viewer')).rejects.toThrow('Only an admin')
    await expect(removeMember(ctx, { id: admin.userId, name: '', email: '' })).rejects.toThrow('Only an admin')
    expect((await admin.api.get('/users')).status).toBe(200)
  })

  it('of another organization cannot revoke its keys', async () => {
    const [one, other] = [await ws.project(), await ws.project()]
    await expect(revokeKey(other.operator, one.admin.keyId)).rejects.toMatchObject({ status: 404 })
  })
})

describe('an organization', () => {
  it('tells of itself, of its people and of their passwords, without showing one', async () => {
    const { organizationId } = await ws.project()
    expect(kindsIn(await organizationEvents(organizationId, organizationId))).toEqual(['organization.created'])
    const password = 'correct horse battery'
    const person = { email: 'tell@example.org', name: 'Teller', organizationId, role: 'member' as const, password }
    const { id } = await addUser(ws.operator, person)
    await ws.sql`insert into sessions (id, user_id, token_sha256, expires_at)
      values (gen_random_uuid(), ${id}, 'secret token', now() + interval '1 day')`
    await resetPassword(ws.operator, { ...person, id }, 'another horse battery')
    await endSessions(ws.operator, id)
    const events = await organizationEvents(organizationId, id)
    expect(kindsIn(events)).toEqual(['user.created', 'user.password_reset', 'user.sessions_ended'])
    expect(events[0]!.payload).toEqual({ email: 'tell@example.org', name: 'Teller', role: 'member' })
    expect(JSON.stringify(events)).not.toMatch(/horse|token/)
  })

  it('tells when someone comes in through one of its projects', async () => {
    const [home, abroad] = [await ws.project(), await ws.project()]
    const { userId, name, email } = home.admin
    await addMember(abroad.operator, userId, 'editor')
    await addMember(abroad.operator, userId, 'viewer')
    expect(kindsIn(await organizationEvents(abroad.organizationId, userId))).toEqual(['organization_member.added'])
    await resetPassword(ws.operator, { id: userId, name, email }, 'another horse battery')
    for (const { organizationId } of [home, abroad])
      expect(kindsIn(await organizationEvents(organizationId, userId))).toContain('user.password_reset')
  })
})
