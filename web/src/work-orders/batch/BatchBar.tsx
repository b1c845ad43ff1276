import type { MouseEvent, ReactNode } from 'react'
import { useMayWrite } from '../../lib/may-write.ts'
import { IconButton } from '../../ui/Button.tsx'
import { IconCopy, IconDots, IconTag, IconUser, IconX } from '../../ui/icons.ts'
import { Kbd } from '../../ui/Kbd.tsx'
import { PriorityBars } from '../../ui/PriorityBars.tsx'
import { StatusRing } from '../../ui/StatusRing.tsx'
import { copyForAgent } from '../copy-for-agent.ts'
import { openProperty } from '../picker.tsx'
import type { Property } from '../properties.tsx'
import { clearSelection } from '../selection.ts'
import type { WorkOrderRow } from '../work-order.ts'
import css from './BatchBar.module.css'

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
  if (rows.length === 0) return null
  const pick = (property: Property) => (event: MouseEvent) => openProperty(property, rows, event.currentTarget)
  return (
    <div className={css.bar} role="toolbar" aria-label="Selected work orders">
      <strong className={css.count}>{rows.length} selected</strong>
      {(mayWrite ? PARTS : []).map(({ property, name, keys, icon }) => (
        <button key={property} type="button" className={css.part} onClick={pick(property)}>
          {icon}
          {name}
          <Kbd keys={keys} />
        </button>
      ))}
      <button type="button" className={css.part} onClick={() => void copyForAgent(projectId, rows)}>
        <IconCopy size={16} stroke={1.75} />
        Copy for agent
      </button>
      <IconButton label="More for the selected" aria-haspopup="menu" onClick={(event) => onMore(rows[0]!, event)}>
        <IconDots size={16} stroke={1.75} />
      </IconButton>
      <IconButton label="Clear the selection" onClick={clearSelection}>
        <IconX size={16} stroke={1.75} />
      </IconButton>
    </div>
  )
}
