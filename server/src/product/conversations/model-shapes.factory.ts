import type { ServerResponse } from 'node:http'

/** How an answer is written in the protocol of a provider, piece by piece. */
export interface Shape {
  reason(text: string): void
  say(text: string): void
  call(id: string, name: string, input: string): void
  /** The closing messages. An answer without them has broken off. */
  end(finish: string, tokens: { input: number; output: number }): void
}

/** The chat completions of OpenAI, which most servers of models speak. */
export function openAiShape(res: ServerResponse): Shape {
  let calls = 0
  const chunk = (delta: object, more: object = {}) =>
    res.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: [{ index: 0, delta, finish_reason: null }], ...more })}\n\n`,
    )
  return {
    reason: (text) => void chunk({ role: 'assistant', reasoning_content: text }),
    say: (text) => void chunk({ role: 'assistant', content: text }),
    call(id, name, input) {
      const index = calls++
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
      chunk({ tool_calls: [{ index, function: { arguments: input } }] })
    },
    end(finish, { input, output }) {
      chunk({}, { choices: [{ index: 0, delta: {}, finish_reason: finish }] })
      const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output }
      chunk({}, { choices: [], usage })
      res.write('data: [DONE]\n\n')
    },
  }
}

const STOP_REASONS: Record<string, string> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'refusal',
}

/** The messages of Anthropic: blocks of content, each with a start, pieces and an end. */
export function anthropicShape(res: ServerResponse): Shape {
  let index = -1
  let open: string | undefined
  const send = (type: string, more: object = {}) =>
    res.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`)
  const close = () => {
    if (open !== undefined) send('content_block_stop', { index })
    open = undefined
  }
  const block = (kind: string, content_block: object) => {
    if (open === kind) return
    close()
    open = kind
    send('content_block_start', { index: ++index, content_block })
  }
  const usage = { input_tokens: 100, output_tokens: 1 }
  const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude-scripted', content: [], usage }
  send('message_start', { message: { ...message, stop_reason: null, stop_sequence: null } })
  const delta = (one: object) => send('content_block_delta', { index, delta: one })
  return {
    reason(text) {
      block('thinking', { type: 'thinking', thinking: '' })
      delta({ type: 'thinking_delta', thinking: text })
    },
    say(text) {
      block('text', { type: 'text', text: '' })
      delta({ type: 'text_delta', text })
    },
    call(id, name, input) {
      close()
      block(id, { type: 'tool_use', id, name, input: {} })
      delta({ type: 'input_json_delta', partial_json: input })
      close()
    },
    end(finish, { output }) {
      close()
      const stop_reason = STOP_REASONS[finish] ?? finish
      send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } })
      send('message_stop')
    },
  }
}

interface Block {
  type: string
  text?: string
  content?: unknown
  tool_use_id?: string
}

type AskedMessage = { role: string; content: unknown }

/** What Anthropic's models are asked, as a list of messages in which each result of a tool is one, as OpenAI's are. */
export function messagesAsked(body: { system?: unknown; messages: AskedMessage[] }): AskedMessage[] {
  if (body.system === undefined) return body.messages
  const told = body.messages.flatMap(({ role, content }): AskedMessage[] => {
    const blocks = Array.isArray(content) ? (content as Block[]) : []
    const results = blocks.filter(({ type }) => type === 'tool_result')
    if (results.length === 0) return [{ role, content }]
    return results.map((one) => ({ role: 'tool', content: wordsOf(one.content) }))
  })
  return [{ role: 'system', content: wordsOf(body.system) }, ...told]
}

const wordsOf = (content: unknown) =>
  Array.isArray(content) ? (content as Block[]).map(({ text }) => text).join('') : String(content)
