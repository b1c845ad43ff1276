import { AppError } from '../errors.ts'

/** What was computed before a transaction began no longer fits what the transaction found. */
export class OutdatedError extends Error {}

/** More are needed only if others keep writing faster than this can be computed. */
const MAX_ATTEMPTS = 12

/**
 * For writes whose result takes long to compute. `attempt` reads, computes, then opens a transaction that locks what was
 * read, throws an `OutdatedError` if it has changed since, and writes. Then all of it runs again.
 */
export async function untilCurrent<T>(attempt: () => Promise<T>): Promise<T> {
  for (let count = 0; count < MAX_ATTEMPTS; count++) {
    try {
      return await attempt()
    } catch (err) {
      if (!(err instanceof OutdatedError)) throw err
    }
  }
  const detail = 'This keeps changing while the write is worked out. Try again in a moment.'
  throw new AppError(409, 'document_busy', detail, { headers: { 'retry-after': '1' } })
}

const queues = new Map<string, Promise<unknown>>()

/** Runs calls for the same thing one after the other on this node: at once, each would outdate the others. */
export async function oneByOne<T>(queue: string, run: () => Promise<T>): Promise<T> {
  const result = (queues.get(queue) ?? Promise.resolve()).then(run)
  const last = result.catch(() => undefined)
  queues.set(queue, last)
  try {
    return await result
  } finally {
    if (queues.get(queue) === last) queues.delete(queue)
  }
}
