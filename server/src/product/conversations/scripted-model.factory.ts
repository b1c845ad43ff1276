import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type ModelSettings, NO_MODEL, type RunLimits } from '../../kernel/model/settings.ts'

/** How the model answers. */
export type Reply =
  | {
      text?: string
      calls?: { name: string; input?: unknown; id?: string }[]
      reasoning?: string
      finish?: string
      tokens?: number
    }
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** The stream ends without its closing message. */
  | { half: string; cut?: boolean }
  | { raw: string; contentType?: string }
  /** It says this much, then falls silent. */
  | { silent: true; after?: string }

export interface Asked {
  model: string
  messages: { role: string; content: unknown; tool_calls?: unknown[] }[]
  tools?: { function: { name: string; description: string; parameters: Record<string, unknown> } }[]
  authorization: string | undefined
}

export interface ScriptedModel {
  url: string
  asked: Asked[]
  /** Gives the replies in order and repeats the last one. A function can inspect the request. */
  script(...replies: (Reply | ((asked: Asked) => Reply | Promise<Reply>))[]): void
  settings(limits?: Partial<RunLimits>): ModelSettings
}

/** A server that speaks the OpenAI protocol and answers as scripted, for one test. */
export async function scriptedModel(): Promise<ScriptedModel> {
  const { close, ...model } = await startModel()
  onTestFinished(close)
  return model
}

/** The same for as long as it is wanted. */
export async function startModel(): Promise<ScriptedModel & { close(): void }> {
  let replies: Parameters<ScriptedModel['script']> = []
  const asked: Asked[] = []
  let calls = 0
  const server = createServer(async (req, res) => {
    const body = { ...JSON.parse(await bodyOf(req)), authorization: req.headers.authorization } as Asked
    asked.push(body)
    const next = replies.length > 1 ? replies.shift()! : replies[0]!
    const reply = typeof next === 'function' ? await next(body) : next
    send(res, reply, () => `call_${++calls}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return {
    url,
    asked,
    close() {
      server.closeAllConnections()
      server.close()
    },
    script: (...given) => {
      replies = given
    },
    settings: (limits = {}) => ({
      ...NO_MODEL,
      compatible: { baseUrl: url, apiKey: 'sk-test-of-the-model' },
      name: 'scripted',
      limits: { ...NO_MODEL.limits, retries: 0, ...limits },
    }),
  }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req) text += chunk
  return text
}

function send(res: ServerResponse, reply: Reply, nextId: () => string): void {
  if ('status' in reply) {
    res.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    res.end(JSON.stringify(reply.body ?? { error: { message: `status ${reply.status}` } }))
    return
  }
  if ('raw' in reply) {
    res.writeHead(200, { 'content-type': reply.contentType ?? 'text/event-stream' })
    res.end(reply.raw)
    return
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' })
  const chunk = (delta: object, more: object = {}) =>
    res.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`,
    )
  if ('silent' in reply) {
    if (reply.after) chunk({ role: 'assistant', content: reply.after })
    else res.flushHeaders()
    return
  }
  if ('half' in reply) {
    chunk({ role: 'assistant', content: reply.half })
    if (reply.cut) setImmediate(() => res.destroy())
    else res.end()
    return
  }
  if (reply.reasoning) chunk({ role: 'assistant', reasoning_content: reply.reasoning })
  for (const part of (reply.text ?? '').match(/.{1,7}/gsu) ?? []) chunk({ role: 'assistant', content: part })
  for (const [index, call] of (reply.calls ?? []).entries()) {
    const input = typeof call.input === 'string' ? call.input : JSON.stringify(call.input ?? {})
    const id = call.id ?? nextId()
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] })
    chunk({ tool_calls: [{ index, function: { arguments: input } }] })
  }
  const finish = reply.finish ?? (reply.calls?.length ? 'tool_calls' : 'stop')
  chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: finish }] })
  const { tokens = 120 } = reply
  chunk({}, { choices: [], usage: { prompt_tokens: tokens - 20, completion_tokens: 20, total_tokens: tokens } })
  res.end('data: [DONE]\n\n')
}
