import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { refuseInsideTransaction } from './database/transaction-guard.ts'

const YIELD_EVERY_MS = 10

/**
 * Processes many values and lets other requests run at regular intervals. Not for use in a transaction, which would
 * wait for those requests.
 */
export async function forEachYielding<T>(values: Iterable<T>, each: (value: T) => void): Promise<void> {
  let yieldAtMs = performance.now() + YIELD_EVERY_MS
  for (const value of values) {
    each(value)
    if (performance.now() < yieldAtMs) continue
    refuseInsideTransaction('other requests')
    await yieldToEventLoop()
    yieldAtMs = performance.now() + YIELD_EVERY_MS
  }
}

export async function mapYielding<T, R>(values: Iterable<T>, map: (value: T) => R): Promise<R[]> {
  const mapped: R[] = []
  await forEachYielding(values, (value) => mapped.push(map(value)))
  return mapped
}
