import { ReadableStream as Pieces } from 'node:stream/web'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

/** About 20 parts of an answer, which take a few milliseconds to read. */
const PIECE_BYTES = 4_096

/**
 * Reads answers in small pieces, one in each turn of the event loop: a server that sends as fast as it can would otherwise
 * hold up all other requests, because a chunk is read as a whole.
 */
export const pacedFetch =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (...request) => {
    const answer = await fetch(...request)
    const { status, statusText, headers, body } = answer
    if (!body) return answer
    return new Response(Pieces.from(inPieces(body)) as ReadableStream, { status, statusText, headers })
  }

async function* inPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body)
    for (let from = 0; from < chunk.length; from += PIECE_BYTES) {
      yield chunk.subarray(from, from + PIECE_BYTES)
      await yieldToEventLoop()
    }
}
