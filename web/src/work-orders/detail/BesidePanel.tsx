import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import css from '../../ui/BesidePanel.module.css'
import { BesidePanel as Panel } from '../../ui/BesidePanel.tsx'
import { workOrderQuery } from '../api.ts'
import { useOpenWorkOrder } from '../open-work-order.tsx'
import { isPartial } from '../rows/load-rows.ts'
import type { WorkOrderRow } from '../work-order.ts'
import { WorkOrderDetail } from './WorkOrderDetail.tsx'

interface Props {
  number: number
  projectId: string
  /** The work orders of the list, in the order in which it shows them. */
  rows: WorkOrderRow[]
}

/** A work order beside the list that it was opened from. */
export default function BesidePanel({ number, projectId, rows }: Props) {
  const { data: workOrder, error } = useQuery(workOrderQuery(projectId, number))
  const navigate = useNavigate()
  const open = useOpenWorkOrder(projectId)
  const numbers = useMemo(() => rows.map((row) => String(row.work_order_number)), [rows])
  return (
    <Panel
      name={`WO-${number}`}
      path={`/p/${projectId}/work-orders/${number}`}
      order={numbers}
      isWhole={!isPartial(projectId)}
      id={String(number)}
      onGo={(next) => open(Number(next), { replace: true })}
      onOpenPage={() => open(number, { asPage: true })}
      onClose={() => void navigate({ to: '.', search: (old) => ({ ...old, beside: undefined }) })}
    >
      {error && !workOrder ? (
        <p className={css.fault} role="alert">
          {error.message}
        </p>
      ) : (
        <WorkOrderDetail workOrder={workOrder} projectId={projectId} withProperties />
      )}
    </Panel>
  )
}
