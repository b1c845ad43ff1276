import { createStore } from '../lib/store.ts'

/** The ids of the selected work orders. The palette acts on them too. */
export const selection = createStore<ReadonlySet<string>>(new Set())
export const toggleSelected = (id: string) =>
  selection.set((old) => (old.has(id) ? new Set([...old].filter((one) => one !== id)) : new Set(old).add(id)))
export const clearSelection = () => selection.set(new Set())
