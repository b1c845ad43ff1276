import { afterAll, beforeAll, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import type { RunLimits } from '../../../kernel/model/settings.ts'
import { type Asked, type Reply, scriptedModel } from '../scripted-model.factory.ts'
import { TOOL_DOMAINS } from '../tool-kit.ts'
import { runFor } from './agent.factory.ts'
import type { AgentRequest } from './agent.ts'

let workspace: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  workspace = await openWorkspace()
  project = await workspace.project()
})
afterAll(() => workspace.close())

type Replies = (Reply | ((asked: Asked) => Reply))[]

async function runWith(replies: Replies, limits: Partial<RunLimits> = {}, request: Partial<AgentRequest> = {}) {
  const server = await scriptedModel()
  server.script(...replies)
  const outcome = await runFor(workspace, project, project.admin, { model: server.settings(limits) }, request)
  return { outcome, server }
}

const delegate: Reply = { calls: [{ name: 'delegate', input: { title: 'Part', task: 'Look around.' } }] }
const look = (page: number): Reply => ({ calls: [{ name: 'list_work_orders', input: { page } }] })

test('a run and its subagents have one budget of steps', async () => {
  const { outcome, server } = await runWith([delegate, look(1), look(2), look(3), look(4)], { steps: 4 })
  expect(server.asked).toHaveLength(4)
  expect(outcome.error).toBe('It did not finish within 4 steps, which is the limit of a run.')
})

test('a run and its subagents have one budget of tokens', async () => {
  const { outcome, server } = await runWith([delegate, look(1), look(2), look(3), { text: 'Done.' }], { tokens: 350 })
  expect(server.asked).toHaveLength(3)
  expect(outcome).toMatchObject({ status: 'failed', inputTokens: 300, outputTokens: 60 })
})

test('20 subagents that one answer asks for stop together when the tokens of the run are used', async () => {
  const calls = Array.from({ length: 20 }, (_, at) => ({
    name: 'delegate',
    input: { title: `Part ${at}`, task: `Look at ${at}.` },
  }))
  const { outcome, server } = await runWith([{ calls }, { text: 'Done.', tokens: 900_000 }], { tokens: 1_000_000 })
  expect(outcome).toMatchObject({ status: 'failed', error: expect.stringContaining('more than 1000000 tokens') })
  // The limit, and the one answer that exceeds it.
  expect(outcome.inputTokens + outcome.outputTokens).toBe(120 + 2 * 900_000)
  expect(server.asked).toHaveLength(3)
})

test('the last answer counts', async () => {
  const { outcome } = await runWith([look(1), { text: 'Done.' }], { tokens: 200 })
  expect(outcome).toMatchObject({ status: 'failed', error: expect.stringContaining('more than 200 tokens') })
})

test('an answer that fails has used what the server counts', async () => {
  const { outcome } = await runWith([{ text: 'Too long.', finish: 'length' }])
  expect(outcome).toMatchObject({ status: 'failed', inputTokens: 100, outputTokens: 20 })
})

test('without a count, the estimate has the system prompt and the tools, also of an answer that breaks off', async () => {
  const broken: Reply = { half: 'I will now do this.' }
  const usedWith = async (request: Partial<AgentRequest>) => (await runWith([broken], {}, request)).outcome
  const plain = await usedWith({})
  expect(plain.status).toBe('failed')
  expect(plain.outputTokens).toBeGreaterThan(3)
  const more = await usedWith({ system: 'x'.repeat(4_000) })
  expect(more.inputTokens - plain.inputTokens).toBeGreaterThanOrEqual(1_000)
  const none = Object.fromEntries(TOOL_DOMAINS.map((domain) => [domain, ['cannot_view' as const]]))
  const bare = await usedWith({ toolKit: none })
  expect(plain.inputTokens - bare.inputTokens).toBeGreaterThan(2_000)
})

test('at most 20 calls of an answer are made, and the model hears of the others', async () => {
  const calls = Array.from({ length: 25 }, (_, index) => ({ name: 'list_work_orders', input: { page: index + 1 } }))
  const { outcome, server } = await runWith([{ calls }, { text: 'Done.' }])
  expect(outcome.status).toBe('succeeded')
  const results = server.asked[1]!.messages.filter((one) => one.role === 'tool')
  expect(results).toHaveLength(20)
  expect(results.at(-1)!.content).toContain('5 more calls of this answer were not made')
})

test('the same call over and over ends the run', async () => {
  const { outcome, server } = await runWith([look(1)])
  expect(server.asked).toHaveLength(4)
  expect(outcome).toMatchObject({
    status: 'failed',
    error: 'The model "scripted" made the same call of "list_work_orders" 4 times in a row.',
  })
})

test('tools cost less than 3,000 tokens at first, and the others are found by name', async () => {
  const { outcome, server } = await runWith([
    { calls: [{ name: 'find_tools', input: { names: ['delete_work_order', 'create_automation'] } }] },
    { text: 'Done.' },
  ])
  expect(outcome.status).toBe('succeeded')
  const [first, second] = server.asked
  const namesOf = (asked: Asked) => asked.tools!.map((one) => one.function.name)
  expect(JSON.stringify(first!.tools).length / 4).toBeLessThan(3_000)
  expect(namesOf(first!)).toEqual(expect.arrayContaining(['get_work_order', 'update_work_order', 'write_blueprint']))
  expect(namesOf(first!)).not.toContain('delete_work_order')
  expect(namesOf(second!)).toEqual(expect.arrayContaining(['delete_work_order', 'create_automation']))
})

test('what was said before an answer broke off stays', async () => {
  const { outcome } = await runWith([{ half: 'I have begun to look.' }])
  const { body } = await project.admin.api.get(`/agent_conversations/${outcome.conversationId}`)
  expect(body.data.content.map((one: { text: string }) => one.text).slice(1)).toEqual([
    'I have begun to look.',
    `I could not finish. ${outcome.error}`,
  ])
})
