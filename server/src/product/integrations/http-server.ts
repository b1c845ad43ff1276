import type { IncomingMessage } from 'node:http'
import { guardedPost, readBounded } from '../../kernel/http/outgoing/guarded-request.ts'
import { AGENT_HEADER } from '../../kernel/http/own-agents.ts'
import { short } from '../../kernel/model/index.ts'

type Json = Record<string, unknown>

/** Sends a protocol request and returns its result. */
export type Ask = (method: string, params: Json, withinMs: number, signal: AbortSignal) => Promise<Json>

const PROTOCOL_VERSION = '2025-06-18'

interface HttpServer {
  url: URL
  token: string | undefined
  /** Tells whose agent asks. */
  mark: string
  privateHosts: boolean
}

/**
 * Speaks streamable HTTP with an MCP server. It avoids the SDK, which checks every message against schemas on the main
 * thread: a crafted answer of 1 MB takes seconds.
 */
export async function openHttpServer(server: HttpServer, withinMs: number, signal: AbortSignal): Promise<Ask> {
  const { url, token, mark, privateHosts } = server
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'accept-encoding': 'identity',
    [AGENT_HEADER]: mark,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  }
  let lastId = 0
  const post = (message: Json, signal: AbortSignal) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message })
    return guardedPost(url, { headers, body, signal, privateHosts })
  }
  const ask: Ask = async (method, params, withinMs, signal) => {
    const id = ++lastId
    const timeout = AbortSignal.timeout(withinMs)
    try {
      const answer = await post({ id, method, params }, AbortSignal.any([signal, timeout]))
      const session = answer.headers['mcp-session-id']
      if (typeof session === 'string') headers['mcp-session-id'] = session
      return resultOf(await messageOf(answer, id))
    } catch (err) {
      throw timeout.aborted ? new Error(`it did not answer within ${withinMs / 1_000} s`) : err
    }
  }
  const clientInfo = { name: 'slipway', version: '1' }
  const asked = { protocolVersion: PROTOCOL_VERSION, capabilities: {}, clientInfo }
  const { protocolVersion } = await ask('initialize', asked, withinMs, signal)
  headers['mcp-protocol-version'] = String(protocolVersion)
  ;(await post({ method: 'notifications/initialized' }, signal)).destroy()
  return ask
}

/** Returns the message that answers the request and ignores all others. */
async function messageOf(answer: IncomingMessage, id: number): Promise<Json> {
  const { statusCode, headers } = answer
  const type = headers['content-type'] ?? ''
  if (statusCode === 200 && type.startsWith('text/event-stream')) {
    for await (const events of eventsOf(answer))
      for (const text of events) {
        const message = JSON.parse(text) as Json | null
        if (message?.id === id && message.method === undefined) return message
      }
    throw new Error('its answer broke off')
  }
  let text = ''
  for await (const part of readBounded(answer)) text += part
  const isProblem = type.startsWith('application/problem+json')
  if (statusCode === 403 && isProblem) throw new Error(short(String((JSON.parse(text) as Json).detail)))
  if (statusCode === 401 || statusCode === 403)
    throw new Error(`it refuses the token (${statusCode}). Reconnect it with a token that it accepts`)
  if (statusCode !== 200) throw new Error(`it answered ${statusCode}: ${short(text)}`)
  if (!type.startsWith('application/json')) throw new Error(`it answered with "${short(type)}" instead of JSON`)
  return JSON.parse(text) as Json
}

/**
 * Yields the data of server-sent events as they arrive. It scans only new text, because a line can arrive in very many
 * pieces.
 */
async function* eventsOf(answer: IncomingMessage): AsyncGenerator<string[]> {
  let begun = ''
  let data: string[] = []
  for await (const text of readBounded(answer)) {
    const lines = text.split('\n')
    lines[0] = begun + lines[0]
    begun = lines.pop()!
    const events: string[] = []
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice('data:'.length))
      else if ((line === '' || line === '\r') && data.length > 0) {
        events.push(data.join('\n'))
        data = []
      }
    }
    yield events
  }
}

function resultOf({ result, error }: Json): Json {
  if (result !== null && typeof result === 'object') return result as Json
  const message = (error as Json | null | undefined)?.message
  throw new Error(typeof message === 'string' ? message : 'its answer makes no sense')
}
