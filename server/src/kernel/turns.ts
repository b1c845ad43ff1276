import { setImmediate as nextTurn } from 'node:timers/promises'
import { refuseInsideTransaction } from './database/transaction-guard.ts'

const TURN_MS = 10

/**
 * Processes many values and lets other requests run at regular intervals. Not for use in a transaction, which would
 * wait for those requests.
 */
export async function forEachInTurns<T>(values: Iterable<T>, each: (value: T) => void): Promise<void> {
  let turnEnds = performance.now() + TURN_MS
  for (const value of values) {
    each(value)
    if (performance.now() < turnEnds) continue
    refuseInsideTransaction('other requests')
    await nextTurn()
    turnEnds = performance.now() + TURN_MS
  }
}

export async function mapInTurns<T, R>(values: Iterable<T>, map: (value: T) => R): Promise<R[]> {
  const mapped: R[] = []
  await forEachInTurns(values, (value) => mapped.push(map(value)))
  return mapped
}
