import type { Server } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface EventStream {
  send(event: string, data: unknown, id?: string | number): void
  /** Sends events that are already in the format of the stream. */
  write(frames: string): void
  /** Aborts when the client disconnects or the server stops. */
  signal: AbortSignal
  close(): void
}

const openOn = new WeakMap<object, Set<EventStream>>()
const KEEP_ALIVE_MS = 15_000
/** What may wait for a reader. One that falls further behind is cut off and must connect again. */
const MAX_BACKLOG_BYTES = 8 * 1024 * 1024

interface StreamOptions {
  keepAliveMs?: number
  maxBacklogBytes?: number
}

export const frameOf = (event: string, data: unknown, id?: string | number) =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** The highest number that an event can have: PostgreSQL's `integer`. */
export const LAST_NUMBER = 2_147_483_647

/** Where a stream of numbered events goes on: a browser that connects again says what it has seen. */
export function lastSeen({ headers }: Pick<FastifyRequest, 'headers'>, after: number): number {
  const seen = Number(headers['last-event-id'] ?? after)
  return Number.isInteger(seen) && seen >= 0 && seen <= LAST_NUMBER ? seen : 0
}

/** Responds with server-sent events until `close` is called. */
export function openEventStream(
  req: FastifyRequest,
  reply: FastifyReply,
  { keepAliveMs = KEEP_ALIVE_MS, maxBacklogBytes = MAX_BACKLOG_BYTES }: StreamOptions = {},
): EventStream {
  reply.hijack()
  const { raw } = reply
  const open = openOn.get(req.server.server) ?? new Set()
  openOn.set(req.server.server, open)
  const headers = {
    ...reply.getHeaders(),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
    // A server that stops would wait for the connection to be used again.
    connection: 'close',
  }
  raw.writeHead(200, headers as Record<string, string>)
  const gone = new AbortController()
  // Shorter than the timeout after which idle connections are closed.
  const everyMs = Math.min(keepAliveMs, req.server.server.timeout / 4)
  const keepAlive = setInterval(() => raw.write(': still here\n\n'), everyMs)
  const stream: EventStream = {
    signal: gone.signal,
    send(event, data, id) {
      stream.write(frameOf(event, data, id))
    },
    write(frames) {
      if (gone.signal.aborted) return
      raw.write(frames)
      if (raw.writableLength > maxBacklogBytes) raw.destroy()
    },
    close() {
      clearInterval(keepAlive)
      open.delete(stream)
      gone.abort()
      raw.end()
    },
  }
  open.add(stream)
  req.raw.once('close', () => stream.close())
  return stream
}

/** Called before the server stops. It would wait for open streams otherwise. */
export function closeEventStreams(server: Server): void {
  for (const stream of [...(openOn.get(server) ?? [])]) stream.close()
}
