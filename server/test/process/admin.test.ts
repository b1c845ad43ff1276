import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../harness.ts'
import {
  admin,
  adminThroughNpm,
  createBatch,
  dataFolder,
  knownKeys,
  postgresOf,
  printed,
  type RunningServer,
  startServer,
} from './running-server.ts'

const id = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/)

describe.concurrent('next to a running server', () => {
  const dataDir = dataFolder()
  const project = 'My project'
  const owner = 'owner@slipway.local'
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer({ dataDir, env: knownKeys })
  })
  const run = (command: string, flags?: Parameters<typeof admin>[2]) => printed(admin(dataDir, command, flags))

  test('organizations, people and projects are added and shown with their ids', async () => {
    const organization = await run('organization add', { name: 'Second one' })
    expect(organization).toEqual({ id, name: 'Second one' })
    const there = { organization: 'second ONE' }
    const boss = await run('user add', { email: 'Boss@Example.org', name: 'Boss', 'super-admin': true, ...there })
    expect(boss).toEqual({
      id,
      email: 'boss@example.org',
      name: 'Boss',
      organization_id: organization.id,
      organization_role: 'super_admin',
    })
    const added = await run('project add', { name: 'Elsewhere', ...there })
    expect(added).toEqual({ id, name: 'Elsewhere', organization_id: organization.id })
    expect(await run('project list')).toEqual([
      { id, name: project, organization_id: id, organization: 'My organization' },
      { ...added, organization: 'Second one' },
    ])
  })

  test('integrations are connected, listed without their token, and removed', async () => {
    const wanted = { project, email: owner, name: 'Tickets', url: 'https://a.example.org/mcp', token: 'tk-nobody-sees' }
    const added = await run('integration add', wanted)
    expect(added).toEqual({ id, display_name: 'Tickets', email: owner, project_id: id })
    const listed = await run('integration list')
    expect(listed).toEqual([
      { id: added.id, display_name: 'Tickets', project, email: owner, url: wanted.url, command: null },
    ])
    const { get } = server.client(knownKeys.BOOTSTRAP_API_KEY)
    const shown = async () => (await get('/integrations')).body.items
    expect(await shown()).toEqual([{ object: 'connected_integration', id: added.id, display_name: 'Tickets' }])
    expect(await run('integration remove', { project, id: added.id })).toEqual({
      id: added.id,
      display_name: 'Tickets',
    })
    expect(await shown()).toEqual([])
  })

  test('a new viewer reads with a new key but may not write until made an editor', async () => {
    const email = 'viewer@example.org'
    const viewer = await run('user add', { email, name: 'Vera' })
    expect(viewer).toMatchObject({ id, organization_role: 'member' })
    const joined = await run('member add', { project, email, role: 'viewer' })
    expect(joined).toMatchObject({ id: viewer.id, role: 'viewer', project_id: id })
    const added = await run('key add', { kind: 'external', project, email, name: 'dashboard' })
    expect(added).toMatchObject({ id, kind: 'external', name: 'dashboard', user_id: viewer.id })
    expect(added.key).toMatch(/^sofa-ext-[A-Za-z0-9_-]{43}$/)

    const { get, post } = server.client(added.key)
    expect((await get('/work_orders')).status).toBe(200)
    const write = async () => (await post('/work_orders/batch_create', createBatch('by the viewer', 'A'))).status
    expect(await write()).toBe(403)
    await run('member add', { project: joined.project_id, email, role: 'editor' })
    await eventually(async () => (await write()) === 200)
  })

  test('a revoked key is refused by the running server within a second', async () => {
    const { id, key } = await run('key add', { kind: 'external', project, email: owner })
    const ask = async () => (await server.client(key).get('/users')).status
    expect(await ask()).toBe(200)
    // Used continuously, so the server has it cached when it is revoked.
    let lastAcceptedAtMs = 0
    const refused = eventually(async () => {
      const askedAtMs = Date.now()
      if ((await ask()) === 401) return true
      lastAcceptedAtMs = askedAtMs
      return false
    }, 30_000)
    expect(await run('key revoke', { id })).toMatchObject({ id, revoked_at: expect.stringMatching(/Z$/) })
    const revokedAtMs = Date.now()
    await refused
    expect(lastAcceptedAtMs - revokedAtMs).toBeLessThan(1_000)
  })

  test('a key works until it expires', async () => {
    const { ask, expires } = await keyThatExpiresSoon()
    await eventually(async () => (await ask()) === 401, 30_000)
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires))
  })

  test('keys are listed with their owner and never with the key itself', async () => {
    const added = await run('key add', { kind: 'reporting', project, email: owner })
    expect(added.key).toMatch(/^sf-rpt-[A-Za-z0-9_-]{43}$/)
    const { code, stdout } = await admin(dataDir, 'key list')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ id: added.id, kind: 'reporting', project, email: owner, revoked_at: null }),
    )
    for (const secret of [added.key, ...Object.values(knownKeys), 'sha256']) expect(stdout).not.toContain(secret)
  })

  test('new labels and phases appear in the API at once, also when added through npm', async () => {
    const label = await printed(adminThroughNpm(dataDir, 'label add', { project, title: 'Urgent fix', color: 'red' }))
    expect(label).toMatchObject({ id, title: 'Urgent fix', color: 'red' })
    const labels = await server.client().get('/work_orders/labels')
    expect(labels.body.items).toEqual([expect.objectContaining({ id: label.id, title: 'Urgent fix', color: 'red' })])

    const phase = await run('phase add', { project, title: 'Discovery' })
    expect(phase).toMatchObject({ id, title: 'Discovery', phase_number: 1 })
    const phases = await server.client().get('/work_orders/phases')
    expect(phases.body.items).toEqual([expect.objectContaining({ id: phase.id, title: 'Discovery' })])
  })

  /** Retries with a later expiry: on a busy machine the command may take longer than the key lives. */
  async function keyThatExpiresSoon(aheadMs = 3_000) {
    const expires = new Date(Date.now() + aheadMs).toISOString()
    const { code, stdout, stderr } = await admin(dataDir, 'key add', {
      kind: 'external',
      project,
      email: owner,
      expires,
    })
    const added = code === 0 && JSON.parse(stdout)
    const ask = async () => (await server.client(added.key).get('/users')).status
    if (added.expires_at === expires && (await ask()) === 200) return { ask, expires }
    if (aheadMs > 20_000) throw new Error(`No key that expires soon could be made: ${stderr}`)
    return keyThatExpiresSoon(2 * aheadMs)
  }
})

test('a command without a server works on an empty folder, leaves nothing running, and the server sees the result', async () => {
  const dataDir = dataFolder()
  const organization = await printed(admin(dataDir, 'organization add', { name: 'Only one' }))
  const project = await printed(admin(dataDir, 'project add', { name: 'Engine' }))
  expect(project.organization_id).toBe(organization.id)
  expect(postgresOf(dataDir)).toBeUndefined()

  const server = await startServer({ dataDir })
  expect(server.stdout().split('\n').filter(Boolean)).toEqual([`Slipway listens on ${server.url}`])
  process.kill(server.pid, 'SIGTERM')
  await server.exited
  expect(await printed(admin(dataDir, 'project list'))).toEqual([{ ...project, organization: 'Only one' }])
  expect(postgresOf(dataDir)).toBeUndefined()
})
