import { kinds, writes } from './queue.ts'

let load: (name: string) => Promise<void> = async () => {}

/** Says how to load the code that defines a kind of write. */
export const loadKindsBy = (loader: typeof load) => {
  load = loader
}

const unknown = () => [...new Set(writes.get().map(({ kind }) => kind))].filter((name) => !kinds.has(name))

export const hasUnknownKinds = () => unknown().length > 0

/** Loads what is needed to send writes, and to compare the texts of conflicts. False if something could not be loaded. */
export async function loadKinds(): Promise<boolean> {
  const loads = await Promise.allSettled(unknown().map((name) => load(name)))
  // A conflict can be shown now.
  writes.set((all) => [...all])
  return loads.every(({ status }) => status === 'fulfilled')
}
