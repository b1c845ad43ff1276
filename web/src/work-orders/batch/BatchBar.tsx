import type { MouseEvent, ReactNode } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { BatchBar as Bar, BatchAction } from '../../ui/BatchBar.tsx'
import { IconButton } from '../../ui/Button.tsx'
import { IconCopy, IconDots, IconTag, IconUser } from '../../ui/icons.ts'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { copyForAgent } from '../copy-for-agent.ts'
import { openProperty } from '../picker.tsx'
import type { Property } from '../properties.tsx'
import { clearSelection } from '../selection.ts'
import type { WorkOrderRow } from '../work-order.ts'

const PARTS: { property: Property; name: string; keys: string; icon: ReactNode }[] = [
  { property: 'status', name: 'Status', keys: 's', icon: <StatusRing status="in_review" /> },
  { property: 'priority', name: 'Priority', keys: 'p', icon: <PriorityBars priority="high" /> },
  { property: 'assignee', name: 'Assign', keys: 'a', icon: <IconUser size={16} stroke={1.75} /> },
  { property: 'label', name: 'Labels', keys: 'l', icon: <IconTag size={16} stroke={1.75} /> },
]

interface Props {
  rows: WorkOrderRow[]
  projectId: string
  /** Opens the menu of a selected row, which acts on all of them. */
  onMore(row: WorkOrderRow, event: MouseEvent): void
}

/** What can be done with the selected rows. */
export function BatchBar({ rows, projectId, onMore }: Props) {
  const mayWrite = useMayWrite()
  const pick = (property: Property) => (event: MouseEvent) => openProperty(property, rows, event.currentTarget)
  return (
    <Bar label="Selected work orders" count={rows.length} onClear={clearSelection}>
      {(mayWrite ? PARTS : []).map(({ property, ...part }) => (
        <BatchAction key={property} {...part} onClick={pick(property)} />
      ))}
      <BatchAction
        name="Copy for agent"
        icon={<IconCopy size={16} stroke={1.75} />}
        onClick={() => void copyForAgent(projectId, rows)}
      />
      <IconButton label="More for the selected" aria-haspopup="menu" onClick={(event) => onMore(rows[0]!, event)}>
        <IconDots size={16} stroke={1.75} />
      </IconButton>
    </Bar>
  )
}
