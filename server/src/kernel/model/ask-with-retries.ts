import { setTimeout as delay } from 'node:timers/promises'
import { type Answer, ask, type Question } from './ask.ts'
import { ModelFailure } from './failure.ts'

const FIRST_WAIT_MS = 500
/** A model that asks for a longer wait would not answer within a run. */
const MAX_WAIT_MS = 60_000

/**
 * Retries when the model is busy or fails before it starts to answer. Waits as long as the model asks, and stops after
 * the given number of retries or when time runs out.
 */
export async function askWithRetries(question: Question, retries: number, leftMs: () => number): Promise<Answer> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await ask(question)
    } catch (err) {
      if (!(err instanceof ModelFailure) || err.retryAfterMs === undefined || attempt >= retries) throw err
      const waitMs = Math.max(err.retryAfterMs, FIRST_WAIT_MS * 2 ** attempt)
      if (err.retryAfterMs > MAX_WAIT_MS || waitMs >= leftMs())
        throw new ModelFailure(`${err.message} It asks to wait ${Math.ceil(waitMs / 1000)} s, which is too long.`, {
          isTransient: true,
        })
      await delay(waitMs, undefined, { signal: question.signal }).catch(() => question.signal.throwIfAborted())
    }
  }
}
