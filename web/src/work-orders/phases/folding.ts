import { createStore } from '../../lib/store.ts'

/** Which lanes somebody opened or folded, by the id of their phase. Others fold once all of their work is completed. */
export const foldedLanes = createStore<ReadonlyMap<string, boolean>>(new Map())

export const foldLane = (id: string, isFolded: boolean) =>
  foldedLanes.set((before) => new Map(before).set(id, isFolded))

export const foldAll = (ids: string[], isFolded: boolean) =>
  foldedLanes.set(new Map(ids.map((id) => [id, isFolded] as const)))
