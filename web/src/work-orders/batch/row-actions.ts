import { ask } from '../../lib/asking.ts'
import { copyText } from '../../lib/copy-text.ts'
import { deleteWorkOrders } from '../edits.ts'
import { clearSelection } from '../selection.ts'
import { codeOf, type WorkOrderRow } from '../work-order.ts'

/** Copies the addresses of the work orders, one on each line. */
export function copyLinks(projectId: string, rows: WorkOrderRow[]): void {
  const links = rows.map((row) => `${location.origin}/p/${projectId}/work-orders/${row.work_order_number}`)
  void copyText(links.join('\n'), rows.length === 1 ? 'Link copied' : `${rows.length} links copied`)
}

/** Deletes the work orders, if the person means it. Says whether they do. */
export async function askToDelete(projectId: string, rows: WorkOrderRow[]): Promise<boolean> {
  const what = rows.length === 1 ? codeOf(rows[0]!) : `${rows.length} work orders`
  const isSure = await ask({ title: `Delete ${what}?`, text: 'This cannot be undone.', verb: 'Delete' })
  if (!isSure) return false
  clearSelection()
  void deleteWorkOrders(projectId, rows)
  return true
}
