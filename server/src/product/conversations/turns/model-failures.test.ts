import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import type { RunLimits } from '../../../kernel/model/settings.ts'
import { type Reply, scriptedModel } from '../scripted-model.factory.ts'
import { runFor } from './agent.factory.ts'

let workspace: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  workspace = await openWorkspace()
  project = await workspace.project()
})
afterAll(() => workspace.close())

const makeOne: Reply = { text: 'First this.', calls: [{ name: 'create_work_order', input: { title: 'Kept' } }] }

async function runWith(replies: Reply[], limits: Partial<RunLimits> = {}, model: string | null = null) {
  const server = await scriptedModel()
  server.script(...replies)
  const outcome = await runFor(workspace, project, project.admin, { model: server.settings(limits) }, { model })
  const { body } = await project.admin.api.get(
    `/agent_conversations/${outcome.conversationId}?include_tool_activity=true`,
  )
  return { outcome, server, data: body.data }
}

/** Where something listened a moment ago. */
async function closedUrl(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}/v1`
}

describe('a model that', () => {
  test.each<[what: string, reply: Reply, reason: RegExp]>([
    ['fails', { status: 500 }, /failed \(500: status 500\)/],
    ['is overloaded', { status: 503, body: 'no' }, /failed \(503\)/],
    ['is asked too often', { status: 429 }, /too often or has no quota left \(429/],
    [
      'refuses the key',
      { status: 401, body: { error: { message: 'bad key sk-test-of-the-model' } } },
      /refuses the key/,
    ],
    ['refuses the request', { status: 400, body: { error: { message: 'too long' } } }, /\(400: too long\)/],
    ['ends in the middle', { half: 'I will now' }, /broke off in the middle/],
    ['is cut off', { half: 'I will now', cut: true }, /broke off in the middle/],
    ['answers with a page', { raw: '<html>Hello</html>', contentType: 'text/html' }, /not an answer/],
    ['answers with broken events', { raw: 'data: {"choices": [{"del\n\ndata: [DONE]\n\n' }, /not an answer|broke off/],
    ['answers with another shape', { raw: 'data: {"hello":"world"}\n\ndata: [DONE]\n\n' }, /not an answer|broke off/],
    ['answers nothing', { text: '' }, /answered nothing/],
    ['runs into its length limit', { text: 'and then', finish: 'length' }, /cut off at its length limit/],
    ['is filtered', { text: 'I', finish: 'content_filter' }, /content filter/],
    ['asks for an unknown tool', { calls: [{ name: 'launch_rocket' }] }, /asked for the tool "launch_rocket"/],
  ])('%s ends the run with a reason, and what it changed before is listed', async (_what, reply, reason) => {
    const { outcome, data } = await runWith([makeOne, reply])
    expect(outcome).toMatchObject({ status: 'failed', error: expect.stringMatching(reason) })
    expect(outcome.error).not.toContain('sk-test')
    expect(outcome.changes).toMatchObject([{ action: 'created', title: 'Kept' }])
    const last = data.content.at(-1)
    expect(last).toMatchObject({ role: 'assistant', is_final: true, text: `I could not finish. ${outcome.error}` })
    expect(data.content[1]).toMatchObject({ role: 'assistant', text: 'First this.', is_final: false })
    expect(data.active_turn.is_active).toBe(false)
  })

  test('stalls before it begins is given up', async () => {
    const { outcome } = await runWith([{ silent: true }], { stallMs: 200 })
    expect(outcome).toMatchObject({ status: 'failed', error: 'The model "scripted" said nothing for 0.2 s.' })
  })

  test('stalls in the middle is given up, and what it said stays', async () => {
    const { outcome, data } = await runWith([{ silent: true, after: 'Half a sen' }], { stallMs: 300 })
    expect(outcome.error).toBe('The model "scripted" said nothing for 0.3 s.')
    expect(data.content.at(-2)).toMatchObject({ role: 'assistant', text: 'Half a sen', is_final: false })
  })

  test('cannot be reached at all is named', async () => {
    const server = await scriptedModel()
    const settings = server.settings()
    const model = { ...settings, compatible: { baseUrl: await closedUrl(), apiKey: undefined } }
    const outcome = await runFor(workspace, project, project.admin, { model })
    expect(outcome).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('cannot be reached (ECONNREFUSED)'),
    })
  })

  test('is not known to its server fails the run with its name', async () => {
    const unknown = { status: 404, body: { error: { message: 'model not found' } } }
    const { outcome, server } = await runWith([unknown], {}, 'gpt-none')
    expect(server.asked[0]!.model).toBe('gpt-none')
    expect(outcome).toMatchObject({ status: 'failed', model: 'gpt-none' })
    expect(outcome.error).toMatch(/knows no model "gpt-none" \(404: model not found\)/)
  })

  test.each<[how: string, reply: Reply]>([
    ['aloud', { text: '<think>the secret plan</think>Here you are.', reasoning: 'another secret plan' }],
    ['in a tag that its server has opened', { text: 'the secret plan\n</think>\n\nHere you are.' }],
    ['twice', { text: 'the secret plan</think><think>another secret plan</think>Here you are.' }],
  ])('thinks %s has its thoughts neither kept nor shown', async (_how, reply) => {
    const { outcome, data } = await runWith([reply])
    expect(outcome.status).toBe('succeeded')
    expect(data.content.at(-1).text).toBe('Here you are.')
    const [{ stored }] = (await workspace.sql`
      select count(*)::int as stored from conversation_events where text like '%secret plan%'`) as unknown as [
      { stored: number },
    ]
    expect(stored).toBe(0)
  })
})

describe('a model whose server has opened the tag', () => {
  test('may think before it calls a tool, and is not told again what it thought', async () => {
    const { outcome, server, data } = await runWith([
      { text: 'the secret plan</think>', calls: [{ name: 'list_members' }] },
      { text: 'the secret plan</think>Done.' },
    ])
    expect(outcome.status).toBe('succeeded')
    expect(data.content.map((one: { role: string }) => one.role)).toEqual(['user', 'tool', 'tool', 'assistant'])
    expect(JSON.stringify([server.asked[1]!.messages, data])).not.toContain('secret plan')
  })

  test('and that only thinks has answered nothing', async () => {
    const { outcome } = await runWith([{ text: 'the secret plan</think>' }])
    expect(outcome.error).toBe('The model "scripted" answered nothing.')
  })
})

describe('a busy model', () => {
  test('is asked again after the time it asks for', async () => {
    const { outcome, server } = await runWith(
      [{ status: 429, headers: { 'retry-after': '1' } }, { status: 503 }, { text: 'Now.' }],
      { retries: 2 },
    )
    expect(outcome.status).toBe('succeeded')
    expect(server.asked).toHaveLength(3)
  })

  test('that asks for more time than there is fails the run at once', async () => {
    const { outcome, server } = await runWith([{ status: 429, headers: { 'retry-after': '3600' } }], { retries: 5 })
    expect(server.asked).toHaveLength(1)
    expect(outcome.error).toMatch(/It asks to wait 3600 s, which is too long/)
  })

  test('is not asked again for ever', async () => {
    const { outcome, server } = await runWith([{ status: 500 }], { retries: 1 })
    expect(server.asked).toHaveLength(2)
    expect(outcome.error).toMatch(/failed \(500/)
  })

  test('is not asked again when half of the answer had come', async () => {
    const { server } = await runWith([{ half: 'I will', cut: true }], { retries: 3 })
    expect(server.asked).toHaveLength(1)
  })
})

describe('a run', () => {
  const again: Reply = { calls: [{ name: 'list_members' }] }

  test('ends at its number of steps', async () => {
    const { outcome, server } = await runWith([again], { steps: 3 })
    expect(server.asked).toHaveLength(3)
    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'It did not finish within 3 steps, which is the limit of a run.',
    })
  })

  test('ends at its number of tokens', async () => {
    const { outcome } = await runWith([again], { tokens: 200 })
    expect(outcome).toMatchObject({ status: 'failed', inputTokens: 200, outputTokens: 40 })
    expect(outcome.error).toMatch(/more than 200 tokens/)
  })

  test('ends when its time is over', async () => {
    const { outcome } = await runWith([{ silent: true }], { wallMs: 300 })
    expect(outcome.error).toBe('It did not finish within 0.3 s, which is the limit of a run.')
  })

  test('lets a model correct a wrong call, but not for ever', async () => {
    const wrong: Reply = { calls: [{ name: 'get_work_order', input: { work_order_number: 'twelve' } }] }
    const garbled: Reply = { calls: [{ name: 'get_work_order', input: '{"work_order' }] }
    const { outcome, server } = await runWith([wrong, garbled, { text: 'I give up.' }])
    expect(outcome.status).toBe('succeeded')
    expect(JSON.stringify(server.asked[1]!.messages.at(-1))).toContain('Expected a whole number')
    const stubborn = await runWith([wrong])
    expect(stubborn.outcome.error).toBe('The model "scripted" called its tools wrongly 3 times in a row.')
  })

  test('that is stopped from outside is cancelled, with what it did until then', async () => {
    const server = await scriptedModel()
    const stop = new AbortController()
    server.script(makeOne, () => {
      stop.abort()
      return { silent: true }
    })
    const outcome = await runFor(
      workspace,
      project,
      project.admin,
      { model: server.settings() },
      { signal: stop.signal },
    )
    expect(outcome).toMatchObject({ status: 'cancelled', error: 'It was stopped.' })
    expect(outcome.changes).toHaveLength(1)
  })

  test('without any model leaves a conversation that says so', async () => {
    const outcome = await runFor(workspace, project, project.admin, {})
    expect(outcome).toMatchObject({ status: 'failed', model: null, inputTokens: 0, changes: [] })
    expect(outcome.error).toMatch(/^No model is configured/)
    const { body } = await project.admin.api.get(`/agent_conversations/${outcome.conversationId}`)
    expect(body.data.content.map((one: { role: string }) => one.role)).toEqual(['user', 'assistant'])
  })

  test('for someone who has left the project fails with that reason', async () => {
    const leaver = await project.join('editor')
    await workspace.sql`delete from project_members where user_id = ${leaver.userId}`
    const server = await scriptedModel()
    const outcome = await runFor(workspace, project, leaver, { model: server.settings() })
    expect(outcome).toMatchObject({ status: 'failed', error: 'Its owner is no longer a member of the project.' })
    expect(server.asked).toEqual([])
  })

  test('keeps credentials out of everything that can be read', async () => {
    const { outcome, data } = await runWith([{ text: 'The key is sk-test-of-the-model, and NUL is \u0000.' }])
    expect(outcome.status).toBe('succeeded')
    expect(data.content.at(-1).text).toBe('The key is [redacted], and NUL is \ufffd.')
  })
})
