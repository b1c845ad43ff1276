import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../test/harness.ts'
import { scriptedModel } from '../conversations/scripted-model.factory.ts'
import { runFor, settingsWith } from '../conversations/turns/agent.factory.ts'
import { openIntegration } from './client.ts'
import { addIntegration } from './index.ts'
import { scriptedMcpServer } from './mcp-server.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const settings = {
  env: { MCP_PRIVATE_HOSTS: 'on' },
  secretKey: () => Promise.resolve('k'.repeat(40)),
}
const LOOP_LIMIT_MS = 200

/** Runs an agent that calls the tool `act` of the server. */
async function runWith(reply: Parameters<typeof scriptedMcpServer>[0]) {
  const project = await workspace.project()
  const server = await scriptedMcpServer(reply)
  const ctx = { ...project.operator, wiring: { ...project.operator.wiring, settings: settingsWith(settings) } }
  const { id } = await addIntegration(ctx, project.admin.userId, { displayName: 'Foreign', url: server.url })
  const model = await scriptedModel()
  model.script({ calls: [{ name: 'Foreign__act', input: {} }] }, { text: 'Done.' })
  const all = { ...settings, model: model.settings() }
  const outcome = await runFor(workspace, project, project.admin, all, { integrationIds: [id] })
  return { outcome, model, server }
}

/** The least of three attempts: a server holds up the main thread every time, a busy machine does not. */
async function holdUp(tools: object[], answer: object) {
  const attempts = [await attempt(tools, answer), await attempt(tools, answer), await attempt(tools, answer)]
  return attempts.reduce((least, one) => (one.longestMs < least.longestMs ? one : least))
}

const deps = () => ({ ...workspace.deps, wiring: { ...workspace.deps.wiring, settings: settingsWith(settings) } })

/** How long the main thread is held up by connecting to the server and by a call of its tool, and what that says. */
async function attempt(tools: object[], answer: object) {
  const replies = new Map([
    ['tools/list', { text: JSON.stringify({ tools }) }],
    ['tools/call', 'stream' in answer ? answer : { text: JSON.stringify(answer) }],
  ])
  const { url } = await scriptedMcpServer((method) => replies.get(method)!)
  const connection = { id: 'foreign', displayName: 'Foreign', url, commandName: null, sealedToken: null }
  const { signal } = new AbortController()
  const delay = monitorEventLoopDelay({ resolution: 10 })
  delay.enable()
  const open = await openIntegration(deps(), connection, signal)
  const { text } = await open.call('act', {}, signal)
  delay.disable()
  return { text, longestMs: delay.max / 1e6 }
}

const act = (more: object = {}) => ({ name: 'act', description: 'Acts.', inputSchema: { type: 'object' }, ...more })
const said = (text: string) => ({ content: [{ type: 'text', text }] })

describe('a server of tools cannot hold up the main thread', () => {
  const text = { type: 'text', text: 'It acts.' }

  test('with a pattern in an output schema', async () => {
    const outputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
    const structuredContent = { a: `${'a'.repeat(32)}!` }
    const held = await holdUp([act({ outputSchema })], { content: [text], structuredContent })
    expect(held.text).toBe('It acts.')
    expect(held.longestMs).toBeLessThan(LOOP_LIMIT_MS)
  })

  test('with an output schema of very many properties', async () => {
    const properties = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`p${n}`, { type: 'string' }]))
    const held = await holdUp([act({ outputSchema: { type: 'object', properties } })], { content: [text] })
    expect(held.text).toBe('It acts.')
    expect(held.longestMs).toBeLessThan(LOOP_LIMIT_MS)
  })

  test('with a flood of tiny messages', async () => {
    const { longestMs } = await holdUp([act()], { stream: Array(10).fill('data: {}\n\n'.repeat(4_000)) })
    expect(longestMs).toBeLessThan(LOOP_LIMIT_MS)
  })

  test('with very many small parts of an answer', async () => {
    const { longestMs } = await holdUp([act()], { content: Array(30_000).fill(text) })
    expect(longestMs).toBeLessThan(LOOP_LIMIT_MS)
  })
})

test('patterns in an input schema are never run here, only shown to the model', async () => {
  const inputSchema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  const { outcome, model } = await runWith((method) =>
    method === 'tools/list' ? { tools: [act({ inputSchema })] } : said('It acts.'),
  )
  expect(outcome).toMatchObject({ status: 'succeeded' })
  const offered = model.asked[0]!.tools!.find((one) => one.function.name === 'Foreign__act')!
  expect(offered.function.parameters).toMatchObject(inputSchema)
})

