const WINDOW_MS = 60_000
const MOST_FOR_ONE = 10
const MOST_FROM_ONE = 100
/** More than this are forgotten all at once: that only opens a new minute. */
const MOST_KEPT = 100_000

interface Count {
  count: number
  until: number
}

/** Counts wrong passwords of the last minute, for each person from an address and for the address, on this node. */
export function createTries() {
  const counts = new Map<string, Count>()
  const countOf = (key: string) => {
    const known = counts.get(key)
    return known && known.until > Date.now() ? known : undefined
  }
  const keysOf = (address: string, email: string) => [`${address} ${email.toLowerCase()}`, address] as const
  return {
    /** How many seconds to wait; 0 for none. */
    waitSeconds(address: string, email: string): number {
      const [one, from] = keysOf(address, email)
      const full = [[countOf(one), MOST_FOR_ONE] as const, [countOf(from), MOST_FROM_ONE] as const].flatMap(
        ([known, most]) => (known && known.count >= most ? [known.until - Date.now()] : []),
      )
      return Math.ceil(Math.max(0, ...full) / 1_000)
    },
    failed(address: string, email: string): void {
      if (counts.size > MOST_KEPT) counts.clear()
      for (const key of keysOf(address, email)) {
        const known = countOf(key) ?? { count: 0, until: Date.now() + WINDOW_MS }
        known.count++
        counts.set(key, known)
      }
    },
  }
}
