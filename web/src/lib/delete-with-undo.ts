import { createStore } from './store.ts'
import { showToast } from './toasts.ts'

/** What is hidden until it is deleted, by its id. */
export const leaving = createStore<ReadonlyMap<string, () => void>>(new Map())

/** Hides something, and deletes it when Undo is no longer offered. Leaving the page deletes at once. */
export function deleteWithUndo(id: string, text: string, send: () => void): void {
  const forget = () => leaving.set((before) => new Map([...before].filter(([one]) => one !== id)))
  const final = () => {
    if (!leaving.get().has(id)) return
    send()
    forget()
  }
  leaving.set((before) => new Map(before).set(id, final))
  showToast({ text, undo: forget, final })
}

addEventListener('pagehide', () => {
  for (const final of leaving.get().values()) final()
})
