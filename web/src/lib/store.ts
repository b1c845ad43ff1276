import { useSyncExternalStore } from 'react'
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
