import { createSelection } from '../../lib/selection.ts'

export const selectedReports = createSelection()
