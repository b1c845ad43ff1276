import { createStore, type Store } from './store.ts'

export interface Selection {
  ids: Store<ReadonlySet<string>>
  toggle(id: string): void
  clear(): void
}

/** The rows of a list that are selected, by their ids. */
export function createSelection(): Selection {
  const ids = createStore<ReadonlySet<string>>(new Set())
  return {
    ids,
    toggle: (id) =>
      ids.set((old) => (old.has(id) ? new Set([...old].filter((one) => one !== id)) : new Set(old).add(id))),
    clear: () => ids.set(new Set()),
  }
}
