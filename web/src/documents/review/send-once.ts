import type { CommentAnchor } from '@slipway/sdk'
import { newId } from '../../lib/ids.ts'
import { faultOf } from '../../lib/outbox/index.ts'
import { isFinal } from '../../lib/outbox/write.ts'

export interface Sending {
  /** Sent as the `Idempotency-Key`. */
  key: string
  anchor: CommentAnchor | null
}

/** What was sent and never answered. The server may have it. */
const unanswered = new Map<string, Sending>()

/**
 * Sends a message. If nobody knows whether the last attempt with the same words arrived, it is repeated as it was, so that
 * it is posted once. A key answers only for the same body, so the place in the text stays the same too.
 */
export async function sendOnce<T>(
  { place, message, anchor }: { place: string; message: string; anchor?: CommentAnchor | undefined },
  send: (sending: Sending) => Promise<T>,
): Promise<T> {
  const name = `${place} ${message}`
  const sending = unanswered.get(name) ?? { key: newId(), anchor: anchor ?? null }
  unanswered.set(name, sending)
  try {
    const answer = await send(sending)
    unanswered.delete(name)
    return answer
  } catch (err) {
    if (isFinal(faultOf(err))) unanswered.delete(name)
    throw err
  }
}
