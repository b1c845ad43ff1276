import { createStore } from '../lib/store.ts'

/** The ids of the selected work orders. The palette acts on them too. */
export const selection = createStore<ReadonlySet<string>>(new Set())
export const clearSelection = () => selection.set(new Set())
