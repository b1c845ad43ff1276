import { readFileSync } from 'node:fs'
import { expect } from 'vitest'

const EVERY_MS = 5
const LIMIT_MS = 200

/** Returns the CPU time of this thread. Platforms other than Linux only report that of the whole process. */
function computedMs(): number {
  if (process.platform === 'linux')
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ', 1)[0]) / 1e6
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/**
 * Returns the longest time in milliseconds that the event loop computes without a pause while the action runs. Time
 * spent waiting for a busy machine does not count.
 */
export async function longestBlock(action: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = computedMs()
  const look = () => {
    const now = computedMs()
    longest = Math.max(longest, now - before)
    before = now
  }
  const timer = setInterval(look, EVERY_MS)
  await action().finally(() => clearInterval(timer))
  look()
  return longest
}

/** Prepare large bodies beforehand: the test's own computation counts as well. */
export async function expectNoBlocking(action: () => Promise<unknown>): Promise<void> {
  const longest = await longestBlock(action)
  expect(longest, 'ms for which nothing else could run').toBeLessThanOrEqual(LIMIT_MS)
}
