import { SlipwayError } from './errors.ts'
import type { FollowOptions } from './operation.ts'
import { wait } from './retries.ts'
import { readEvents } from './server-sent-events.ts'

type Connect = (headers: Record<string, string>, signal: AbortSignal | undefined) => Promise<{ response: Response }>

/** The event after which a stream is over. Any other end is a broken connection. */
const LAST_EVENT = 'end'
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000

/**
 * Follows a stream. Connects again when the connection breaks, and continues after the last event that arrived. Ends
 * with the stream or when the signal aborts. Throws if the server refuses.
 */
export async function* follow(connect: Connect, { signal, lastEventId, onState }: FollowOptions) {
  let seen = lastEventId
  let waitMs = FIRST_WAIT_MS
  while (!signal?.aborted) {
    try {
      const { response } = await connect(seen === undefined ? {} : { 'last-event-id': seen }, signal)
      onState?.('open')
      for await (const { id, event, data } of readEvents(response.body!)) {
        waitMs = FIRST_WAIT_MS
        seen = id ?? seen
        if (data === undefined) continue
        yield { event, data: JSON.parse(data), ...(id === undefined ? {} : { id }) }
        if (event === LAST_EVENT) return
      }
    } catch (err) {
      if (signal?.aborted) return
      if (!isPassing(err)) throw err
    }
    onState?.('waiting')
    await wait(Math.random() * waitMs, signal).catch(() => undefined)
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
}

/** A server that is restarting or busy comes back. One that refuses the person does not. */
const isPassing = (err: unknown) =>
  !(err instanceof SlipwayError) || err.status === 0 || err.status === 429 || err.status >= 500
