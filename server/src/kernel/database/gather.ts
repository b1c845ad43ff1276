import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDatabaseAway } from './index.ts'

/** Large enough to share the wait for a commit, small enough to finish soon. `bench/reports.mjs` measures it. */
const MAX_BATCH = 100

interface Waiting<T, R> {
  one: T
  resolve: (result: R) => void
  reject: (err: unknown) => void
}

/**
 * Batches calls of the same kind. The first calls run at once; calls that arrive in the meantime run together after
 * them. Each caller gets its own result. If a batch fails, each call is retried alone, so that only the faulty one
 * fails. If the connection was lost, all fail, because the batch may have been committed.
 */
export function gather<T, R>(kindOf: (one: T) => string, doAll: (all: T[]) => Promise<R[]>): (one: T) => Promise<R> {
  const queues = new Map<string, Waiting<T, R>[]>()

  async function doBatch(batch: Waiting<T, R>[]) {
    try {
      const results = await doAll(batch.map(({ one }) => one))
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]!)
    } catch (err) {
      if (batch.length === 1 || isDatabaseAway(err)) for (const { reject } of batch) reject(err)
      else await Promise.all(batch.map(({ one, resolve, reject }) => doAll([one]).then(([r]) => resolve(r!), reject)))
    }
  }

  async function work(kind: string, queue: Waiting<T, R>[]) {
    while (queue.length > 0) {
      // Collects the calls of the same turn of the event loop.
      await nextTurn()
      await doBatch(queue.splice(0, MAX_BATCH))
    }
    queues.delete(kind)
  }

  return (one) =>
    new Promise((resolve, reject) => {
      const kind = kindOf(one)
      const waiting = { one, resolve, reject }
      const queue = queues.get(kind)
      if (queue) queue.push(waiting)
      else {
        const started = [waiting]
        queues.set(kind, started)
        work(kind, started)
      }
    })
}
