import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { openPrograms, type Program } from '../../../product/oauth/program.factory.ts'
import { createWorkOrder } from '../../../product/work-orders/work-order.factory.ts'
import { signedInMember } from '../visitor.factory.ts'

let ws: Workspace
let programs: Program
beforeAll(async () => {
  ws = await openWorkspace({ baseUrl: 'http://127.0.0.1:3000' })
  programs = await openPrograms(ws)
})
afterAll(() => ws.close())

/** The official client, which introduces itself. */
async function connect(token: string, name = 'harbor-coder', title?: string) {
  const client = new Client({ name, version: '1', ...(title && { title }) })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', programs.origin), { requestInit })
  await client.connect(transport as never)
  onTestFinished(() => client.close())
  return async (tool: string, input: Record<string, unknown> = {}) => {
    const { content } = await client.callTool({ name: tool, arguments: input })
    return JSON.parse((content as { text: string }[])[0]!.text)
  }
}

type Visitor = Awaited<ReturnType<typeof signedInMember>>
const agentsOf = async (person: Pick<Visitor, 'call'>) => (await person.call('GET', '/agents')).body.items

test('a connected app is listed with its calls by day, its last one, and what it has claimed', async () => {
  const project = await ws.project()
  const { id, number } = await createWorkOrder(project.admin.api, { title: 'Round once', status: 'ready' })
  const ada = await programs.person(project)
  const access = (await programs.connect(ada)).tokens.access_token
  const call = await connect(access)
  await call('find_work_orders')
  const { claim } = await call('claim_work_order')
  const agent = await eventually(async () => {
    const [one] = await agentsOf(ada)
    return one.calls.at(-1).calls === 2 && one
  })
  expect(agent).toMatchObject({
    type: 'app',
    name: 'Harbor Agent',
    scope: 'full',
    acts_as: { id: ada.user.id, display_name: 'Ada Lovelace' },
    last_call: { name: 'claim_work_order' },
    claims: [{ work_order_id: id, work_order_number: number, title: 'Round once', expires_at: claim.expires_at }],
    ended_at: null,
  })
  expect(agent.calls).toHaveLength(14)
  expect(agent.calls.map((one: { calls: number }) => one.calls)).toEqual([...Array(13).fill(0), 2])
})

test('the calls of a key are counted by tool and by operation, on every node', async () => {
  const project = await ws.project()
  const boss = await signedInMember(ws, project, 'admin')
  const other = ws.client(project.admin.key, await ws.node())
  for (let i = 0; i < 3; i++) await project.admin.api.get('/work_orders')
  await other.get('/blueprints')
  const isComplete = async () => {
    const agent = (await agentsOf(boss)).find((one: { id: string }) => one.id === project.admin.keyId)
    return agent.calls.at(-1).calls === 4 && agent
  }
  const agent = await eventually(isComplete)
  expect(agent).toMatchObject({ type: 'key', name: 'test', start: expect.stringMatching(/^sofa-ext-/) })
  expect(['listWorkOrders', 'listBlueprints']).toContain(agent.last_call.name)
})

test('a claim names the agent: the connected app, the MCP client, or the key', async () => {
  const project = await ws.project()
  const { api, key, keyId, userId, name } = project.admin
  const acts_as = { id: userId, display_name: name }
  const claimed = async (claimIt: (id: string) => Promise<unknown>) => {
    const { id } = await createWorkOrder(api, { status: 'ready' })
    await claimIt(id)
    return (await api.get(`/work_orders/${id}/claim`)).body.data
  }
  expect(await claimed((id) => api.post(`/work_orders/${id}/claim`))).toMatchObject({
    holder: 'test',
    agent: { id: keyId, name: 'test', acts_as },
  })
  const byKey = await connect(key, 'claude-code', 'Claude Code')
  expect(await claimed((work_order_id) => byKey('claim_work_order', { work_order_id }))).toMatchObject({
    holder: 'Claude Code',
    agent: { id: keyId, name: 'Claude Code', acts_as },
  })
  const asked = (work_order_id: string) => byKey('claim_work_order', { work_order_id, holder: 'worker 7' })
  expect(await claimed(asked)).toMatchObject({ holder: 'worker 7', agent: { name: 'Claude Code' } })
  const ada = await programs.person(project)
  const byApp = await connect((await programs.connect(ada)).tokens.access_token, 'something else')
  expect(await claimed((work_order_id) => byApp('claim_work_order', { work_order_id }))).toMatchObject({
    holder: 'Harbor Agent',
    agent: { name: 'Harbor Agent', acts_as: { id: ada.user.id, display_name: 'Ada Lovelace' } },
  })
  expect(await claimed((id) => ada.call('POST', `/work_orders/${id}/claim`))).toMatchObject({
    holder: 'Ada Lovelace',
    agent: null,
  })
})

