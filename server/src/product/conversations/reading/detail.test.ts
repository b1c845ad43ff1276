import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { conversationOf, said, used } from '../conversation.factory.ts'
import type { ConversationEvent, Message } from '../conversation.ts'
import { endAbandonedTurns } from '../jobs.ts'
import { settingsWith } from '../turns/agent.factory.ts'
import { beginningOf, parsePieceId, takePortion } from './content.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const read = (api: Client, id: string, query = '') => api.get(`/agent_conversations/${id}${query}`)

describe('a conversation', () => {
  test('shows what was said, without tools, in exactly the fields of the specification', async () => {
    const project = await workspace.project()
    const events = [...used('list_members', '{"secret input":1}', 'secret output'), said('assistant', 'An answer')]
    const { conversationId } = await conversationOf(workspace, project, project.admin, { events })
    const { status, body, text } = await read(project.admin.api, conversationId)
    expect(status).toBe(200)
    expect(Object.keys(body.data).sort()).toEqual(
      [
        'object',
        'id',
        'origin',
        'title',
        'created_at',
        'updated_at',
        'automation',
        'active_turn',
        'content',
        'continuation',
      ].sort(),
    )
    expect(body.data.content).toEqual(
      [
        ['user', 'A question'],
        ['assistant', 'An answer'],
      ].map(([role, said]) => ({
        object: 'agent_conversation_message',
        id: expect.any(String),
        role,
        text: said,
        thinking_summary: null,
        is_final: true,
        created_at: expect.any(String),
      })),
    )
    expect(body.data.continuation).toBeNull()
    expect(text).not.toContain('secret')
    expect(text).not.toContain('list_members')
  })

  test('shows tool calls with inputs and outputs when asked', async () => {
    const project = await workspace.project()
    const events = [...used('list_members', '{"search":"Ada"}', '{"items":[]}'), said('assistant', 'None')]
    const { conversationId } = await conversationOf(workspace, project, project.admin, { events })
    const { body } = await read(project.admin.api, conversationId, '?include_tool_activity=true')
    expect(body.data.content.map((one: { role: string }) => one.role)).toEqual(['user', 'tool', 'tool', 'assistant'])
    const [, input, output] = body.data.content
    expect(input).toMatchObject({ text: '{"search":"Ada"}', is_final: false })
    expect(input.tool).toMatchObject({ name: 'list_members', part: 'input', status: null })
    expect(output.tool).toMatchObject({ name: 'list_members', part: 'output', status: 'succeeded' })
    expect(output.text).toBe('{"items":[]}')
    expect(output.tool.call_id).toBe(input.tool.call_id)
  })

  test('of a subagent can be read by its id', async () => {
    const project = await workspace.project()
    const { conversationId } = await conversationOf(workspace, project, project.admin, { origin: 'subagent' })
    expect((await read(project.admin.api, conversationId)).body.data.origin).toBe('subagent')
  })

  test('of someone else, of another project and one that never was are the same 404', async () => {
    const project = await workspace.project()
    const other = await workspace.project()
    const colleague = await project.join('editor')
    const theirs = await conversationOf(workspace, project, colleague)
    const foreign = await conversationOf(workspace, other, project.admin)
    const ids = [theirs.conversationId, foreign.conversationId, uuidv7()]
    for (const id of ids) {
      const { status, body } = await read(project.admin.api, id)
      expect([status, body.code, body.detail.replace(id, '')]).toEqual([
        404,
        'not_found',
        'There is no agent conversation "" in this project. Check the value, or list what is there.',
      ])
    }
  })

  test('refuses ids and flags that are none', async () => {
    const project = await workspace.project()
    const { conversationId } = await conversationOf(workspace, project, project.admin)
    const { conversationId: another } = await conversationOf(workspace, project, project.admin)
    const foreignEvent = (await read(project.admin.api, another)).body.data.content[0].id
    expect((await read(project.admin.api, 'nonsense')).status).toBe(422)
    expect((await read(project.admin.api, conversationId, '?include_tool_activity=perhaps')).status).toBe(422)
    for (const before of ['nonsense', uuidv7(), foreignEvent, `${foreignEvent}.3`, '.1']) {
      const { status, body } = await read(project.admin.api, conversationId, `?before_event_id=${before}`)
      expect([status, body.code]).toEqual([400, 'invalid_cursor'])
    }
    expect((await read(project.admin.api, conversationId, '?before_event_id=')).status).toBe(200)
  })

  test('only reads: other methods are refused', async () => {
    const project = await workspace.project()
    const { conversationId } = await conversationOf(workspace, project, project.admin)
    const { status, headers } = await project.admin.api.delete(`/agent_conversations/${conversationId}`)
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

describe('an active turn', () => {
  test('is shown while it runs', async () => {
    const project = await workspace.project()
    const { conversationId } = await conversationOf(workspace, project, project.admin, { isActive: true })
    const { active_turn } = (await read(project.admin.api, conversationId)).body.data
    expect(active_turn).toEqual({
      object: 'agent_conversation_active_turn',
      is_active: true,
      started_at: expect.any(String),
    })
  })

  test('whose node died is over: what was committed stays, and the conversation says so', async () => {
    const project = await workspace.project()
    const events = [said('assistant', 'I began.')]
    const wanted = { isActive: true, events }
    const { conversationId } = await conversationOf(workspace, project, project.admin, wanted)
    await workspace.sql`update conversations set turn_seen_at = now() - interval '1 minute' where id = ${conversationId}`
    expect((await read(project.admin.api, conversationId)).body.data.active_turn.is_active).toBe(false)
    await endAbandonedTurns(workspace.deps)
    const { data } = (await read(project.admin.api, conversationId)).body
    expect(data.content.map((one: { text: string }) => one.text)).toEqual([
      'A question',
      'I began.',
      'I could not finish. The server that I ran on stopped in the middle.',
    ])
    await endAbandonedTurns(workspace.deps)
    expect((await read(project.admin.api, conversationId)).body.data.content).toHaveLength(3)
  })

  test('that is alive is left alone', async () => {
    const project = await workspace.project()
    const { conversationId } = await conversationOf(workspace, project, project.admin, { isActive: true })
    await endAbandonedTurns(workspace.deps)
    expect((await read(project.admin.api, conversationId)).body.data.active_turn.is_active).toBe(true)
  })
})

describe('more than fits into one answer', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ä', '😀', '\n', '界'), maxLength: 60 })

  test('comes in portions of which none is too long, without loss or repeat, at any limit', () => {
    const portionsOf = (events: ConversationEvent[], characters: number) => {
      const portions: Message[][] = []
      let newestFirst = [...events].reverse()
      for (;;) {
        const { messages, hasMore } = takePortion(newestFirst, { characters, messages: 1_000 })
        portions.unshift(messages)
        if (!hasMore) return portions
        const { eventId, start } = parsePieceId(messages[0]!.id)!
        const at = events.findIndex((one) => one.id === eventId)
        newestFirst = events.slice(0, at).reverse()
        if (start !== undefined) newestFirst.unshift(beginningOf(events[at]!, start))
      }
    }
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 12 }), fc.integer({ min: 2, max: 80 }), (texts, limit) => {
        const events = texts.map((one, number) => eventOf(number, one))
        const portions = portionsOf(events, limit)
        const messages = portions.flat()
        expect(new Set(messages.map((one) => one.id)).size).toBe(messages.length)
        for (const event of events) {
          const pieces = messages.filter((one) => one.id.startsWith(event.id))
          expect(pieces.map((one) => one.text).join('')).toBe(event.text)
          expect(pieces.map((one) => one.isFinal)).toEqual(pieces.map((_, at) => at === pieces.length - 1))
          if (event.text.length <= limit) expect(pieces).toHaveLength(1)
        }
        for (const portion of portions) {
          expect(portion.reduce((sum, one) => sum + one.text.length, 0)).toBeLessThanOrEqual(limit)
          for (const one of portion) expect(one.text.isWellFormed()).toBe(true)
        }
      }),
      { numRuns: 500 },
    )
  })

  test('comes so over HTTP too, with and without tools', async () => {
    const project = await workspace.project()
    const texts = ['x'.repeat(2_500), 'short', '😀'.repeat(700), 'y'.repeat(999), 'z'.repeat(1_000), 'end']
    const events = texts.flatMap((one) => [said('assistant', one), ...used('a_tool', one, one)])
    const { conversationId } = await conversationOf(workspace, project, project.admin, { events })
    for (const limit of [1_000, 1_001, 3_333, 200_000]) {
      const node = await workspace.node({ settings: settingsWith({ env: { CONVERSATION_LIMIT: String(limit) } }) })
      const api = workspace.client(project.admin.key, node)
      for (const tools of [false, true]) {
        const flag = `?include_tool_activity=${tools}`
        const seen: { id: string; text: string }[] = []
        let before: string | undefined
        do {
          const { body } = await read(api, conversationId, before ? `${flag}&before_event_id=${before}` : flag)
          const { content, continuation } = body.data
          expect(content.length).toBeGreaterThan(0)
          expect(content.reduce((sum: number, one: { text: string }) => sum + one.text.length, 0)).toBeLessThanOrEqual(
            limit,
          )
          seen.unshift(...content)
          if (continuation) expect(continuation.object).toBe('agent_conversation_continuation')
          before = continuation?.before_event_id
        } while (before)
        expect(new Set(seen.map((one) => one.id)).size).toBe(seen.length)
        const expected = ['A question', ...texts.flatMap((one) => (tools ? [one, one, one] : [one]))]
        expect(seen.map((one) => one.text).join('')).toBe(expected.join(''))
        if (limit === 200_000) expect(seen).toHaveLength(expected.length)
      }
    }
  })

  test('does not show the rest of a tool call to who goes on without tools', async () => {
    const project = await workspace.project()
    const events = used('a_tool', 'secret input', `secret output ${'x'.repeat(2_000)}`)
    const { conversationId } = await conversationOf(workspace, project, project.admin, { events })
    const node = await workspace.node({ settings: settingsWith({ env: { CONVERSATION_LIMIT: '1000' } }) })
    const api = workspace.client(project.admin.key, node)
    const { continuation } = (await read(api, conversationId, '?include_tool_activity=true')).body.data
    expect(continuation.before_event_id).toMatch(/\.\d+$/)
    const { body, text } = await read(api, conversationId, `?before_event_id=${continuation.before_event_id}`)
    expect(body.data.content.map((one: { text: string }) => one.text)).toEqual(['A question'])
    expect(text).not.toContain('secret')
  })

  const eventOf = (number: number, text: string): ConversationEvent => ({
    number,
    id: uuidv7(),
    kind: 'assistant',
    text,
    isFinal: true,
    toolName: null,
    toolCallId: null,
    toolStatus: null,
    createdAt: '2026-01-01T00:00:00.000Z',
  })
})
