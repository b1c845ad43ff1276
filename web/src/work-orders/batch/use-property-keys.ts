import { useMayWrite } from '../../lib/may-write.ts'
import { openProperty } from '../picker.tsx'
import type { Property } from '../properties.tsx'
import { useShortcut } from '../shortcuts.ts'
import type { WorkOrderRow } from '../work-order.ts'

export interface Targets {
  rows: WorkOrderRow[]
  beside: Element | null | undefined
}

/** Each property has a key, which opens its values beside an element and changes the rows. */
export function usePropertyKeys(find: (property: Property) => Targets): void {
  const mayWrite = useMayWrite()
  const change = (property: Property) => () => {
    if (!mayWrite) return false
    const { rows, beside } = find(property)
    if (rows.length === 0) return false
    openProperty(property, rows, beside ?? document.body)
  }
  useShortcut('status', change('status'))
  useShortcut('priority', change('priority'))
  useShortcut('phase', change('phase'))
  useShortcut('assignee', change('assignee'))
  useShortcut('label', change('label'))
  useShortcut('type', change('type'))
}
