import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { copyText } from '../../lib/copy-text.ts'
import { formatCount } from '../../lib/numbers.ts'
import { useSteadyOrder } from '../../lib/use-steady-order.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconArrowsMaximize, IconChevronDown, IconChevronUp, IconLink, IconX } from '../../ui/icons.ts'
import { workOrderQuery } from '../api.ts'
import { useOpenWorkOrder } from '../open-work-order.tsx'
import { useShortcut } from '../shortcuts.ts'
import type { WorkOrderRow } from '../work-order.ts'
import css from './BesidePanel.module.css'
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
  const byId = new Map(rows.map((row) => [row.id, row]))
  const ids = useSteadyOrder([...byId.keys()], rows.find((row) => row.work_order_number === number)?.id)
  const order = ids.flatMap((id) => byId.get(id) ?? [])
  const at = order.findIndex((row) => row.work_order_number === number)
  const go = (row: WorkOrderRow | undefined) => row && open(row.work_order_number, { replace: true })
  const close = () => void navigate({ to: '.', search: (old) => ({ ...old, beside: undefined }) })
  useShortcut('back', close)
  useShortcut('next', () => go(order[at + 1]))
  useShortcut('previous', () => go(order[at - 1]))
  useShortcut('open', () => open(number, { asPage: true }))
  const size = { size: 16, stroke: 1.75 }
  return (
    <aside className={css.panel} aria-label={`WO-${number}`}>
      <header className={css.head}>
        <strong>WO-{number}</strong>
        {at >= 0 && (
          <span className={css.place}>
            {formatCount(at + 1)} of {formatCount(order.length)}
          </span>
        )}
        <IconButton label="Previous (K)" small disabled={at <= 0} onClick={() => go(order[at - 1])}>
          <IconChevronUp {...size} />
        </IconButton>
        <IconButton
          label="Next (J)"
          small
          disabled={at < 0 || at === order.length - 1}
          onClick={() => go(order[at + 1])}
        >
          <IconChevronDown {...size} />
        </IconButton>
        <span className={css.grow} />
        <IconButton
          label="Copy link"
          small
          onClick={() => void copyText(`${location.origin}/p/${projectId}/work-orders/${number}`, 'Link copied')}
        >
          <IconLink {...size} />
        </IconButton>
        <IconButton label="Open as a page" small onClick={() => open(number, { asPage: true })}>
          <IconArrowsMaximize {...size} />
        </IconButton>
        <IconButton label="Close (Esc)" small onClick={close}>
          <IconX {...size} />
        </IconButton>
      </header>
      {error && !workOrder ? (
        <p className={css.fault} role="alert">
          {error.message}
        </p>
      ) : (
        <WorkOrderDetail workOrder={workOrder} projectId={projectId} withProperties />
      )}
    </aside>
  )
}
