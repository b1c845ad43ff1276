/** Longer than a transaction has an id for an event without being counted as one that writes. */
const MARGIN_MS = 1_000
const MARK_EVERY_MS = 250

interface Mark {
  last: number
  xmax: bigint
  atMs: number
}

/**
 * Finds out up to which event nothing more can appear. What a read does not see below its last event belongs to a
 * transaction that was running at that time. Once all of those have ended, a later read has seen everything.
 */
export function createSettling(start: number) {
  let settled = start
  const marks: Mark[] = []
  return {
    get settled() {
      return settled
    },
    /** True if a later read could settle more. */
    get isOpen() {
      return marks.length > 0
    },
    /** Call it with what a read from `settled` on has seen. */
    note({ last, xmin, xmax }: { last: number; xmin: bigint; xmax: bigint }): void {
      const now = performance.now()
      const done = marks.findLastIndex((mark) => mark.xmax <= xmin && now - mark.atMs >= MARGIN_MS)
      if (done >= 0) settled = marks.splice(0, done + 1).at(-1)!.last
      const previous = marks.at(-1)
      if (last > (previous?.last ?? settled) && now - (previous?.atMs ?? Number.NEGATIVE_INFINITY) >= MARK_EVERY_MS)
        marks.push({ last, xmax, atMs: now })
    },
    /** Gives up waiting for transactions that take too long. */
    force(last: number): void {
      settled = Math.max(settled, last)
      while (marks.length > 0 && marks[0]!.last <= settled) marks.shift()
    },
  }
}
