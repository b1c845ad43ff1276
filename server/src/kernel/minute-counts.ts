const MINUTE_MS = 60_000

export interface Allowance {
  name: string
  limit: number
}

interface Count {
  count: number
  endsAtMs: number
}

/** Counts events by name on this node. Each count resets one minute after its first event. */
export function createMinuteCounts() {
  const counts = new Map<string, Count>()
  let forgetAtMs = 0

  function forgetOld(nowMs: number) {
    if (nowMs < forgetAtMs) return
    for (const [name, { endsAtMs }] of counts) if (endsAtMs <= nowMs) counts.delete(name)
    forgetAtMs = nowMs + MINUTE_MS
  }
  function countOf(name: string, nowMs: number): Count {
    const known = counts.get(name)
    return known && known.endsAtMs > nowMs ? known : { count: 0, endsAtMs: nowMs + MINUTE_MS }
  }

  return {
    /**
     * Counts one event for each name and returns 0. If a limit is reached, counts nothing and returns the seconds to
     * wait.
     */
    take(allowances: Allowance[]): number {
      const nowMs = Date.now()
      forgetOld(nowMs)
      const current = allowances.map(({ name, limit }) => ({ name, limit, ...countOf(name, nowMs) }))
      const waitsMs = current.map(({ count, limit, endsAtMs }) => (count >= limit ? endsAtMs - nowMs : 0))
      const waitMs = Math.max(0, ...waitsMs)
      if (waitMs > 0) return Math.ceil(waitMs / 1_000)
      for (const { name, count, endsAtMs } of current) counts.set(name, { count: count + 1, endsAtMs })
      return 0
    },
    giveBack(allowances: Allowance[]): void {
      for (const { name } of allowances) {
        const known = counts.get(name)
        if (known && known.count > 0) known.count--
      }
    },
  }
}
