interface Waiting {
  key: string
  begin(): void
}

/**
 * Limits how many tasks run at once, in total and for each key. Returns a function that waits for a turn. It resolves
 * to a function that ends the turn, or to undefined if `withinMs` passes first.
 */
export function createFairQueue({ max, maxPerKey }: { max: number; maxPerKey: number }) {
  const running = new Map<string, number>()
  const waiting: Waiting[] = []
  let total = 0

  const isFree = (key: string) => total < max && (running.get(key) ?? 0) < maxPerKey

  function begin(key: string): () => void {
    total++
    running.set(key, (running.get(key) ?? 0) + 1)
    return () => {
      total--
      const left = running.get(key)! - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
      const next = waiting.findIndex((one) => isFree(one.key))
      if (next !== -1) waiting.splice(next, 1)[0]!.begin()
    }
  }

  return function takeTurn(key: string, withinMs: number): Promise<(() => void) | undefined> {
    if (isFree(key)) return Promise.resolve(begin(key))
    return new Promise((resolve) => {
      const one: Waiting = {
        key,
        begin() {
          clearTimeout(timer)
          resolve(begin(key))
        },
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(one), 1)
        resolve(undefined)
      }, withinMs)
      waiting.push(one)
    })
  }
}
