import { remember, remembered } from './storage.ts'
import { createStore } from './store.ts'

/** Whether the sidebar is folded away. This device remembers it. */
export const isSidebarHidden = createStore(remembered('sidebar') === 'hidden')

export function toggleSidebar(): void {
  isSidebarHidden.set((hidden) => !hidden)
  remember('sidebar', isSidebarHidden.get() ? 'hidden' : undefined)
}
