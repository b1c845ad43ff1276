import { useEffect, useState, useSyncExternalStore } from 'react'
import { reportFault } from './report-fault.ts'

/** A value outside the tree of components that several of them read. */
export interface Store<T> {
  get(): T
  set(next: T | ((before: T) => T)): void
  subscribe(changed: () => void): () => void
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next) {
      value = typeof next === 'function' ? (next as (before: T) => T)(value) : next
      // A listener with a fault must not stop the others, or whoever sets the value.
      for (const changed of listeners) reportFault(changed)
    },
    subscribe(changed) {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
  }
}

export const useStore = <T>(store: Store<T>): T => useSyncExternalStore(store.subscribe, store.get)

const OFTEN_MS = 200

/** The same for a value that changes many times a second. It is drawn a few times a second, and the last value always. */
export function useBusyStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(store.get)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const draw = () => {
      timer = undefined
      setValue(() => store.get())
    }
    const stop = store.subscribe(() => {
      timer ??= setTimeout(draw, OFTEN_MS)
    })
    draw()
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [store])
  return value
}
