import { isDatabaseAway } from './database.ts'

/** How many are done together at most: enough to share a wait, few enough to be done soon. */
const MOST_AT_ONCE = 100

interface Waiting<T, R> {
  one: T
  resolve: (result: R) => void
  reject: (err: unknown) => void
}

/**
 * Does things of one kind together: the first alone and at once, and whatever comes meanwhile in one go after it. Each
 * caller is answered when its own has been done. If several fail together, each is tried alone, so that only what is
 * itself at fault fails; unless the database went away, when nobody can know whether they were done.
 */
export function gather<T, R>(kindOf: (one: T) => string, doAll: (all: T[]) => Promise<R[]>): (one: T) => Promise<R> {
  const waiting = new Map<string, Waiting<T, R>[]>()

  async function run(kind: string, queue: Waiting<T, R>[]) {
    while (queue.length > 0) {
      const batch = queue.splice(0, MOST_AT_ONCE)
      try {
        const results = await doAll(batch.map(({ one }) => one))
        for (const [index, { resolve }] of batch.entries()) resolve(results[index]!)
      } catch (err) {
        if (batch.length === 1 || isDatabaseAway(err)) for (const { reject } of batch) reject(err)
        else await Promise.all(batch.map(({ one, resolve, reject }) => doAll([one]).then(([r]) => resolve(r!), reject)))
      }
    }
    waiting.delete(kind)
  }

  return (one) =>
    new Promise((resolve, reject) => {
      const kind = kindOf(one)
      const queue = waiting.get(kind)
      if (queue) queue.push({ one, resolve, reject })
      else {
        const started = [{ one, resolve, reject }]
        waiting.set(kind, started)
        run(kind, started)
      }
    })
}