test('the name of an MCP client is shown without marks that hide or turn it, and at most 80 characters of it', async () => {
  const project = await ws.project()
  await createWorkOrder(project.admin.api, { status: 'ready' })
  const call = await connect(project.admin.key, `\u202eevil\u0000 \n agent ${'x'.repeat(500)}`)
  const { claim } = await call('claim_work_order')
  expect(claim.holder).toMatch(/^evil agent x{69}$/)
})

test('a session id of somebody else’s making is no reason to fail', async () => {
  const project = await ws.project()
  for (const id of ['x', '.', '....', '%', `a.${'A'.repeat(3_000)}`]) {
    const res = await fetch(`${programs.origin}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${project.admin.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-session-id': id,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(res.status).toBe(200)
  }
})

test('members see their own agents, admins everyone’s, and other projects none', async () => {
  const project = await ws.project()
  const admin = await signedInMember(ws, project, 'admin')
  const ada = await programs.person(project)
  const viewer = await programs.person(project, 'viewer')
  await programs.connect(ada)
  const names = async (person: Pick<Visitor, 'call'>) =>
    (await agentsOf(person)).map((one: { name: string }) => one.name).sort()
  expect(await names(ada)).toEqual(['Harbor Agent'])
  expect(await names(admin)).toEqual(['Harbor Agent', 'test'])
  expect(await names(viewer)).toEqual([])
  expect(await names(await signedInMember(ws, await ws.project(), 'admin'))).toEqual(['test'])
})

test('a revoked app is refused, and what it had claimed is ready again', async () => {
  const project = await ws.project()
  const { id } = await createWorkOrder(project.admin.api, { status: 'ready' })
  const [admin, editor] = [await signedInMember(ws, project, 'admin'), await signedInMember(ws, project, 'editor')]
  const ada = await programs.person(project)
  const access = (await programs.connect(ada)).tokens.access_token
  await (await connect(access))('claim_work_order')
  const [agent] = await agentsOf(ada)
  const stranger = await signedInMember(ws, await ws.project(), 'admin')
  expect((await stranger.call('DELETE', `/agents/${agent.id}`)).status).toBe(404)
  expect((await editor.call('DELETE', `/agents/${agent.id}`)).status).toBe(403)
  expect((await admin.call('DELETE', `/agents/${agent.id}`)).status).toBe(204)
  await expect(connect(access)).rejects.toThrow()
  const { body } = await project.admin.api.get(`/work_orders/${id}`)
  expect(body.data.status).toBe('ready')
  expect((await agentsOf(ada))[0]).toMatchObject({ id: agent.id, claims: [], ended_at: expect.any(String) })
})

test('a revoked key is refused within a second, and a viewer may revoke an app of their own but no key', async () => {
  const project = await ws.project()
  const admin = await signedInMember(ws, project, 'admin')
  const { id, key } = (await admin.call('POST', '/api_keys', { kind: 'external', name: 'CI' })).body.data
  const viewer = await programs.person(project, 'viewer')
  await programs.connect(viewer, { scope: 'read' })
  const [own] = await agentsOf(viewer)
  expect(own.scope).toBe('read')
  expect((await viewer.call('DELETE', `/agents/${id}`)).status).toBe(403)
  expect((await viewer.call('DELETE', `/agents/${own.id}`)).status).toBe(204)
  expect((await admin.call('DELETE', `/agents/${id}`)).status).toBe(204)
  await eventually(async () => (await ws.client(key).get('/work_orders')).status === 401)
})
