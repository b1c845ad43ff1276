import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDatabaseAway } from './index.ts'

/** How many are done together at most: enough to share a wait, few enough to be done soon. */
const MOST_AT_ONCE = 100

interface Waiting<T, R> {
  one: T
  resolve: (result: R) => void
  reject: (err: unknown) => void
}

/**
 * Does things of one kind together: the first ones at once, and whatever comes meanwhile in one go after them. Each
 * caller is answered when its own has been done. If several fail together, each is tried alone, so that only what is
 * itself at fault fails; unless the database went away, when nobody can know whether they were done.
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
      // What arrives in the same turn of the event loop goes along.
      await nextTurn()
      await doBatch(queue.splice(0, MOST_AT_ONCE))
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
