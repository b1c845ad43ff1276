import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { openVisitor, PASSWORD, signedInMember } from './visitor.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const member = async () => signedInMember(workspace, await workspace.project(), 'viewer')
const NEXT = 'another horse battery'

describe('an account', () => {
  test('changes its name, also as a viewer', async () => {
    const one = await member()
    const changed = await one.call('PATCH', '/account', { display_name: ' Grace Hopper ' })
    expect(changed.body.data).toEqual({ display_name: 'Grace Hopper' })
    expect((await one.call('GET', '/session')).body.data.user.display_name).toBe('Grace Hopper')
    expect((await one.call('GET', '/account')).body.data).toMatchObject({
      email: one.user.email,
      has_password: true,
      has_single_sign_on: false,
    })
    expect((await openVisitor(workspace.app).call('GET', '/account')).status).toBe(401)
  })

  test('changes its password with the present one, which ends the other sessions and keeps this one', async () => {
    const one = await member()
    const elsewhere = openVisitor(workspace.app)
    await elsewhere.signIn(one.user.email)
    const wrong = await one.call('POST', '/account/password', { current_password: 'wrong one', password: NEXT })
    expect(wrong).toMatchObject({ status: 403, body: { code: 'wrong_password' } })
    const short = await one.call('POST', '/account/password', { current_password: PASSWORD, password: 'short' })
    expect(short.body.errors[0].pointer).toBe('/password')
    for (const password of ['password', 'Password1!', one.user.email]) {
      const common = await one.call('POST', '/account/password', { current_password: PASSWORD, password })
      expect([common.status, common.body.errors?.[0].pointer], password).toEqual([422, '/password'])
    }
    const changed = await one.call('POST', '/account/password', { current_password: PASSWORD, password: NEXT })
    expect(changed.body.data).toEqual({ sessions_ended: 1 })
    expect((await elsewhere.call('GET', '/session')).status).toBe(401)
    expect((await one.call('GET', '/session')).status).toBe(200)
    expect((await openVisitor(workspace.app).signIn(one.user.email)).status).toBe(401)
    expect((await openVisitor(workspace.app).signIn(one.user.email, NEXT)).status).toBe(201)
    const kinds = await workspace.sql<{ kind: string }[]>`
      select kind from organization_events where subject_id = ${one.user.id} order by id`
    expect(kinds.map(({ kind }) => kind)).toEqual(['user.created', 'user.password_changed', 'user.sessions_ended'])
  })

  test('counts wrong current passwords like those at sign-in', async () => {
    const one = await member()
    const tries = Array.from({ length: 11 }, () =>
      one.call('POST', '/account/password', { current_password: 'wrong one', password: NEXT }),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 403)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
  })

  test('sees where it is signed in, and signs out one session or all', async () => {
    const one = await member()
    const phone = openVisitor(workspace.app, { 'user-agent': 'Phone' })
    await phone.signIn(one.user.email)
    const listed = async () => (await one.call('GET', '/account/sessions')).body.items
    const sessions = await listed()
    expect(sessions).toHaveLength(2)
    const other = sessions.find((session: { is_this_one: boolean }) => !session.is_this_one)
    expect(other).toMatchObject({ user_agent: 'Phone', ip_address: '127.0.0.1' })
    const stranger = await member()
    expect((await stranger.call('DELETE', `/account/sessions/${other.id}`)).status).toBe(404)
    expect((await one.call('DELETE', `/account/sessions/${other.id}`)).status).toBe(204)
    expect((await phone.call('GET', '/session')).status).toBe(401)
    await phone.signIn(one.user.email)
    expect((await one.call('DELETE', '/account/sessions')).status).toBe(204)
    for (const each of [one, phone]) expect((await each.call('GET', '/session')).status).toBe(401)
  })

  test('that is used stays signed in: its session and cookie are renewed once a day', async () => {
    const one = await member()
    await workspace.sql`update sessions set expires_at = now() + interval '5 days', updated_at = now() - interval '2 days'
      where user_id = ${one.user.id}`
    const renewed = await one.call('GET', '/session')
    expect(String(renewed.headers['set-cookie'])).toMatch(/session_token=.*Max-Age=604800/)
    const [row] = await workspace.sql`select expires_at > now() + interval '6 days' as later from sessions
      where user_id = ${one.user.id}`
    expect(row).toEqual({ later: true })
  })
})
