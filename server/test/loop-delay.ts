import { expect } from 'vitest'

const EVERY_MS = 5
const LIMIT_MS = 200

/**
 * The longest time, in milliseconds, for which the event loop was busy with one thing while the action ran. It is the
 * time that this process computed: what it had to wait for a busy machine does not count.
 */
export async function longestBlock(action: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let before = process.cpuUsage()
  const look = () => {
    const { user, system } = process.cpuUsage(before)
    longest = Math.max(longest, (user + system) / 1_000)
    before = process.cpuUsage()
  }
  const timer = setInterval(look, EVERY_MS)
  await action().finally(() => clearInterval(timer))
  look()
  return longest
}

/** Prepare large bodies beforehand: what the test computes counts as well. */
export async function expectNoBlocking(action: () => Promise<unknown>): Promise<void> {
  const longest = await longestBlock(action)
  expect(longest, 'ms for which nothing else could run').toBeLessThanOrEqual(LIMIT_MS)
}