describe('a server of tools that offers too much fails the run, and the run says why', () => {
  const failsWith = async (reply: Parameters<typeof scriptedMcpServer>[0]) => {
    const { outcome, model } = await runWith(reply)
    expect(outcome.status).toBe('failed')
    expect(model.asked).toEqual([])
    return outcome.error
  }

  test('too many tools', async () => {
    const tools = Array.from({ length: 201 }, (_, n) => act({ name: `act${n}` }))
    expect(await failsWith(() => ({ tools }))).toBe(
      'The integration "Foreign" cannot be used: it offers more than 200 tools.',
    )
  })

  test('too many pages', async () => {
    const { outcome, server } = await runWith(() => ({ tools: [], nextCursor: 'again' }))
    expect(outcome.error).toContain('its list of tools has more than 20 pages')
    expect(server.asked.filter((one) => one === 'POST tools/list')).toHaveLength(20)
  })

  test('schemas that are too long', async () => {
    const inputSchema = { type: 'object', description: 'x'.repeat(600_000) }
    expect(await failsWith(() => ({ tools: [act({ inputSchema })] }))).toContain(
      'its tools are described with more than 500,000 characters, up to the tool "act"',
    )
  })

  test('something that is not a tool', async () => {
    expect(await failsWith(() => ({ tools: [{ title: 'nameless' }] }))).toContain('is not a tool')
  })

  test.each([
    ['in one piece', () => ({ tools: [], padding: 'x'.repeat(1_500_000) })],
    ['as a stream', () => ({ stream: Array(24).fill(`: ${'x'.repeat(65_536)}\n\n`) })],
  ])('an answer that is too long, %s', async (_how, reply) => {
    expect(await failsWith(reply)).toBe(
      'The integration "Foreign" cannot be used: its answer is longer than 1,048,576 bytes.',
    )
  })
})

test('a tool whose answer is too long is a failed call, and the next one works', async () => {
  let calls = 0
  const { outcome, model } = await runWith((method) => {
    if (method === 'tools/list') return { tools: [act()] }
    return ++calls === 1 ? { stream: Array(24).fill(`: ${'x'.repeat(65_536)}\n\n`) } : said('It acts.')
  })
  expect(outcome.status).toBe('succeeded')
  expect(model.asked[1]!.messages.at(-1)).toMatchObject({
    role: 'tool',
    content: '"Foreign" did not answer: its answer is longer than 1,048,576 bytes',
  })
})

test('a server that gives page after page, each in time, is given up', async () => {
  const { url } = await scriptedMcpServer(async (method) => {
    if (method === 'tools/list') await new Promise((resolve) => setTimeout(resolve, 150))
    return { tools: [act()], nextCursor: 'more' }
  })
  const connection = { id: 'foreign', displayName: 'Foreign', url, commandName: null, sealedToken: null }
  const { signal } = new AbortController()
  await expect(openIntegration(deps(), connection, signal, 400)).rejects.toThrow('did not list its tools within 0.4 s')
})

test('tools of the same name stay apart, and an allow-list knows its tool by the exact name of its own server', async () => {
  const project = await workspace.project()
  const ctx = { ...project.operator, wiring: { ...project.operator.wiring, settings: settingsWith(settings) } }
  const called: string[] = []
  const serve = (which: string, names: string[]) =>
    scriptedMcpServer((method, { name }) => {
      if (method === 'tools/list')
        return { tools: names.map((one) => ({ name: one, description: '', inputSchema: { type: 'object' } })) }
      called.push(`${which} ${name}`)
      return said('Done.')
    })
  const names = ['drop', 'Drop', 'dr\u043ep', 'drop ', 'create_automation']
  const one = await serve('one', names)
  const two = await serve('two', names)
  const connect = (displayName: string, url: string) =>
    addIntegration(ctx, project.admin.userId, { displayName, url }).then(({ id }) => id)
  // Both names read the same to a model.
  const ids = [await connect('Files a', one.url), await connect('Files_a', two.url)]
  const model = await scriptedModel()
  model.script(
    (asked) => ({
      calls: asked
        .tools!.filter((tool) => tool.function.name.startsWith('Files'))
        .map((tool) => ({ name: tool.function.name, input: {} })),
    }),
    { text: 'Done.' },
  )
  const all = { ...settings, model: model.settings() }
  const integrationTools = { [ids[0]!]: ['drop'], [ids[1]!]: ['create_automation'] }
  await runFor(workspace, project, project.admin, all, { integrationIds: ids, integrationTools })
  expect(called.sort()).toEqual(['one drop', 'two create_automation'])
})
