import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setInterval } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { type ModelSettings, NO_MODEL, type RunLimits } from '../../kernel/model/settings.ts'
import { anthropicShape, messagesAsked, openAiShape, type Shape } from './model-shapes.factory.ts'

const KEY = 'sk-test-of-the-model'

/** How the model answers. */
export type Reply =
  | {
      text?: string
      calls?: { name: string; input?: unknown; id?: string }[]
      reasoning?: string
      finish?: string
      tokens?: number
      /** It says the first half of its text, then waits for this. */
      pause?: Promise<unknown>
    }
  | { status: number; headers?: Record<string, string>; body?: unknown }
  /** The stream ends without its closing message. */
  | { half: string; cut?: boolean }
  | { raw: string; contentType?: string }
  /** It says this much, then falls silent. */
  | { silent: true; after?: string }
  /** It says this again and again, until nobody listens. */
  | { endless: string }

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
  settings(limits?: Partial<RunLimits>, shape?: 'openai' | 'anthropic'): ModelSettings
}

/** A server that speaks the protocols of OpenAI and of Anthropic, and answers as scripted, for one test. */
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
    const isAnthropic = req.url!.endsWith('/messages')
    const sent = JSON.parse(await bodyOf(req))
    const body = { ...sent, messages: messagesAsked(sent), authorization: req.headers.authorization } as Asked
    asked.push(body)
    const next = replies.length > 1 ? replies.shift()! : replies[0]!
    const reply = typeof next === 'function' ? await next(body) : next
    await send(res, reply, isAnthropic ? anthropicShape : openAiShape, () => `call_${++calls}`)
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
    settings: (limits = {}, shape = 'openai') => ({
      ...NO_MODEL,
      ...(shape === 'openai'
        ? { compatible: { baseUrl: url, apiKey: KEY }, name: 'scripted' }
        : { anthropic: { baseUrl: url, apiKey: KEY }, name: 'claude-scripted' }),
      limits: { ...NO_MODEL.limits, retries: 0, ...limits },
    }),
  }
}

async function bodyOf(req: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of req) text += chunk
  return text
}

async function send(
  res: ServerResponse,
  reply: Reply,
  shapeOf: (res: ServerResponse) => Shape,
  nextId: () => string,
): Promise<void> {
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
  res.flushHeaders()
  if ('silent' in reply) {
    if (reply.after) shapeOf(res).say(reply.after)
    return
  }
  const shape = shapeOf(res)
  if ('endless' in reply) return sayForever(res, shape, reply.endless)
  if ('half' in reply) {
    shape.say(reply.half)
    if (reply.cut) setImmediate(() => res.destroy())
    else res.end()
    return
  }
  if (reply.reasoning) shape.reason(reply.reasoning)
  const pieces = (reply.text ?? '').match(/.{1,7}/gsu) ?? []
  for (const [index, piece] of pieces.entries()) {
    if (index === Math.floor(pieces.length / 2)) await reply.pause
    shape.say(piece)
  }
  for (const { id = nextId(), name, input } of reply.calls ?? [])
    shape.call(id, name, typeof input === 'string' ? input : JSON.stringify(input ?? {}))
  const { tokens = 120 } = reply
  shape.end(reply.finish ?? (reply.calls?.length ? 'tool_calls' : 'stop'), { input: tokens - 20, output: 20 })
  res.end()
}

/** A thousand pieces a second: faster than any model, while whoever reads shares its process. */
async function sayForever(res: ServerResponse, shape: Shape, text: string): Promise<void> {
  for await (const _ of setInterval(1)) {
    if (res.destroyed) return
    shape.say(text)
  }
}
