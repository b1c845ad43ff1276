import { createStore } from './store.ts'

export interface Undoable {
  id: number
  /** What was done: "WO-41: status Ready". */
  text: string
  at: number
  run(): void
}

const KEPT = 10
let last = 0

/** What this tab did last and can take back, newest first. */
export const undoable = createStore<readonly Undoable[]>([])

/** Offers to take something back after its message is gone. Returns what withdraws the offer. */
export function offerUndo(text: string, run: () => void): { undo(): void; withdraw(): void } {
  const id = ++last
  undoable.set((all) => [{ id, text, at: Date.now(), run }, ...all].slice(0, KEPT))
  return { undo: () => undo(id), withdraw: () => withdraw(id) }
}

const withdraw = (id: number) => undoable.set((all) => all.filter((one) => one.id !== id))

/** Takes back one change, or the last. Returns false if there is none. */
export function undo(id = undoable.get()[0]?.id): boolean {
  const one = undoable.get().find((entry) => entry.id === id)
  if (!one) return false
  withdraw(one.id)
  one.run()
  return true
}
