import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { readTrustProxy } from '../../kernel/http/clients/trust-proxy.ts'
import { newAddress, openVisitor, PASSWORD, signedInMember } from './visitor.factory.ts'

let workspace: Workspace
let addresses = 0
beforeAll(async () => {
  workspace = await openWorkspace({ trustProxy: readTrustProxy('1') })
})
afterAll(() => workspace.close())

/** Each visitor comes from an address of their own, as limits count by address. */
const visitor = () => openVisitor(workspace.app, { 'x-forwarded-for': `203.0.113.${++addresses}` })

async function invite(options: Record<string, unknown> = {}) {
  const project = await workspace.project()
  const admin = await signedInMember(workspace, project, 'admin')
  const added = await admin.call('POST', '/invitations', { role: 'editor', ...options })
  expect(added.status).toBe(201)
  const { url, invitation } = added.body.data
  return { project, admin, invitation, token: String(url).split('/invite/')[1]! }
}

const newcomer = (email = newAddress()) => ({ display_name: 'Hedy Lamarr', email, password: PASSWORD })

describe('an invite link', () => {
  test('says who invites to what, makes a new person a member, signs them in, and then is used up', async () => {
    const { project, admin, token } = await invite()
    const guest = visitor()
    const opened = await guest.call('POST', '/invitations/open', { token })
    expect(opened.body.data).toMatchObject({
      project: { name: project.name },
      invited_by: { display_name: admin.user.name },
      role: 'editor',
      email: null,
      has_account: false,
    })
    const accepted = await guest.call('POST', '/invitations/accept', { token, newcomer: newcomer() })
    expect(accepted.status).toBe(201)
    expect(accepted.body.data.session.projects).toEqual([{ id: project.id, name: project.name, role: 'editor' }])
    guest.at(project)
    expect((await guest.call('GET', '/work_orders')).status).toBe(200)
    for (const path of ['open', 'accept']) {
      const again = await visitor().call('POST', `/invitations/${path}`, { token, newcomer: newcomer() })
      expect(again).toMatchObject({ status: 410, body: { code: 'invitation_used' } })
    }
  })

  test('is stored as a hash only, also when the request is repeated, and is in no event', async () => {
    const project = await workspace.project()
    const admin = await signedInMember(workspace, project, 'admin')
    const keyed = openVisitor(workspace.app, { 'idempotency-key': 'once' })
    for (const [name, value] of admin.jar) keyed.jar.set(name, value)
    keyed.at(project)
    const { url, invitation } = (await keyed.call('POST', '/invitations', { role: 'viewer' })).body.data
    const token = url.split('/invite/')[1]
    const rows = await workspace.sql`
      select i::text as stored from invitations i where i.id = ${invitation.id}
      union all select e::text from events e where e.project_id = ${project.id}
      union all select r::text from replays r where r.project_id = ${project.id}`
    expect(rows.length).toBeGreaterThan(1)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('is not in the log when someone opens it', async () => {
    let logged = ''
    const node = await workspace.node({
      logger: { level: 'info', stream: { write: (line: string) => (logged += line) } },
    })
    await node.inject({ url: '/invite/secret-token?error=x' })
    expect(logged).toContain('/invite/…')
    expect(logged).not.toContain('secret-token')
  })

  test('that is expired, revoked or unknown says so', async () => {
    const expired = await invite()
    await workspace.sql`update invitations set expires_at = now() where id = ${expired.invitation.id}`
    const revoked = await invite()
    expect((await revoked.admin.call('DELETE', `/invitations/${revoked.invitation.id}`)).status).toBe(204)
    const cases = [
      [expired.token, 410, 'invitation_expired'],
      [revoked.token, 410, 'invitation_revoked'],
      ['never', 404, 'invitation_unknown'],
    ] as const
    for (const [token, status, code] of cases)
      for (const path of ['open', 'accept']) {
        const answer = await visitor().call('POST', `/invitations/${path}`, { token, newcomer: newcomer() })
        expect(answer, `${path} ${code}`).toMatchObject({ status, body: { code } })
      }
  })

  test('for several people counts them, and someone who is a member already does not count', async () => {
    const { admin, token, project } = await invite({ max_uses: 2 })
    expect((await admin.call('POST', '/invitations/accept', { token })).status).toBe(201)
    await visitor().call('POST', '/invitations/accept', { token, newcomer: newcomer() })
    const listed = await admin.call('GET', '/invitations')
    expect(listed.body.items).toMatchObject([{ uses: 1, max_uses: 2, role: 'editor' }])
    const both = [visitor(), visitor()].map((one) =>
      one.call('POST', '/invitations/accept', { token, newcomer: newcomer() }),
    )
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 410])
    expect((await admin.call('GET', '/invitations')).body.items).toEqual([])
    const members = await admin.call('GET', '/members')
    expect(members.body.items).toHaveLength(4)
    const kinds = await workspace.sql<{ kind: string }[]>`
      select kind from events where project_id = ${project.id} and subject_type = 'invitation' order by id`
    expect(kinds.map(({ kind }) => kind)).toEqual(['invitation.created', 'invitation.accepted', 'invitation.accepted'])
  })

  test('is accepted by someone who is signed in, in their own name', async () => {
    const { project, token } = await invite({ role: 'viewer' })
    const elsewhere = await signedInMember(workspace, await workspace.project(), 'editor')
    const accepted = await elsewhere.call('POST', '/invitations/accept', { token })
    expect(accepted.body.data.project_id).toBe(project.id)
    expect(accepted.body.data.session.projects.map(({ role }: { role: string }) => role).sort()).toEqual([
      'editor',
      'viewer',
    ])
    const [event] = await workspace.sql`
      select user_id, origin from events where project_id = ${project.id} and kind = 'invitation.accepted'`
    expect(event).toEqual({ user_id: elsewhere.user.id, origin: 'user' })
    expect((await visitor().call('POST', '/invitations/accept', { token: 'x' })).status).toBe(404)
  })

  test('for one address is for that person only', async () => {
    const email = newAddress()
    const { token, admin } = await invite({ email: email.toUpperCase() })
    const other = await signedInMember(workspace, await workspace.project(), 'editor')
    for (const answer of [
      await other.call('POST', '/invitations/accept', { token }),
      await visitor().call('POST', '/invitations/accept', { token, newcomer: newcomer() }),
    ])
      expect(answer).toMatchObject({ status: 403, body: { code: 'invitation_for_someone_else' } })
    expect((await visitor().call('POST', '/invitations/accept', { token, newcomer: newcomer(email) })).status).toBe(201)
    const again = await admin.call('POST', '/invitations', { role: 'viewer', email })
    expect(again).toMatchObject({ status: 409, body: { code: 'already_a_member' } })
    const many = await admin.call('POST', '/invitations', { role: 'viewer', email: newAddress(), max_uses: 2 })
    expect(many.status).toBe(422)
  })

  test('takes over no account that exists, and names every field that is wrong', async () => {
    const { token } = await invite()
    const someone = await signedInMember(workspace, await workspace.project(), 'editor')
    const taken = await visitor().call('POST', '/invitations/accept', { token, newcomer: newcomer(someone.user.email) })
    expect(taken).toMatchObject({ status: 409, body: { code: 'has_account', errors: [{ pointer: '/email' }] } })
    const wrong = { display_name: '  x ', email: 'nobody', password: 'short' }
    const refused = await visitor().call('POST', '/invitations/accept', { token, newcomer: wrong })
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/newcomer/email',
      '/newcomer/password',
    ])
    const guessable = { display_name: 'Hedy Lamarr', email: 'hedy@example.org' }
    for (const password of ['hedy.lamarr', 'password', 'hedy@example.org']) {
      const answer = await visitor().call('POST', '/invitations/accept', {
        token,
        newcomer: { ...guessable, password },
      })
      expect(answer, password).toMatchObject({ status: 422, body: { errors: [{ pointer: '/newcomer/password' }] } })
    }
    expect((await visitor().call('POST', '/invitations/accept', { token })).status).toBe(401)
    expect((await visitor().call('POST', '/invitations/open', { token })).status).toBe(200)
  })

  test('stops when the person who made it is no admin any more', async () => {
    const { project, admin, token } = await invite()
    const other = await signedInMember(workspace, project, 'admin')
    await other.call('PATCH', `/members/${admin.user.id}`, { role: 'editor' })
    const answer = await visitor().call('POST', '/invitations/open', { token })
    expect(answer).toMatchObject({ status: 410, body: { code: 'invitation_revoked' } })
  })

  test('cannot be guessed: ten wrong ones a minute from an address', async () => {
    const { token } = await invite()
    const guesser = visitor()
    const tries = Array.from({ length: 12 }, (_, index) =>
      guesser.call('POST', '/invitations/open', { token: `x${index}` }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
    expect((await visitor().call('POST', '/invitations/open', { token })).status).toBe(200)
  })
})

describe('invitations', () => {
  test('are made, listed and revoked by admins of the project only', async () => {
    const { project, invitation } = await invite()
    const editor = await signedInMember(workspace, project, 'editor')
    const stranger = await signedInMember(workspace, await workspace.project(), 'admin')
    expect((await editor.call('POST', '/invitations', { role: 'viewer' })).body.code).toBe('not_admin')
    expect((await editor.call('GET', '/invitations')).body.code).toBe('not_admin')
    expect((await editor.call('DELETE', `/invitations/${invitation.id}`)).body.code).toBe('not_admin')
    expect((await stranger.call('DELETE', `/invitations/${invitation.id}`)).status).toBe(404)
  })
})
