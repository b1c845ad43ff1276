import type { WorkOrderRow } from '../work-orders/work-order.ts'
import { createStore } from './store.ts'

export interface CreatePreset {
  title?: string
  values?: Partial<Pick<WorkOrderRow, 'status' | 'priority' | 'phase' | 'assignee'>>
}

/** What lies above the page. One at a time. */
export type Overlay =
  | { kind: 'palette' }
  | { kind: 'shortcuts' }
  | { kind: 'sign-out' }
  | { kind: 'create'; preset: CreatePreset }
  | undefined

export const overlay = createStore<Overlay>(undefined)
export const openPalette = () => overlay.set({ kind: 'palette' })
export const openShortcuts = () => overlay.set({ kind: 'shortcuts' })
export const openSignOut = () => overlay.set({ kind: 'sign-out' })
export const openCreate = (preset: CreatePreset = {}) => overlay.set({ kind: 'create', preset })
export const closeOverlay = () => overlay.set(undefined)
