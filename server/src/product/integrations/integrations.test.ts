import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { signedInMember } from '../../faces/app-api/visitor.factory.ts'
import type { Ctx } from '../../kernel/context.ts'
import { uuidv7 } from '../../kernel/uuid.ts'
import { createAutomation } from '../automations/automation.factory.ts'
import { json, signedIn } from '../conversations/person.factory.ts'
import { type Reply, scriptedModel } from '../conversations/scripted-model.factory.ts'
import { runFor, type SomeSettings, settingsWith } from '../conversations/turns/agent.factory.ts'
import { addIntegration, checkGrants, describeGrants, removeIntegration } from './index.ts'
import { mcpServer, scriptedMcpServer, stdioCommand } from './mcp-server.factory.ts'

const TOKEN = 'a-token-that-nobody-may-see'
let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const settings = (env: NodeJS.ProcessEnv = {}, key = 'k'.repeat(40)): SomeSettings => ({
  env: { MCP_PRIVATE_HOSTS: 'on', ...env },
  secretKey: () => Promise.resolve(key),
})

type Project = Awaited<ReturnType<Workspace['project']>>
const ctxOf = (project: Project, some = settings()): Ctx => ({
  ...project.operator,
  wiring: { ...project.operator.wiring, settings: settingsWith(some) },
})
const connect = (project: Project, url: string, displayName = 'Tickets', some = settings()) =>
  addIntegration(ctxOf(project, some), project.admin.userId, { displayName, url, token: TOKEN })

describe('GET /integrations', () => {
  test('is empty when nothing is connected', async () => {
    const { admin } = await workspace.project()
    expect((await admin.api.get('/integrations')).body).toEqual({ items: [] })
  })

  test("lists those of the key's creator by name, and nothing that opens them", async () => {
    const project = await workspace.project()
    const colleague = await project.join('viewer')
    const second = await connect(project, 'https://b.example.org/mcp', 'Second')
    const first = await connect(project, 'https://a.example.org/mcp', 'First')
    const { status, body, text } = await project.admin.api.get('/integrations?automation_id=')
    expect(status).toBe(200)
    expect(body.items).toEqual([
      { object: 'connected_integration', id: first.id, display_name: 'First' },
      { object: 'connected_integration', id: second.id, display_name: 'Second' },
    ])
    expect(text).not.toMatch(/token|example\.org/)
    expect((await colleague.api.get('/integrations')).body.items).toEqual([])
  })

  test('of an automation lists those of its owner, no matter who asks', async () => {
    const project = await workspace.project()
    const colleague = await project.join('viewer')
    const { id } = await connect(project, 'https://a.example.org/mcp')
    const automation = await createAutomation(project.admin.api)
    const { body } = await colleague.api.get(`/integrations?automation_id=${automation.id}`)
    expect(body.items.map((one: { id: string }) => one.id)).toEqual([id])
  })

  test('knows no automation that is not in the project', async () => {
    const project = await workspace.project()
    const other = await createAutomation((await workspace.project()).admin.api)
    for (const id of [other.id, uuidv7()])
      expect((await project.admin.api.get(`/integrations?automation_id=${id}`)).status).toBe(404)
  })

  test('refuses an automation id that is none', async () => {
    const { admin } = await workspace.project()
    expect((await admin.api.get('/integrations?automation_id=nonsense')).status).toBe(422)
  })
})

