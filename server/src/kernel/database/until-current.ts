import { AppError } from '../errors.ts'
import { type Db, isTransaction } from './statement.ts'

/** What was computed before a transaction began no longer fits what the transaction found. */
export class OutdatedError extends Error {}

/** More are needed only if other nodes keep writing faster than this can be computed. */
const MAX_ATTEMPTS = 12

/**
 * For writes whose result takes long to compute. `attempt` reads, computes, then opens a transaction that locks what was
 * read, throws an `OutdatedError` if it has changed since, and writes. Then all of it runs again. Writes of one thing go
 * one after the other on this node: at once, each would outdate the others.
 */
export function untilCurrent<T>(db: Db, id: string, attempt: () => Promise<T>): Promise<T> {
  const run = () => repeat(attempt)
  // Whoever is first in the queue may wait for the locks of this transaction.
  return isTransaction(db) ? run() : inTurn(id.toLowerCase(), run)
}

async function repeat<T>(attempt: () => Promise<T>): Promise<T> {
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

async function inTurn<T>(id: string, run: () => Promise<T>): Promise<T> {
  const result = (queues.get(id) ?? Promise.resolve()).then(run)
  const last = result.catch(() => undefined)
  queues.set(id, last)
  try {
    return await result
  } finally {
    if (queues.get(id) === last) queues.delete(id)
  }
}
