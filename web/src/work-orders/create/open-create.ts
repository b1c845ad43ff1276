import { createStore } from '../../lib/store.ts'
import type { WorkOrderRow } from '../work-order.ts'

export interface CreatePreset {
  title?: string
  values?: Partial<Pick<WorkOrderRow, 'status' | 'priority' | 'phase' | 'assignee'>>
}

/** Set while the dialog that creates a work order is open. */
export const creating = createStore<CreatePreset | undefined>(undefined)
export const openCreate = (preset: CreatePreset = {}) => creating.set(preset)
export const closeCreate = () => creating.set(undefined)
