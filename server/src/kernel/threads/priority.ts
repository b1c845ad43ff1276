import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

const LOWER = 10

/** Lets the main thread go first, on Linux. Call it in a thread. */
export function lowerPriority(): void {
  try {
    setPriority(Number(readlinkSync('/proc/thread-self').split('/').at(-1)), LOWER)
  } catch {
    // Elsewhere, a number is not a thread.
  }
}
