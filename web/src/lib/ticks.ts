import { useSyncExternalStore } from 'react'
import { reportFault } from './report-fault.ts'

const TICK_MS = 10_000
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Runs as time goes by. One timer serves the whole page, and none runs while nobody listens. */
export function onTick(run: () => void): () => void {
  listeners.add(run)
  timer ??= setInterval(() => {
    for (const one of listeners) reportFault(one)
  }, TICK_MS)
  return () => {
    listeners.delete(run)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** What is read from the clock: a text, a number or a boolean. Draws again only when it changes. */
export const useTicking = <T extends string | number | boolean>(read: () => T): T => useSyncExternalStore(onTick, read)
