import { useNavigate, useRouteContext } from '@tanstack/react-router'
import { keysOf } from '../../app/shortcuts.ts'
import { IconCopy, IconExternalLink, IconFlag, IconLink, IconTag, IconTrash, IconUser } from '../../ui/icons.ts'
import { Pick } from '../../ui/Pick.tsx'
import { AnchoredPopUp } from '../../ui/PopUp.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { copyForAgent, copyText } from '../copy-for-agent.ts'
import { deleteWorkOrders } from '../edits.ts'
import { openPicker } from '../picker.tsx'
import type { Property } from '../properties.tsx'
import { clearSelection } from '../selection.ts'
import { codeOf, type WorkOrderRow } from '../work-order.ts'

const PROPERTIES = ['status', 'priority', 'assignee', 'label', 'phase']

/** What a right click offers. With several rows selected it acts on all of them. */
export function RowMenu({ rows, anchor, onClose }: { rows: WorkOrderRow[]; anchor: DOMRect; onClose(): void }) {
  const { project } = useRouteContext({ from: '/signed-in/p/$projectId' })
  const navigate = useNavigate()
  const first = rows[0]!
  const address = { projectId: project.id, number: String(first.work_order_number) }
  const size = { size: 16, stroke: 1.75 }
  const pick = (value: string) => {
    onClose()
    if (PROPERTIES.includes(value)) {
      const line = document.querySelector(`[data-row="${first.id}"]`)
      openPicker(value as Property, rows, line?.querySelector('[data-cell="status"]') ?? line ?? document.body)
    } else if (value === 'open') void navigate({ to: '/p/$projectId/work-orders/$number', params: address })
    else if (value === 'copy') void copyForAgent(project.id, rows)
    else if (value === 'link')
      void copyText(`${location.origin}/p/${address.projectId}/work-orders/${address.number}`, 'Link copied')
    else if (
      confirm(`Delete ${rows.length === 1 ? codeOf(first) : `${rows.length} work orders`}? This cannot be undone.`)
    ) {
      clearSelection()
      void deleteWorkOrders(project.id, rows)
    }
  }
  return (
    <AnchoredPopUp anchor={anchor} onClose={onClose}>
      <Pick
        selected={[]}
        onPick={pick}
        options={[
          ...(rows.length === 1
            ? [{ value: 'open', label: 'Open', icon: <IconExternalLink {...size} />, keys: keysOf('open-page') }]
            : []),
          {
            value: 'status',
            label: 'Status',
            icon: <StatusRing status={first.status} />,
            divided: rows.length === 1,
            keys: keysOf('status'),
          },
          {
            value: 'priority',
            label: 'Priority',
            icon: <PriorityBars priority={first.priority} />,
            keys: keysOf('priority'),
          },
          { value: 'assignee', label: 'Assignee', icon: <IconUser {...size} />, keys: keysOf('assignee') },
          { value: 'label', label: 'Labels', icon: <IconTag {...size} />, keys: keysOf('label') },
          { value: 'phase', label: 'Phase', icon: <IconFlag {...size} />, keys: keysOf('phase') },
          { value: 'copy', label: 'Copy for agent', icon: <IconCopy {...size} />, divided: true },
          ...(rows.length === 1 ? [{ value: 'link', label: 'Copy link', icon: <IconLink {...size} /> }] : []),
          { value: 'delete', label: 'Delete…', icon: <IconTrash {...size} />, divided: true, danger: true },
        ]}
      />
    </AnchoredPopUp>
  )
}