describe('connecting', () => {
  test('keeps the token sealed', async () => {
    const project = await workspace.project()
    await connect(project, 'https://a.example.org/mcp')
    const rows = await workspace.sql`select * from integrations where project_id = ${project.id}`
    expect(JSON.stringify(rows)).not.toContain(TOKEN)
    const events =
      await workspace.sql`select payload from events where project_id = ${project.id} and kind = 'integration.connected'`
    expect(events).toHaveLength(1)
    expect(JSON.stringify(events)).not.toContain(TOKEN)
  })

  test.each([
    [{ displayName: ' ', url: 'https://a.example.org' }, '/display_name'],
    [{ displayName: 'A' }, '/url'],
    [{ displayName: 'A', url: 'https://a.example.org', commandName: 'x' }, '/url'],
    [{ displayName: 'A', url: 'ftp://a.example.org' }, '/url'],
    [{ displayName: 'A', url: 'https://me:secret@a.example.org' }, '/url'],
    [{ displayName: 'A', commandName: 'rm' }, '/command'],
    [{ displayName: 'A', url: 'https://a.example.org', token: 'with space' }, '/token'],
  ])('refuses %j', async (wanted, pointer) => {
    const project = await workspace.project()
    await expect(addIntegration(ctxOf(project), project.admin.userId, wanted)).rejects.toMatchObject({
      status: 422,
      extra: { errors: [{ pointer }] },
    })
  })

  test('refuses a second one of the same name, and someone who is no member', async () => {
    const project = await workspace.project()
    const stranger = await workspace.project()
    await connect(project, 'https://a.example.org/mcp')
    await expect(connect(project, 'https://b.example.org/mcp', 'tickets')).rejects.toMatchObject({ status: 409 })
    const foreign = addIntegration(ctxOf(project), stranger.admin.userId, { displayName: 'A', url: 'https://a.org' })
    await expect(foreign).rejects.toMatchObject({ status: 409, code: 'not_a_member' })
  })

  test('once removed, is no longer listed, its token is gone and its name stays with what was granted', async () => {
    const project = await workspace.project()
    const { id } = await connect(project, 'https://a.example.org/mcp')
    await removeIntegration(ctxOf(project), null, id)
    expect((await project.admin.api.get('/integrations')).body.items).toEqual([])
    const [row] = await workspace.sql`select sealed_token from integrations where id = ${id}`
    expect(row!.sealed_token).toBeNull()
    expect(await describeGrants(ctxOf(project), [id])).toEqual([{ id, displayName: 'Tickets', isConnected: false }])
    await expect(removeIntegration(ctxOf(project), null, id)).rejects.toMatchObject({ status: 404 })
  })
})

describe('connecting as a person', () => {
  const tokenOf = (body: { detail: string }) => body.detail
  const signIn = () => signedIn(workspace, undefined, settings())

  test('calls the server first and lists its tools with what they do', async () => {
    const person = await signIn()
    const { url } = await mcpServer(TOKEN)
    const answer = await person.call('POST', '/integrations', { display_name: 'Tickets', url, token: TOKEN })
    expect(answer.status).toBe(201)
    const { data } = await json(answer)
    expect(data).toMatchObject({ object: 'connected_integration', display_name: 'Tickets' })
    expect(data.tools).toEqual([
      { name: 'look up', description: 'Looks a ticket up.', read_only: false },
      { name: 'count', description: 'Counts the tickets.', read_only: true },
      { name: 'fail', description: 'Always fails.', read_only: false },
      { name: 'leak', description: 'Says what it was called with.', read_only: false },
    ])
    expect((await json(person.call('POST', `/integrations/${data.id}/test`))).data).toEqual(data)
  })

  test('to a dead address connects nothing and says why', async () => {
    const person = await signIn()
    const answer = await person.call('POST', '/integrations', { display_name: 'Dead', url: 'http://127.0.0.1:9/mcp' })
    expect(answer.status).toBe(409)
    const body = await json(answer)
    expect(body).toMatchObject({
      code: 'integration_failed',
      detail: expect.stringMatching(/^The integration "Dead" cannot be used: /),
    })
    expect((await json(person.call('GET', '/integrations'))).items).toEqual([])
  })

  test('with a token that is refused says so, and a new one reconnects it', async () => {
    const person = await signIn()
    const { url } = await mcpServer(TOKEN)
    const wrong = { display_name: 'Tickets', url, token: 'wrong-token' }
    const refused = await json(person.call('POST', '/integrations', wrong))
    expect(tokenOf(refused)).toBe(
      'The integration "Tickets" cannot be used: it refuses the token (401). Reconnect it with a token that it accepts.',
    )
    const { data } = await json(person.call('POST', '/integrations', { ...wrong, token: TOKEN }))
    await workspace.sql`update integrations set sealed_token = null where id = ${data.id}`
    expect((await json(person.call('POST', `/integrations/${data.id}/test`))).detail).toContain('(401). Reconnect it')
    const path = `/integrations/${data.id}/token`
    expect((await person.call('PUT', path, { token: 'still-wrong' })).status).toBe(409)
    expect((await person.call('PUT', path, { token: TOKEN })).status).toBe(200)
    expect((await person.call('POST', `/integrations/${data.id}/test`)).status).toBe(200)
    const stranger = await signIn()
    expect((await stranger.call('POST', `/integrations/${data.id}/test`)).status).toBe(404)
  })
})

