import type { WorkOrderRow } from '../work-order.ts'

export default function WorkOrderBoard(_props: { rows: WorkOrderRow[] }) {
  return null
}
