import { createSelection } from '../lib/selection.ts'

export const selected = createSelection()
