import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openWorkspace, type Workspace } from '../../../../test/harness.ts'
import { NO_MODEL } from '../../../kernel/model/settings.ts'
import { uuidv7 } from '../../../kernel/uuid.ts'
import { conversationOf } from '../conversation.factory.ts'
import { scriptedModel } from '../scripted-model.factory.ts'
import { sendMessage } from '../talking.ts'
import { runFor } from './agent.factory.ts'
import { askToStop, beginTurn } from './turn-queries.ts'

let workspace: Workspace
let project: Awaited<ReturnType<Workspace['project']>>
beforeAll(async () => {
  workspace = await openWorkspace()
  project = await workspace.project()
})
afterAll(() => workspace.close())

const latest = async () => {
  const [row] = await workspace.sql<{ id: string }[]>`
    select id from conversations where project_id = ${project.id} order by created_at desc, id desc limit 1`
  return row!.id
}

describe('a turn', () => {
  test('that another node has ended writes nothing more', async () => {
    const model = await scriptedModel()
    const usurper = uuidv7()
    model.script(async () => {
      await workspace.sql`update conversations set turn_id = ${usurper} where id = ${await latest()}`
      return { text: 'I am still here.' }
    })
    const outcome = await runFor(workspace, project, project.admin, { model: model.settings() })
    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'The turn was ended by another node, because this one was silent for too long.',
    })
    const { data } = (await project.admin.api.get(`/agent_conversations/${outcome.conversationId}`)).body
    expect(data.content.map((one: { text: string }) => one.text)).toEqual(['Do it.'])
    const [row] = await workspace.sql`select turn_id from conversations where id = ${outcome.conversationId}`
    expect(row!.turn_id).toBe(usurper)
  })

  test('is stopped from any node', async () => {
    const model = await scriptedModel()
    model.script(async () => {
      await askToStop(workspace.sql, project.id, await latest())
      return { silent: true }
    })
    const outcome = await runFor(workspace, project, project.admin, { model: model.settings() })
    expect(outcome).toMatchObject({ status: 'cancelled', error: 'It was stopped.' })
  })

  test('begins once, however many begin it', async () => {
    const { conversationId } = await conversationOf(workspace, project, project.admin)
    const ref = () => ({ projectId: project.id, conversationId, turnId: uuidv7() })
    const begun = await Promise.all(Array.from({ length: 8 }, () => beginTurn(workspace.sql, ref())))
    expect(begun.filter(Boolean)).toHaveLength(1)
  })

  test('that was abandoned can be followed by another', async () => {
    const { conversationId } = await conversationOf(workspace, project, project.admin, { isActive: true })
    const ctx = { ...project.operator, actor: { ...project.operator.actor, userId: project.admin.userId } }
    await expect(sendMessage(ctx, conversationId, 'Are you there?')).rejects.toMatchObject({ code: 'turn_active' })
    await workspace.sql`update conversations set turn_seen_at = now() - interval '1 minute' where id = ${conversationId}`
    await expect(sendMessage(ctx, conversationId, 'Are you there?')).resolves.toMatchObject({ conversationId })
  })
})

describe("Anthropic's models", () => {
  test('are asked by their own protocol when the name begins with claude', async () => {
    const seen: { url: string | undefined; key: unknown; model: string }[] = []
    const server = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      seen.push({ url: req.url, key: req.headers['x-api-key'], model: JSON.parse(body).model })
      res.writeHead(200, { 'content-type': 'text/event-stream' })
      const send = (type: string, more: object) =>
        res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
      const usage = { input_tokens: 12, output_tokens: 1 }
      const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude-x', content: [], usage }
      send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } })
      send('content_block_start', { index: 0, content_block: { type: 'text', text: '' } })
      send('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hello from afar.' } })
      send('content_block_stop', { index: 0 })
      send('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } })
      send('message_stop', {})
      res.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
    const other = await scriptedModel()
    other.script({ text: 'From here.' })
    const model = { ...NO_MODEL, ...other.settings(), anthropic: { baseUrl: url, apiKey: 'sk-ant-test' } }
    const outcome = await runFor(workspace, project, project.admin, { model }, { model: 'claude-x' })
    expect(outcome).toMatchObject({ status: 'succeeded', model: 'claude-x', inputTokens: 12, outputTokens: 5 })
    expect(seen).toEqual([{ url: '/v1/messages', key: 'sk-ant-test', model: 'claude-x' }])
    const here = await runFor(workspace, project, project.admin, { model })
    expect(here).toMatchObject({ status: 'succeeded', model: 'scripted' })
    expect(other.asked).toHaveLength(1)
  })
})
