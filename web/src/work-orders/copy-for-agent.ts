import { copyText } from '../lib/copy-text.ts'
import { codeOf, type WorkOrderRow } from './work-order.ts'

export const copyForAgent = (projectId: string, rows: WorkOrderRow[]) =>
  copyText(
    import('./agent-bundle.ts').then(({ loadBundles }) => loadBundles(projectId, rows)),
    rows.length === 1 ? `${codeOf(rows[0]!)} copied for an agent` : `${rows.length} work orders copied for an agent`,
  )
