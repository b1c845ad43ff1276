import { createSelection } from '../lib/selection.ts'

/** The selected work orders. The palette acts on them too. */
export const selected = createSelection()
export const { ids: selection, toggle: toggleSelected, clear: clearSelection } = selected
