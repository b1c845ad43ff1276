import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../test/harness.ts'
import { parse } from './command.ts'
import { keyCommands } from './keys.ts'
import { peopleCommands } from './people.ts'
import { projectCommands } from './projects.ts'

let ws: Workspace
beforeAll(async () => {
  ws = await openWorkspace()
})
afterAll(() => ws.close())

const commands = { ...peopleCommands, ...projectCommands, ...keyCommands }

/** Runs a command next to a running server and returns its output. */
// biome-ignore lint/suspicious/noExplicitAny: each command has an answer of its own
async function run(name: string, flags: Record<string, string> = {}): Promise<any> {
  const words = Object.entries(flags).flatMap(([flag, value]) => [`--${flag}`, value])
  const { command, flags: given } = parse(commands, [...name.split(' '), ...words])
  return command.run({ sql: ws.sql, wiring: ws.deps.wiring, log: console }, given)
}

const SESSION = '/v2/app-api/session'

async function signIn(email: string, password: string) {
  const { status, headers } = await ws.client(undefined).post(SESSION, { email, password })
  const cookie = [headers['set-cookie'] ?? []].flat().map((one) => one.split(';', 1)[0])
  const isOpen = async () => (await ws.client(undefined).get(SESSION, { cookie: cookie.join('; ') })).status === 200
  return { status, isOpen }
}

async function resetTo(email: string, password: string) {
  process.env.NEW_PASSWORD = password
  try {
    return await run('user reset-password', { email })
  } finally {
    delete process.env.NEW_PASSWORD
  }
}

describe('the operator', () => {
  test('sets a new password: the old one stops working, and sessions end', async () => {
    const { email, userId: id, name } = await (await ws.project()).join('editor')
    expect(await run('user list')).toContainEqual({
      id,
      email,
      name,
      organizations: [expect.stringMatching(/^Organization/)],
      has_password: false,
    })
    const first = await run('user reset-password', { email })
    expect(first).toEqual({ id, email, name, password: expect.stringMatching(/^.{16}$/), sessions_ended: 0 })
    const session = await signIn(email, first.password)
    expect([session.status, await session.isOpen()]).toEqual([201, true])

    await expect(resetTo(email, 'Password1')).rejects.toThrow('one of the first that anyone tries')
    const chosen = 'chosen by the operator'
    expect(await resetTo(email.toUpperCase(), chosen)).toEqual({ id, email, name, sessions_ended: 1 })
    expect(await session.isOpen()).toBe(false)
    expect((await signIn(email, first.password)).status).toBe(401)
    expect((await signIn(email, chosen)).status).toBe(201)
    expect(await run('user list')).toContainEqual(expect.objectContaining({ id, has_password: true }))
    await expect(resetTo(email, 'seven77')).rejects.toThrow('8 to 128 characters')
  })

  test('deletes a project, also the last one, if its name is repeated', async () => {
    const project = await ws.project()
    await expect(run('project delete', { project: project.id, confirm: 'Harbor' })).rejects.toThrow('is not the name')
    expect(await run('project delete', { project: project.id, confirm: project.name })).toMatchObject({
      id: project.id,
    })
    expect(await run('project list')).not.toContainEqual(expect.objectContaining({ id: project.id }))
    await expect(run('project delete', { project: project.id, confirm: project.name })).rejects.toThrow('no project')
    await eventually(async () => (await project.admin.api.get('/work_orders')).status === 401)
  })

  test('signs a user out everywhere', async () => {
    const { email, userId: id } = await (await ws.project()).join('editor')
    const { password } = await run('user reset-password', { email })
    const sessions = [await signIn(email, password), await signIn(email, password)]
    expect(await run('user sign-out', { email })).toMatchObject({ id, email, sessions_ended: 2 })
    for (const session of sessions) expect(await session.isOpen()).toBe(false)
    expect((await signIn(email, password)).status).toBe(201)
  })

  test('removes a member: their keys and sessions end at once, and rejoining revives none', async () => {
    const project = await ws.project()
    const { email, userId: id, keyId, api } = await project.join('editor')
    const { password } = await run('user reset-password', { email })
    const session = await signIn(email, password)
    expect((await api.get('/users')).status).toBe(200)
    expect(await run('member list', { project: project.id })).toContainEqual(
      expect.objectContaining({ id, email, role: 'editor' }),
    )

    const removed = await run('member remove', { project: project.name, email })
    expect(removed).toMatchObject({ id, project_id: project.id, keys_revoked: 1, sessions_ended: 1 })
    await eventually(async () => (await api.get('/users')).status === 401)
    expect(await session.isOpen()).toBe(false)
    expect(await run('member list', { project: project.id })).toEqual([
      expect.objectContaining({ id: project.admin.userId, role: 'admin' }),
    ])
    await expect(run('member remove', { project: project.id, email })).rejects.toThrow(
      `"${email}" is no member of "${project.name}"`,
    )

    await run('member add', { project: project.id, email, role: 'viewer' })
    const { key } = await run('key add', { kind: 'external', project: project.id, email })
    await eventually(async () => (await ws.client(key).get('/users')).status === 200)
    expect((await api.get('/users')).status).toBe(401)
    const listed: { id: string; revoked_at: string | null }[] = await run('key list', { project: project.id })
    expect(listed.find((one) => one.id === keyId)!.revoked_at).not.toBeNull()
  })

  test('makes a key with a lower role than its owner has', async () => {
    const project = await ws.project()
    const whose = { kind: 'external', project: project.id, email: project.admin.email }
    const { key, role } = await run('key add', { ...whose, role: 'viewer' })
    expect(role).toBe('viewer')
    expect((await ws.client(key).get('/users')).status).toBe(200)
    expect((await ws.client(key).post('/blueprints', { title: 'No' })).body.code).toBe('viewer')
    const { email } = await project.join('viewer')
    await expect(run('key add', { ...whose, email, role: 'editor' })).rejects.toThrow('its owner is "viewer"')
    await expect(run('key add', { ...whose, role: 'owner' })).rejects.toThrow('--role "owner" is not possible')
  })

  test('revokes a key by name, with kind and project if the name is ambiguous', async () => {
    const project = await ws.project()
    const { email } = project.admin
    const common = { project: project.id, email, name: 'Nightly build' }
    const { id, key } = await run('key add', { kind: 'external', ...common })
    await run('key add', { kind: 'reporting', ...common })
    await expect(run('key revoke', { name: 'nightly build' })).rejects.toThrow(
      /^2 keys have the name "nightly build"\. Use the id: /,
    )
    const wanted = { name: 'nightly build', kind: 'external', project: project.id }
    expect(await run('key revoke', wanted)).toMatchObject({ id, revoked_at: expect.any(String) })
    await eventually(async () => (await ws.client(key).get('/users')).status === 401)
    expect(await run('key list', { name: 'Nightly build' })).toMatchObject([
      { kind: 'external', revoked_at: expect.any(String) },
      { kind: 'reporting', revoked_at: null },
    ])
    await expect(run('key revoke', wanted)).rejects.toThrow('There is no key "nightly build" that is not revoked')
    await expect(run('key revoke')).rejects.toThrow('either --id or --name')
  })

  test('lists organizations', async () => {
    await ws.project()
    expect(await run('organization list')).toContainEqual({
      id: expect.any(String),
      name: expect.stringMatching(/^Organization/),
    })
  })
})
