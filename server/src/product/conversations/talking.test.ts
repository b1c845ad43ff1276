import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, openWorkspace, type Workspace } from '../../../test/harness.ts'
import { PASSWORD } from '../../faces/app-api/visitor.factory.ts'
import { mcpServer } from '../integrations/mcp-server.factory.ts'
import { conversationOf } from './conversation.factory.ts'
import { eventsOf, json, type Person, signedIn } from './person.factory.ts'
import { type ScriptedModel, scriptedModel } from './scripted-model.factory.ts'
import { streamRedactor } from './text.ts'
import { settingsWith } from './turns/agent.factory.ts'

let workspace: Workspace
beforeAll(async () => {
  workspace = await openWorkspace()
})
afterAll(() => workspace.close())

const person = (model?: ScriptedModel) => signedIn(workspace, model)

describe('signing in', () => {
  test('gives a cookie that pages cannot read and other sites cannot use, and says who it is', async () => {
    const someone = await person()
    const { data } = await json(someone.call('GET', '/session'))
    expect(data.user).toEqual({ id: someone.userId, display_name: 'Talker', email: someone.email })
    expect(data.projects).toEqual([{ id: someone.projectId, name: expect.any(String), role: 'editor' }])
    const again = await someone.call('POST', '/session', { email: someone.email, password: PASSWORD })
    for (const cookie of again.headers.getSetCookie()) expect(cookie).toMatch(/HttpOnly.*SameSite=Lax/i)
  })

  test('is refused for a wrong password and an unknown address in the same words', async () => {
    const someone = await person()
    const wrong = await json(someone.call('POST', '/session', { email: someone.email, password: 'something else' }))
    const unknown = await json(someone.call('POST', '/session', { email: 'no@example.org', password: PASSWORD }))
    expect(wrong).toMatchObject({ status: 401, code: 'wrong_password' })
    expect({ ...unknown, request_id: '' }).toEqual({ ...wrong, request_id: '' })
  })

  test('is refused after many tries', async () => {
    const someone = await person()
    const statuses: number[] = []
    for (let tries = 0; tries < 25; tries++)
      statuses.push((await someone.call('POST', '/session', { email: someone.email, password: 'wrong one' })).status)
    expect(statuses.at(-1)).toBe(429)
  })

  test('ends with signing out', async () => {
    const someone = await person()
    expect((await someone.call('DELETE', '/session')).status).toBe(204)
    expect((await someone.call('GET', '/session')).status).toBe(401)
    expect((await someone.call('GET', '/agent_conversations')).status).toBe(401)
  })

  test('opens only the projects that one belongs to', async () => {
    const someone = await person()
    const other = await workspace.project()
    const to = (id: string) => someone.call('GET', '/agent_conversations', undefined, { 'x-project-id': id })
    expect((await to(other.id)).status).toBe(404)
    expect((await to('nonsense')).status).toBe(422)
  })

  test('does not let other sites act in its name', async () => {
    const someone = await person()
    const body = { message: 'Hello' }
    const post = (headers: Record<string, string>) => someone.call('POST', '/agent_conversations', body, headers)
    expect((await post({ origin: 'https://evil.example.org' })).status).toBe(403)
    expect((await post({ origin: 'null' })).status).toBe(403)
    expect((await post({ 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await post({ origin: new URL(someone.url).origin })).status).toBe(201)
  })
})

describe('talking', () => {
  test('starts, streams words and messages, ends, and goes on knowing what was said', async () => {
    const model = await scriptedModel()
    let say: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      say = resolve
    })
    model.script(
      async () => {
        await held
        return { text: 'Let me see.', calls: [{ name: 'list_members' }] }
      },
      { text: 'There is one person here, and that is you.' },
      { text: 'As I said.' },
    )
    const someone = await person(model)
    const { data } = await json(someone.call('POST', '/agent_conversations', { message: 'Who is here?' }))
    expect(data).toMatchObject({ origin: 'user', title: 'Who is here?', active_turn: { is_active: true } })
    const stream = eventsOf(someone.call('GET', `/agent_conversations/${data.id}/stream`))
    const busy = await json(someone.call('POST', `/agent_conversations/${data.id}/messages`, { message: 'And?' }))
    expect(busy).toMatchObject({ status: 409, code: 'turn_active' })
    say()
    const events = await stream
    const messages = events.filter((one) => one.event === 'message').map((one) => [one.data.role, one.data.text])
    expect(messages.filter(([role]) => role !== 'tool')).toEqual([
      ['user', 'Who is here?'],
      ['assistant', 'Let me see.'],
      ['assistant', 'There is one person here, and that is you.'],
    ])
    expect(messages.filter(([role]) => role === 'tool')).toHaveLength(2)
    const words = events.filter((one) => one.event === 'text').map((one) => one.data.text)
    expect(words.join('')).toBe('Let me see.There is one person here, and that is you.')
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { is_active: false } })

    const more = await someone.call('POST', `/agent_conversations/${data.id}/messages`, { message: 'Sure?' })
    expect(more.status).toBe(201)
    const later = await eventsOf(someone.call('GET', `/agent_conversations/${data.id}/stream?after=5`))
    expect(later.filter((one) => one.event === 'message').map((one) => one.data.text)).toEqual(['Sure?', 'As I said.'])
    expect(
      model.asked
        .at(-1)!
        .messages.filter((one) => one.role !== 'system')
        .map((one) => one.role),
    ).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  })

  test('can be stopped', async () => {
    const model = await scriptedModel()
    model.script({ silent: true, after: 'I will now ' })
    const someone = await person(model)
    const { data } = await json(someone.call('POST', '/agent_conversations', { message: 'Count to a million.' }))
    // Its words have arrived.
    const heard = (await someone.call('GET', `/agent_conversations/${data.id}/stream`)).body!.getReader()
    let text = ''
    while (!text.includes('I will now')) text += new TextDecoder().decode((await heard.read()).value)
    await heard.cancel()
    expect((await someone.call('POST', `/agent_conversations/${data.id}/stop`)).status).toBe(200)
    const events = await eventsOf(someone.call('GET', `/agent_conversations/${data.id}/stream`))
    const said = events.filter((one) => one.event === 'message').map((one) => [one.data.text, one.data.is_final])
    expect(said.slice(-2)).toEqual([
      ['I will now ', false],
      ['It was stopped.', true],
    ])
    const { content } = (await json(someone.call('GET', `/agent_conversations/${data.id}`))).data
    expect(content.map((one: { text: string }) => one.text)).toEqual([
      'Count to a million.',
      'I will now ',
      'It was stopped.',
    ])
    expect((await someone.call('POST', `/agent_conversations/${data.id}/stop`)).status).toBe(200)
  })

  test('goes on when the reader leaves', async () => {
    const model = await scriptedModel()
    let say: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      say = resolve
    })
    model.script(async () => {
      await held
      return { text: 'Finished all the same.' }
    })
    const someone = await person(model)
    const { data } = await json(someone.call('POST', '/agent_conversations', { message: 'Go.' }))
    const leave = new AbortController()
    const stream = await fetch(`${someone.url}/agent_conversations/${data.id}/stream`, {
      headers: { cookie: someone.cookie, 'x-project-id': someone.projectId },
      signal: leave.signal,
    })
    await stream.body!.getReader().read()
    leave.abort()
    say()
    const last = await eventually(async () => {
      const read = (await json(someone.call('GET', `/agent_conversations/${data.id}`))).data
      return !read.active_turn.is_active && read.content.at(-1)
    })
    expect(last.text).toBe('Finished all the same.')
  })

  test('sent twice with the same Idempotency-Key is said once', async () => {
    const model = await scriptedModel()
    model.script({ text: 'Once.' })
    const someone = await person(model)
    const start = () =>
      json(someone.call('POST', '/agent_conversations', { message: 'Once?' }, { 'idempotency-key': 'one' }))
    const [first, second] = [await start(), await start()]
    expect(second.data.id).toBe(first.data.id)
    await eventsOf(someone.call('GET', `/agent_conversations/${first.data.id}/stream`))
    expect(model.asked).toHaveLength(1)
  })

  test('is written down as ended when the server stops in the middle', async () => {
    const model = await scriptedModel()
    model.script({ silent: true })
    const someone = await person(model)
    const { data } = await json(someone.call('POST', '/agent_conversations', { message: 'Wait.' }))
    await eventually(() => model.asked.length > 0)
    await someone.node.close()
    const [last] = await workspace.sql`select text from conversation_events where conversation_id = ${data.id}
      order by number desc limit 1`
    expect(last!.text).toBe('I could not finish. The server was stopped in the middle.')
  })

  test("continues neither someone else's conversation nor an automation's", async () => {
    const someone = await person()
    const other = await person()
    const mine = await conversationOf(workspace, { id: someone.projectId }, someone, { origin: 'automation' })
    const send = (by: Person, id: string) => by.call('POST', `/agent_conversations/${id}/messages`, { message: 'Hi' })
    expect((await send(someone, mine.conversationId)).status).toBe(409)
    expect((await send(other, mine.conversationId)).status).toBe(404)
  })

  test.each([{}, { message: '' }, { message: 7 }, { message: 'x', integration_ids: ['nothing'] }])(
    'refuses %j',
    async (body) => {
      const someone = await person()
      expect((await someone.call('POST', '/agent_conversations', body)).status).toBe(422)
    },
  )
})

