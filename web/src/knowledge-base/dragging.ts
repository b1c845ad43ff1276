import { createStore } from '../lib/store.ts'
import type { Named } from './outcomes.ts'

/** The rows that somebody drags at the moment. A folder of the list or of the tree takes them. */
export const draggedRows = createStore<Named[]>([])

export function beginDrag(transfer: DataTransfer, items: Named[]): void {
  transfer.effectAllowed = 'move'
  transfer.setData('text/plain', items.map(({ name }) => name).join('\n'))
  draggedRows.set(items)
}