describe('grants', () => {
  test('are refused, each by its place, for what the owner has not connected', async () => {
    const project = await workspace.project()
    const colleague = await project.join('editor')
    const { id } = await connect(project, 'https://a.example.org/mcp')
    const ctx = ctxOf(project)
    await expect(checkGrants(ctx, project.admin.userId, [id])).resolves.toBeUndefined()
    await expect(checkGrants(ctx, project.admin.userId, [id, 'nothing', uuidv7()])).rejects.toMatchObject({
      status: 422,
      extra: { errors: [{ pointer: '/integration_grants/1' }, { pointer: '/integration_grants/2' }] },
    })
    await expect(checkGrants(ctx, colleague.userId, [id])).rejects.toMatchObject({ status: 422 })
  })
})

describe('an agent with a granted integration', () => {
  async function granted(some = settings(), url?: string) {
    const project = await workspace.project()
    const tickets = await mcpServer(TOKEN)
    const { id } = await connect(project, url ?? tickets.url, 'Tickets & more', settings())
    const model = await scriptedModel()
    const run = (ids = [id], member = project.admin) =>
      runFor(workspace, project, member, { ...some, model: model.settings() }, { integrationIds: ids })
    return { project, tickets, model, run, id }
  }

  test('has its tools under its name, and hears what they say', async () => {
    const { tickets, model, run } = await granted()
    model.script({ calls: [{ name: 'Tickets_more__look_up', input: { ticket: 'T-7' } }] }, { text: 'It is open.' })
    expect(await run()).toMatchObject({ status: 'succeeded', error: null })
    const offered = model.asked[0]!.tools!.find((one) => one.function.name === 'Tickets_more__look_up')!
    expect(offered.function).toMatchObject({
      description: 'Tickets & more: Looks a ticket up.',
      parameters: { properties: { ticket: { type: 'string' } } },
    })
    expect(tickets.calls).toEqual([{ name: 'look up', input: { ticket: 'T-7' } }])
    expect(model.asked[1]!.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Ticket T-7 is open.' })
  })

  test('has only the tools that were allowed', async () => {
    const { project, model, id } = await granted()
    model.script({ text: 'Done.' })
    const all = { ...settings(), model: model.settings() }
    const integrationTools = { [id]: ['count'] }
    await runFor(workspace, project, project.admin, all, { integrationIds: [id], integrationTools })
    const names = model.asked[0]!.tools!.map((one) => one.function.name).filter((name) => name.startsWith('Tickets'))
    expect(names).toEqual(['Tickets_more__count'])
  })

  test('shows among what it did the calls that may have changed something outside', async () => {
    const { model, run, id } = await granted()
    const names = ['Tickets_more__look_up', 'Tickets_more__count', 'Tickets_more__fail']
    model.script({ calls: names.map((name) => ({ name, input: { ticket: 'T-7' } })) }, { text: 'Done.' })
    const about = { action: 'called', resourceType: 'integration', resourceId: id }
    expect((await run()).changes).toEqual([
      { ...about, title: 'Tickets & more: look up' },
      { ...about, title: 'Tickets & more: fail' },
    ])
  })

  test('that only proposes changes nothing outside either', async () => {
    const { project, model, id, tickets } = await granted()
    const names = ['Tickets_more__look_up', 'Tickets_more__count']
    model.script({ calls: names.map((name) => ({ name, input: { ticket: 'T-7' } })) }, { text: 'Done.' })
    const all = { ...settings(), model: model.settings() }
    await runFor(workspace, project, project.admin, all, { integrationIds: [id], proposes: true })
    expect(tickets.calls.map(({ name }) => name)).toEqual(['count'])
  })

  test('changes nothing outside for a viewer, also one who has just become so', async () => {
    const { project, model, run, tickets } = await granted()
    const calls = ['look up', 'count'].map((name) => ({ name: `Tickets_more__${name.replace(' ', '_')}` }))
    const becomeViewer = async (): Promise<Reply> => {
      await workspace.sql`update project_members set role = 'viewer' where user_id = ${project.admin.userId}`
      return { calls }
    }
    model.script(becomeViewer, { text: 'Done.' })
    expect((await run()).status).toBe('succeeded')
    expect(tickets.calls.map(({ name }) => name)).toEqual(['count'])
    await run()
    const offered = model.asked.at(-1)!.tools!.map((tool) => tool.function.name)
    expect(offered.filter((name) => name.startsWith('Tickets'))).toEqual(['Tickets_more__count'])
  })

  test('hears a failure and goes on; a token that comes back is not repeated', async () => {
    const { model, run, project } = await granted()
    const calls = [{ name: 'Tickets_more__fail' }, { name: 'Tickets_more__leak' }]
    model.script({ calls }, { text: `It said ${TOKEN}.` })
    const outcome = await run()
    expect(outcome.status).toBe('succeeded')
    const { body, text } = await project.admin.api.get(
      `/agent_conversations/${outcome.conversationId}?include_tool_activity=true`,
    )
    expect(text).not.toContain(TOKEN)
    const results = body.data.content.filter((one: { tool?: { part: string } }) => one.tool?.part === 'output')
    expect(results.map((one: { text: string; tool: { status: string } }) => [one.tool.status, one.text])).toEqual([
      ['failed', 'It is broken.'],
      ['succeeded', 'The token is [redacted].'],
    ])
  })

  test('shows no half of a token where a long answer is cut', async () => {
    const text = 'x'.repeat(49_990) + TOKEN
    const long = await scriptedMcpServer((method) =>
      method === 'tools/list'
        ? { tools: [{ name: 'read', inputSchema: { type: 'object' } }] }
        : { content: [{ type: 'text', text }] },
    )
    const { model, run } = await granted(settings(), long.url)
    model.script({ calls: [{ name: 'Tickets_more__read' }] }, { text: 'Done.' })
    await run()
    expect(model.asked[1]!.messages.at(-1)!.content).not.toContain(TOKEN.slice(0, 8))
  })

  test('that is not granted is not offered, and neither is one of someone else', async () => {
    const { model, run, id, project } = await granted()
    model.script({ text: 'Nothing.' })
    await run([])
    await run([id], await project.join('editor'))
    for (const { tools } of model.asked)
      expect(tools!.filter((one) => one.function.name.startsWith('Tickets'))).toEqual([])
  })

  test('that was disconnected since is left out', async () => {
    const { model, run, id, project } = await granted()
    await removeIntegration(ctxOf(project), null, id)
    model.script({ text: 'Without it.' })
    expect(await run()).toMatchObject({ status: 'succeeded' })
  })

  test('that cannot be reached fails the run with its name', async () => {
    const { model, run } = await granted(settings(), 'http://127.0.0.1:9/mcp')
    const outcome = await run()
    expect(outcome.status).toBe('failed')
    expect(outcome.error).toMatch(/^The integration "Tickets & more" cannot be used: /)
    expect(model.asked).toEqual([])
  })

  test('that refuses the token fails the run, without naming the token', async () => {
    const { run, project } = await granted()
    const other = await mcpServer('another-token-altogether')
    const { id } = await connect(project, other.url, 'Other')
    const outcome = await run([id])
    expect(outcome.error).toMatch(/^The integration "Other" cannot be used: .*(401|who are you|Unauthorized)/i)
    expect(outcome.error).not.toContain(TOKEN)
  })

  test('in the own network is not called unless the operator allows it', async () => {
    const { run, tickets } = await granted(settings({ MCP_PRIVATE_HOSTS: 'off' }))
    const outcome = await run()
    expect(outcome.error).toContain('MCP_PRIVATE_HOSTS=on')
    expect(tickets.calls).toEqual([])
  })

  test('whose token was sealed with another key says so', async () => {
    const { run } = await granted(settings({}, 'another key of more than 32 characters'))
    expect((await run()).error).toContain('SECRET_KEY')
  })

  test('may be a program that the operator allows, which sees nothing of the server', async () => {
    const project = await workspace.project()
    const some = settings({ MCP_STDIO_COMMANDS: JSON.stringify({ clock: stdioCommand() }) })
    const wanted = { displayName: 'Clock', commandName: 'clock', token: TOKEN }
    const { id } = await addIntegration(ctxOf(project, some), project.admin.userId, wanted)
    const model = await scriptedModel()
    model.script({ calls: [{ name: 'Clock__environment' }] }, { text: 'Done.' })
    process.env.SECRET_OF_THE_SERVER = 'x'
    const all = { ...some, model: model.settings() }
    const outcome = await runFor(workspace, project, project.admin, all, { integrationIds: [id] })
    expect(outcome).toMatchObject({ status: 'succeeded' })
    const [, names, pid] = /^(.*) from (\d+)$/.exec(String(model.asked[1]!.messages.at(-1)!.content))!
    expect(names!.split(' ')).toContain('INTEGRATION_TOKEN')
    expect(names!.split(' ')).not.toContain('SECRET_OF_THE_SERVER')
    await eventually(() => !isRunning(Number(pid)))

    const forbidden = { ...settings(), model: model.settings() }
    const later = await runFor(workspace, project, project.admin, forbidden, { integrationIds: [id] })
    expect(later.error).toContain('the operator no longer allows the command "clock"')
  })
})

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('the list of integrations says where each is, how it answered last, its tools, and what may use it', async () => {
  const { url } = await mcpServer(TOKEN)
  const person = await signedIn(workspace, undefined, settings())
  const body = { display_name: 'Tickets', url: `${url}?account=secret`, token: TOKEN }
  const { id } = (await json(person.call('POST', '/integrations', body))).data
  const made = { name: 'Sorts', user_prompt: 'Sort.', triggers: [], integration_grants: [id] }
  const automation = (await json(person.call('POST', '/automations', made))).data
  const list = () => person.call('GET', '/connected_integrations')
  const text = await (await list()).text()
  expect(text).not.toMatch(/secret|a-token/)
  expect(JSON.parse(text).items).toMatchObject([
    {
      id,
      url,
      has_token: true,
      owner: { id: person.userId },
      checked_at: expect.any(String),
      fault: null,
      tools: [{ name: 'look up', read_only: false }, { name: 'count', read_only: true }, {}, {}],
      granted_to: [{ id: automation.id, name: 'Sorts' }],
    },
  ])
  await workspace.sql`update integrations set url = ${url.replace(/:\d+/, ':1')} where id = ${id}`
  // As the web sends it. What it found must be stored although it is refused.
  const failed = await person.call('POST', `/integrations/${id}/test`, undefined, { 'idempotency-key': 'once' })
  expect(failed.status).toBe(409)
  const [broken] = (await json(list())).items
  expect(broken).toMatchObject({ fault: expect.stringContaining('cannot be used'), tools: [{}, {}, {}, {}] })
})

test('members see and disconnect their own integrations, admins those of all', async () => {
  const { url } = await mcpServer(TOKEN)
  const person = await signedIn(workspace, undefined, settings())
  const { id } = (await json(person.call('POST', '/integrations', { display_name: 'Mine', url, token: TOKEN }))).data
  const project = { id: person.projectId }
  const [{ organization_id: organizationId }] = (await workspace.sql`
    select organization_id from projects where id = ${project.id}`) as unknown as [{ organization_id: string }]
  const operator = { ...(await workspace.project()).operator }
  operator.actor = { ...operator.actor, projectId: project.id, organizationId }
  const member = { ...project, organizationId, operator } as unknown as Project
  const editor = await signedInMember(workspace, member, 'editor')
  const admin = await signedInMember(workspace, member, 'admin')
  const idsOf = async (one: typeof editor) =>
    (await one.call('GET', '/connected_integrations')).body.items.map((each: { id: string }) => each.id)
  expect(await idsOf(editor)).toEqual([])
  expect((await editor.call('DELETE', `/integrations/${id}`)).status).toBe(404)
  expect(await idsOf(admin)).toEqual([id])
  expect((await admin.call('DELETE', `/integrations/${id}`)).status).toBe(204)
  expect(await idsOf(admin)).toEqual([])
  const { items } = await json(person.call('GET', '/changes'))
  expect(items.map((one: { kind: string }) => one.kind)).toContain('integration.removed')
})