describe('people', () => {
  test('never hear a secret, not even one that comes in pieces', async () => {
    const model = await scriptedModel()
    const someone = await person(model)
    model.script({ text: 'The key is sk-test-of-the-model, do not tell. \u{1F44B}' })
    const { data } = await json(someone.call('POST', '/agent_conversations', { message: 'Tell me.' }))
    const events = await eventsOf(someone.call('GET', `/agent_conversations/${data.id}/stream`))
    const heard = events.filter((one) => one.event === 'text').map((one) => one.data.text)
    expect(heard.join('')).not.toContain('sk-test')
    for (const { event, data } of events) if (event === 'message') expect(data.text).not.toContain('sk-test')
    const redact = streamRedactor(['sk-test-of-the-model'])
    const pieces = ['The key is sk-te', 'st-of-the', '-model. \ud83d', '\udc4b sk-t', 'oo']
    expect([...pieces.map(redact.push), redact.end()].join('')).toBe('The key is [redacted]. \u{1F44B} sk-too')
  })

  test('connect and disconnect their own integrations, and never see a token again', async () => {
    const someone = await person()
    const env = { MCP_PRIVATE_HOSTS: 'on' }
    const settings = settingsWith({ env })
    const node = await workspace.node({ settings })
    const server = await mcpServer('a-secret-token')
    await node.listen({ port: 0, host: '127.0.0.1' })
    const url = `http://127.0.0.1:${(node.server.address() as AddressInfo).port}/v2/app-api/integrations`
    const headers = { cookie: someone.cookie, 'x-project-id': someone.projectId, 'content-type': 'application/json' }
    const body = JSON.stringify({ display_name: 'Tickets', url: server.url, token: 'a-secret-token' })
    const added = await fetch(url, { method: 'POST', headers, body })
    const text = await added.text()
    expect([added.status, text.includes('secret')]).toEqual([201, false])
    const { id } = JSON.parse(text).data
    expect((await json(someone.call('GET', '/integrations'))).items).toHaveLength(1)
    const other = await person()
    expect((await other.call('DELETE', `/integrations/${id}`)).status).toBe(404)
    expect((await someone.call('DELETE', `/integrations/${id}`)).status).toBe(204)
    expect((await json(someone.call('GET', '/integrations'))).items).toEqual([])
  })
})
