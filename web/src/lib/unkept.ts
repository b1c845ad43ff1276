import { createStore } from './store.ts'

/** Names what was written here and does not fit into the browser's store. It is lost with the tab, so leaving asks first. */
export const unkept = createStore<ReadonlySet<string>>(new Set())

export function noteKept(name: string, isKept: boolean): void {
  if (unkept.get().has(name) !== isKept) return
  const names = new Set(unkept.get())
  if (isKept) names.delete(name)
  else names.add(name)
  unkept.set(names)
}

addEventListener('beforeunload', (event) => {
  if (unkept.get().size > 0) event.preventDefault()
})
