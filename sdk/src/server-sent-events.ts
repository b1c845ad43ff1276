export interface ServerSentEvent {
  id: string | undefined
  event: string
  /** Undefined if only the id or the wait changes. */
  data: string | undefined
  /** How long the server asks clients to wait before they connect again. */
  retryMs: number | undefined
}

/** Reads the events of a `text/event-stream`, as the HTML standard defines it. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  let lines: string[] = []
  for await (const line of linesOf(body)) {
    if (line !== '') {
      lines.push(line)
      continue
    }
    const event = parseEvent(lines)
    lines = []
    if (event) yield event
  }
}

/** Undefined for comments, which only keep the connection open. */
function parseEvent(lines: string[]): ServerSentEvent | undefined {
  const data: string[] = []
  const found: ServerSentEvent = { id: undefined, event: 'message', data: undefined, retryMs: undefined }
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'data') data.push(value)
    else if (name === 'event') found.event = value
    else if (name === 'id' && !value.includes('\0')) found.id = value
    else if (name === 'retry' && /^\d+$/.test(value)) found.retryMs = Number(value)
  }
  if (data.length > 0) found.data = data.join('\n')
  return data.length > 0 || found.id !== undefined || found.retryMs !== undefined ? found : undefined
}

async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      rest += decoder.decode(value, { stream: true })
      // A carriage return at the end may be the first half of a line end.
      const end = rest.endsWith('\r') ? rest.length - 1 : rest.length
      const lines = rest.slice(0, end).split(/\r\n|\r|\n/)
      rest = lines.pop()! + rest.slice(end)
      yield* lines
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
